/** Lists of rows of several campaigns, page by page: campaign by campaign, newest first. Rows may leave the list between two pages. */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import type { RowIndex } from '../../../manifest/row.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** Rows of a campaign are examined in parts of so many. */
export const rowsAtOnce = 200;
/** Most rows to examine for one page, because few of many may match the filter. So a page may be empty, and still not be the last. */
const mostExamined = 5000;

/** `campaign.place`, where a page begins. The place of a row does not depend on other rows, which may have left the list. */
const placeForm = /^(?<id>[A-Za-z0-9_-]{1,100})\.(?<place>[0-9-]{1,30})$/;

export function isPlace(text: string): boolean {
  return placeForm.test(text);
}

export interface ListedRow {
  readonly row: RowIndex;
}

/** A list of rows. */
interface RowsList<Row extends ListedRow, Fitting extends ListedRow, Item> {
  /** How many rows of the campaign are in the list. */
  readonly countOf: (campaign: Campaign) => number;
  /** Its rows, in the order of the list. @param place of the first one; undefined for all. */
  readonly partsOf: (campaign: Campaign, place: string | undefined) => AsyncIterable<readonly Row[]>;
  readonly fits: (campaign: Campaign, rows: readonly Row[]) => Promise<readonly Fitting[]>;
  /** A row that has just left the list may have no item. */
  readonly describe: (campaign: Campaign, rows: readonly Fitting[]) => Promise<readonly Item[]>;
  readonly placeOf: (row: Row | Fitting) => string;
}

export interface PageOptions<Filter> {
  readonly filter?: Filter;
  /** An earlier page's `next`. Default: the newest campaign. */
  readonly from?: string | undefined;
  /** Default 20. */
  readonly limit?: number;
}

export interface RowsPage<Item> {
  readonly items: readonly Item[];
  /** Rows in the list, whatever the filter. */
  readonly total: number;
  /** Campaigns that have some, newest first. */
  readonly campaigns: readonly Campaign[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

export async function readPage<Row extends ListedRow, Fitting extends ListedRow, Item>(
  { ledger }: Pick<Runtime, 'ledger'>,
  list: RowsList<Row, Fitting, Item>,
  { filter, from, limit = 20 }: PageOptions<{ readonly campaign?: string | undefined }>,
): Promise<RowsPage<Item>> {
  const { countOf, fits, describe, placeOf } = list;
  const all = await ledger.campaigns.list();
  const campaigns = all.filter((campaign) => countOf(campaign) > 0);
  const total = campaigns.reduce((sum, campaign) => sum + countOf(campaign), 0);
  const items: Item[] = [];
  let [room, examined] = [limit, 0];
  for await (const { campaign, rows } of partsFrom(all, list, from, filter?.campaign)) {
    const fitting = examined < mostExamined ? await fits(campaign, rows) : [];
    const over = examined < mostExamined ? fitting[room] : rows[0];
    const taken = fitting.slice(0, room);
    items.push(...(await describe(campaign, taken)));
    if (over !== undefined) return { items, total, campaigns, next: `${campaign.id}.${placeOf(over)}` };
    room -= taken.length;
    examined += rows.length;
  }
  return { items, total, campaigns, next: undefined };
}

/** @param all campaigns, newest first: also those without such rows, because the campaign of the place may have none any more. */
async function* partsFrom<Row extends ListedRow>(
  all: readonly Campaign[],
  { countOf, partsOf }: Pick<RowsList<Row, never, never>, 'countOf' | 'partsOf'>,
  from: string | undefined,
  only: string | undefined,
) {
  const { id, place } = placeForm.exec(from ?? '')?.groups ?? {};
  const first = all.findIndex((each) => each.id === id);
  for (const campaign of all.slice(Math.max(0, first))) {
    if (countOf(campaign) === 0 || (only !== undefined && campaign.id !== only)) continue;
    const parts = partsOf(campaign, campaign.id === id ? place : undefined);
    for await (const rows of parts) yield { campaign, rows };
  }
}

/** Those of the rows that post for a creator. @param creator as written in the sheet; undefined for all. */
export async function ofCreator<Row extends ListedRow>(
  { views }: Pick<Runtime, 'views'>,
  { id, sheetVersion }: Campaign,
  rows: readonly Row[],
  creator: string | undefined,
): Promise<readonly Row[]> {
  if (creator === undefined) return rows;
  const wanted = creatorIn(creator);
  const view = await views.open(id, sheetVersion);
  const creators = await Promise.all(rows.map(async ({ row }) => (await view?.uncachedRow(row))?.creator));
  return rows.filter((_row, index) => creators[index] === wanted);
}
