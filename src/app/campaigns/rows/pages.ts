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

/** Some rows of a campaign, in the order of the list. */
export interface RowsPart<Row extends ListedRow> {
  readonly campaign: Campaign;
  readonly rows: readonly Row[];
}

/**
 * The campaigns from a place on, with the place in the first of them.
 * @param all campaigns, newest first: also those without such rows, because the campaign of the place may have none any more.
 */
export function campaignsFrom(
  all: readonly Campaign[],
  from: string | undefined,
): readonly { readonly campaign: Campaign; readonly place: string | undefined }[] {
  const { id, place } = placeForm.exec(from ?? '')?.groups ?? {};
  const first = all.findIndex((each) => each.id === id);
  const campaigns = all.slice(Math.max(0, first));
  return campaigns.map((campaign) => ({ campaign, place: campaign.id === id ? place : undefined }));
}

export interface PageReading<Row extends ListedRow, Fitting extends ListedRow, Item> {
  readonly limit: number;
  readonly fits: (campaign: Campaign, rows: readonly Row[]) => Promise<readonly Fitting[]>;
  /** A row that has just left the list may have no item. */
  readonly describe: (campaign: Campaign, rows: readonly Fitting[]) => Promise<readonly Item[]>;
  readonly placeOf: (row: Row | Fitting) => string;
}

/** @returns the items of a page, and the place of the next one; undefined at the end. */
export async function readPage<Row extends ListedRow, Fitting extends ListedRow, Item>(
  parts: AsyncIterable<RowsPart<Row>>,
  { limit, fits, describe, placeOf }: PageReading<Row, Fitting, Item>,
): Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }> {
  const items: Item[] = [];
  let [room, examined] = [limit, 0];
  for await (const { campaign, rows } of parts) {
    const fitting = examined < mostExamined ? await fits(campaign, rows) : [];
    const over = examined < mostExamined ? fitting[room] : rows[0];
    const taken = fitting.slice(0, room);
    items.push(...(await describe(campaign, taken)));
    if (over !== undefined) return { items, next: `${campaign.id}.${placeOf(over)}` };
    room -= taken.length;
    examined += rows.length;
  }
  return { items, next: undefined };
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
