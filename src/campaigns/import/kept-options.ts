/** Options that a campaign keeps from its import, although other values are given now. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { foldHeader } from '../../manifest/columns.ts';
import type { ColumnMap } from '../../manifest/headers/column-map.ts';

export interface GivenNow {
  readonly name: string | undefined;
  readonly map: ColumnMap | undefined;
  /** Absolute. */
  readonly mediaRoot: string;
  readonly timezone: string | undefined;
}

/** @returns the kept options that differ, in words. Options not given now are not compared. */
export function keptOptions(
  campaign: Pick<Campaign, 'name' | 'map' | 'mediaRoot' | 'timezone'>,
  now: GivenNow,
): readonly string[] {
  return [
    ...(now.name === undefined || now.name === campaign.name ? [] : [`its name ${campaign.name}`]),
    ...(now.map === undefined || isSame(now.map, campaign.map) ? [] : ['its mapping of headers']),
    ...(now.mediaRoot === campaign.mediaRoot ? [] : [`its media folder ${campaign.mediaRoot}`]),
    ...(now.timezone === undefined || now.timezone === campaign.timezone
      ? []
      : [`its time zone (${campaign.timezone ?? 'none'})`]),
  ];
}

function isSame(one: ColumnMap, other: ColumnMap): boolean {
  const listed = (map: ColumnMap) =>
    JSON.stringify([...map].map(([header, column]) => [foldHeader(header), column]).sort());
  return listed(one) === listed(other);
}
