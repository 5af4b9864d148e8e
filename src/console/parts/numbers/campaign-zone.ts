/** The time zone of pages about one campaign. */
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import type { PageRequest } from '../../request.ts';

/** The request with the zone of the campaign's sheet, unless its address names a zone. */
export function inZoneOf(request: PageRequest, { timezone }: Pick<Campaign, 'timezone'>): PageRequest {
  return timezone === null || request.query.has('zone') ? request : { ...request, zone: timezone };
}
