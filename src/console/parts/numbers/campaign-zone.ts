/** The time zone of pages about one campaign. */
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import type { PageRequest } from '../../request.ts';

/** The request, with times in the zone that the campaign was handed in with; a zone of the address comes first. */
export function inZoneOf(request: PageRequest, { timezone }: Pick<Campaign, 'timezone'>): PageRequest {
  return timezone === null || request.query.has('zone') ? request : { ...request, zone: timezone };
}
