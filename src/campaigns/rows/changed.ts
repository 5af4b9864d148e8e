/** The rows of a campaign that changed last, the newest first. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { ChangedRow } from '../../ledger/rows/changed-rows.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { findCampaign } from '../find.ts';
import type { RowFilter } from './candidates.ts';
import { isEverything, matchingRows, type RowSearch } from './find.ts';
import { describeRows, type ListedRow, type SharedReading } from './list.ts';

/** Number of changed rows that the ledger keeps. */
export const changesKept = 1000;

export interface ChangedPage {
  readonly campaign: Campaign;
  readonly rows: readonly ListedRow[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

export interface ChangedPageOptions {
  readonly filter?: RowFilter;
  /** `next` of an earlier page. Rows that have changed since then are left out. */
  readonly after?: string | undefined;
  /** Default 50. */
  readonly limit?: number;
  readonly shared?: Pick<SharedReading, 'campaign'>;
}

/** @throws {UseCaseError} `campaign_not_found`. */
export async function listChangedRows(
  search: RowSearch,
  id: string,
  { filter = {}, after, limit = 50, shared }: ChangedPageOptions = {},
): Promise<ChangedPage> {
  const isFirstOfAll = after === undefined && isEverything(filter);
  const [campaign, changed] = await Promise.all([
    shared?.campaign ?? findCampaign(search, id),
    search.ledger.changed.latest(id, isFirstOfAll ? limit + 1 : undefined),
  ]);
  const older = after === undefined ? changed : changed.filter((one) => isAfter(one, after));
  const matching = await matchingRows(
    search,
    campaign,
    filter,
    older.map((one) => one.row),
  );
  const found = older.filter((one) => matching.has(one.row));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    campaign,
    rows: await describeRows(
      search,
      campaign,
      page.map((one) => one.row),
    ),
    next: last && found.length > limit ? `${last.at}.${last.row}` : undefined,
  };
}

/** Redis sorts rows with the same time by their text, descending. */
function isAfter({ at, row }: ChangedRow, place: string): boolean {
  const [placeAt = '', placeRow = ''] = place.split('.');
  return at < Number(placeAt) || (at === Number(placeAt) && String(row) < placeRow);
}

export interface Changes {
  /** Rows that have changed. */
  readonly rows: number;
  /** There may be more. */
  readonly isMore: boolean;
}

/** @param since as of `lastChangeOf`. */
export async function changesSince(
  { ledger }: Pick<Runtime, 'ledger'>,
  id: string,
  since: number,
): Promise<Changes> {
  const rows = await ledger.changed.since(id, since);
  return { rows, isMore: rows >= changesKept };
}

/** When a row last changed, by the clock of the process that changed it: Unix epoch, milliseconds; 0 if none did. */
export function lastChangeOf({ ledger }: Pick<Runtime, 'ledger'>, id: string): Promise<number> {
  return ledger.changed.lastAt(id);
}
