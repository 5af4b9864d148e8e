/** The id that a product title has in other rows, and the title of an id. */
import { createHash } from 'node:crypto';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { StoredRow } from '../../ledger/rows/stored-rows.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import { plural } from '../../runtime/wording.ts';
import { type Partners, SheetEvidence, type SheetProduct } from './evidence.ts';
import { type FaultyCell, mostSuggestions, rowsOf, type Suggestion } from './suggestion.ts';

/** @param cells whose product id is missing or has lost digits. */
export function suggestIds(
  cells: readonly FaultyCell[],
  evidence: SheetEvidence,
  { product_title }: ColumnIndexes,
): readonly Suggestion[] {
  const find = (title: string) => evidence.idsOf(title);
  const fits = (cell: FaultyCell, id: string) => agree(cell.value, id);
  return suggestPartners(cells, product_title, { what: 'id', beside: 'product title', find, fits });
}

/** @param cells whose product title is missing. */
export function suggestTitles(
  cells: readonly FaultyCell[],
  evidence: SheetEvidence,
  { product_id }: ColumnIndexes,
): readonly Suggestion[] {
  const find = (id: string) => evidence.titlesOf(id);
  return suggestPartners(cells, product_id, { what: 'title', beside: 'product id', find, fits: () => true });
}

interface Kind {
  readonly what: string;
  readonly beside: string;
  readonly find: (text: string) => Partners;
  readonly fits: (cell: FaultyCell, partner: string) => boolean;
}

/** @param position of the cell beside, from 0; -1 if the sheet lacks it. */
function suggestPartners(
  cells: readonly FaultyCell[],
  position: number,
  { what, beside, find, fits }: Kind,
): readonly Suggestion[] {
  const byText = Map.groupBy(cells, (cell) => (cell.cells[position] ?? '').trim());
  byText.delete('');
  const found = [...byText].flatMap(([text, same]) =>
    [...find(text)].flatMap(([partner, count]): Suggestion[] => {
      const mends = same
        .filter((cell) => fits(cell, partner))
        .map((cell) => ({ row: cell.row, position: cell.position, text: partner }));
      if (mends.length === 0) return [];
      // Browsers change line breaks in what a form sends.
      const id = createHash('sha256').update(`${text}\n${partner}`).digest('hex').slice(0, 12);
      const label = `Use ${partner} in ${rowsOf(mends)}`;
      const evidence = `In ${plural(count, 'other row')} the ${beside} ${text} has the ${what} ${partner}.`;
      return [{ id, label, evidence, mends }];
    }),
  );
  const suggestions = found.sort((one, other) => other.mends.length - one.mends.length);
  const all = suggestions.flatMap(({ mends }) => mends);
  const isClear = new Set(all.map(({ row }) => row)).size === all.length;
  if (suggestions.length < 2 || !isClear) return suggestions.slice(0, mostSuggestions);
  const together: Suggestion = {
    id: 'all',
    label: `Use the ${what} of the same ${beside} in ${rowsOf(all)}`,
    evidence: `${suggestions.length} of these ${beside}s have one ${what} each in other rows.`,
    mends: all,
  };
  return [together, ...suggestions].slice(0, mostSuggestions);
}

/**
 * Whether an id may be the one that a spreadsheet program turned into a number: whether the digits that it kept agree.
 * @param lost `1.72938E+18` or `1729384071926530000`; empty for an empty cell.
 */
function agree(lost: string, id: string): boolean {
  if (lost === '') return true;
  if (!/^\d{1,30}$/.test(id)) return false;
  const match = /^(\d)(?:[.,](\d{1,17}))?E\+(\d{1,2})$/i.exec(lost);
  if (match !== null) {
    const [, first = '', rest = '', exponent] = match;
    if (id.length !== Number(exponent) + 1) return false;
    // The program rounded the last digit that it kept.
    const kept = Number(`${first}${rest}`);
    return Math.abs(Number(id.slice(0, rest.length + 1)) - kept) <= 1;
  }
  return id.length === lost.length && id.slice(0, 15) === lost.slice(0, 15);
}

/** Most rows to read for the suggestion about one row: the first ones of its campaign. */
const mostRowsRead = 5000;

/** Another id that rows of the campaign have beside the product title of a row, the most frequent one. */
export async function otherIdOfTitle(
  { store }: Pick<Ledger, 'store'>,
  campaign: Campaign,
  { cells }: StoredRow,
): Promise<SheetProduct | undefined> {
  const { indexes } = createImportedRowReader(campaign).header;
  const title = textOfCell(cells, indexes.product_title);
  const own = textOfCell(cells, indexes.product_id);
  if (title === '') return undefined;
  const evidence = new SheetEvidence(indexes);
  for (let from = 0; from < Math.min(campaign.rows, mostRowsRead); from += chunkSize) {
    for await (const part of store.parts(campaign, from / chunkSize)) {
      for (const row of part) evidence.note(row.cells);
    }
  }
  const others = [...evidence.idsOf(title)].filter(([id]) => id !== own);
  const [best] = others.sort(([, one], [, other]) => other - one);
  return best === undefined ? undefined : { title, id: best[0], rows: best[1] };
}
