/** What a campaign keeps from its import, although the command or the settings say otherwise by now. */
import type { Campaign } from '../../ledger/campaigns.ts';
import type { ColumnMap } from '../../manifest/column-map.ts';
import { foldHeader } from '../../manifest/columns.ts';

export interface GivenNow {
  readonly name: string | undefined;
  readonly map: ColumnMap | undefined;
  /** Absolute. */
  readonly mediaRoot: string;
  readonly timezone: string | null;
}

/** @returns a line for people; `null` where nothing differs. What is not given now is not compared. */
export function describeKeptOptions(
  campaign: Pick<Campaign, 'id' | 'name' | 'map' | 'mediaRoot' | 'timezone'>,
  now: GivenNow,
): string | null {
  const kept = [
    ...(now.name === undefined || now.name === campaign.name ? [] : [`its name ${campaign.name}`]),
    ...(now.map === undefined || isSame(now.map, campaign.map) ? [] : ['its mapping of headers']),
    ...(now.mediaRoot === campaign.mediaRoot ? [] : [`its media root ${campaign.mediaRoot}`]),
    ...(now.timezone === campaign.timezone ? [] : [`its time zone (${campaign.timezone ?? 'none'})`]),
  ];
  if (kept.length === 0) return null;
  return `Campaign ${campaign.id} keeps what it was imported with, not what is given now: ${kept.join(', ')}.`;
}

function isSame(one: ColumnMap, other: ColumnMap): boolean {
  const listed = (map: ColumnMap) =>
    JSON.stringify([...map].map(([header, column]) => [foldHeader(header), column]).sort());
  return listed(one) === listed(other);
}
