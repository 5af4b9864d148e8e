/** The id that a product title has in other rows and elsewhere, and the title of an id. */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { StoredRow } from '../../../ledger/rows/stored-rows.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { isProductId, numberInLink } from '../../../manifest/cells/id.ts';
import { isUrl } from '../../../manifest/cells/media-source.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import { plural } from '../../../manifest/wording.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import { SheetEvidence, type SheetProduct } from './evidence.ts';
import type { Partners } from './pair-count.ts';
import {
  type FaultyCell,
  mostNames,
  rowsOf,
  type Suggestion,
  suggestionId,
  textOf,
  withoutRowsOf,
} from './suggestion.ts';

/** Problems of texts that are no ids at all. */
export const isNoId: ReadonlySet<string> = new Set([
  'space_in_id',
  'character_in_id',
  'link_as_id',
  'name_as_id',
  'id_unlike_others',
]);
/** Problems of ids that are missing, or have lost digits. */
export const lacksId: ReadonlySet<string> = new Set(['scientific_id', 'digits_lost', 'missing_value']);

/** Whether a title may tell the product ids of a group of problems, or contradicts them. */
export function needsId(
  { product_id }: ColumnIndexes,
  { code, position }: { readonly code: string; readonly position: number },
): boolean {
  const isOfId = isNoId.has(code) || lacksId.has(code) || code === 'product_differs';
  return product_id >= 0 && position === product_id && isOfId;
}

export interface IdsElsewhere {
  /** Ids that a title has outside the sheet, each with a sentence that says where. */
  of(title: string, cell: FaultyCell): ReadonlyMap<string, string>;
  /** Ids that may be those of a title: it stands beside them, or one there is nearly the same. */
  guess(title: string, cell: FaultyCell): ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
  /** By id, what lists say of products that are sold no more. */
  readonly ended?: ReadonlyMap<string, string> | undefined;
  /** Whether a list of products has one id for the title. */
  isListed(title: string): boolean;
}

export const nothingElsewhere: IdsElsewhere = {
  of: () => new Map(),
  guess: () => new Map(),
  isListed: () => false,
  names: new Map(),
};

/** @param cells whose product id is missing or has lost digits. */
export function suggestIds(
  cells: readonly FaultyCell[],
  evidence: SheetEvidence,
  { product_title, product_link }: ColumnIndexes,
  elsewhere: IdsElsewhere,
): readonly Suggestion[] {
  const fits = (cell: FaultyCell, id: string) => agree(cell.value, id);
  const ofTitles = (some: readonly FaultyCell[]) =>
    suggestPartners(some, product_title, {
      what: 'id',
      find: idsOf(evidence, elsewhere),
      guess: elsewhere.guess,
      ended: elsewhere.ended,
      fits,
      isSure: sureness(evidence, elsewhere, (cell) => (cell.cells[product_title] ?? '').trim()),
    });
  const known = ofTitles(cells);
  if (product_link < 0) return known;
  const find: Kind['find'] = (link, cell) => {
    const number = numberInLink(link);
    const inLink =
      number === undefined ? [] : [[number, `The product link has the number ${number}.`] as const];
    return new Map([...elsewhere.of(link, cell), ...inLink]);
  };
  // A link is surer than a title that is only similar.
  const open = withoutRowsOf(
    known.filter(({ confidence }) => confidence === 'sure'),
    cells,
  );
  const linked = suggestPartners(open, product_link, { what: 'id', find, fits });
  return linked.length === 0 ? known : [...ofTitles(withoutRowsOf(linked, cells)), ...linked];
}

/** Whether nothing speaks for another size or number of the same product. */
function sureness(
  evidence: SheetEvidence,
  { of, names }: IdsElsewhere,
  titleOf: (cell: FaultyCell) => string,
): NonNullable<Kind['isSure']> {
  const titled = [...evidence.pairs(), ...[...names].map(([id, title]) => ({ id, title }))];
  const all = titled.map(({ id, title }) => ({ id, name: foldName(title) }));
  const variants = Map.groupBy(all, ({ name }) => withoutNumbers(name));
  return (cell, id) => {
    const title = titleOf(cell);
    if (of(title, cell).has(id)) return true;
    const name = foldName(title);
    const others = variants.get(withoutNumbers(name)) ?? [];
    const mayBe = (other: string) => other === id || (cell.value !== '' && agree(cell.value, other));
    return !others.some((other) => other.name !== name && mayBe(other.id));
  };
}

function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, '0');
}

/** @param cells whose id is not the one that their title has: the id of the title, or the title of the id. */
export function suggestOneProduct(
  cells: readonly FaultyCell[],
  { product_title }: ColumnIndexes,
  elsewhere: IdsElsewhere,
): readonly Suggestion[] {
  const ids = suggestPartners(cells, product_title, { what: 'id', find: elsewhere.of, fits: () => true });
  const titles = [...Map.groupBy(cells, (cell) => elsewhere.names.get(textOf(cell)))].flatMap(
    ([title, same]) => {
      if (title === undefined || product_title < 0) return [];
      const edits = same.map(({ row }) => ({ row, position: product_title, text: title }));
      const label = `Use ${title} in ${rowsOf(edits)}`;
      return {
        id: suggestionId('title', title),
        label,
        evidence: 'Elsewhere, the id has this title.',
        edits,
      };
    },
  );
  return [...ids.map(({ confidence: _, ...each }) => each), ...titles].slice(0, mostNames);
}

/** @param cells with another text than an id: the title of the product, or a link to it. */
export function suggestIdsOfTitles(
  cells: readonly FaultyCell[],
  evidence: SheetEvidence,
  { product_title, product_id }: ColumnIndexes,
  elsewhere: IdsElsewhere,
): readonly Suggestion[] {
  const { guess, ended } = elsewhere;
  const kind = { what: 'id', find: idsOf(evidence, elsewhere), guess, ended, fits: () => true };
  const known = suggestPartners(cells, product_id, kind);
  return known.length > 0 ? known : suggestPartners(cells, product_title, kind);
}

function idsOf(evidence: SheetEvidence, elsewhere: IdsElsewhere): Kind['find'] {
  return (title, cell) => {
    if (isProductId(title)) return new Map([[title, 'The id is in the place of the title.']]);
    const known = elsewhere.of(title, cell);
    const [listed = ''] = known.keys();
    const isSettled =
      elsewhere.isListed(title) && known.size === 1 && !isOutvoted(listed, evidence.idsOf(title));
    return new Map([...known, ...(isSettled ? [] : idsInRows(evidence, title))]);
  };
}

/** Ids that a title has in good rows, each with a sentence that says so. */
export function idsInRows(evidence: SheetEvidence, title: string): ReadonlyMap<string, string> {
  const found = [...evidence.idsOf(title)];
  return new Map(
    found.map(([id, rows]) => [
      id,
      `In ${plural(rows, 'other row')} the product title ${title} has the id ${id}.`,
    ]),
  );
}

/** Whether the rows of a sheet know better than a list: a single one may be wrong itself. */
function isOutvoted(listed: string, inRows: Partners): boolean {
  const others = [...inRows].filter(([id]) => id !== listed && /^\d+$/.test(id));
  const rows = others.reduce((sum, [, each]) => sum + each, 0);
  return rows > 1 && rows > (inRows.get(listed) ?? 0);
}

/** @param cells whose product title is missing. */
export function suggestTitles(
  cells: readonly FaultyCell[],
  evidence: SheetEvidence,
  { product_id }: ColumnIndexes,
): readonly Suggestion[] {
  const find = (id: string) =>
    new Map(
      [...evidence.titlesOf(id)]
        .filter(([title]) => !isUrl(title) && !isProductId(title))
        .map(([title, rows]) => [
          title,
          `In ${plural(rows, 'other row')} the product id ${id} has the title ${title}.`,
        ]),
    );
  return suggestPartners(cells, product_id, { what: 'title', find, fits: () => true });
}

interface Kind {
  readonly what: string;
  /** What belongs to a text, each with a sentence that says where. */
  readonly find: (text: string, cell: FaultyCell) => ReadonlyMap<string, string>;
  /** What may belong to a text of which that is not known. */
  readonly guess?: Kind['find'];
  readonly ended?: IdsElsewhere['ended'];
  readonly fits: (cell: FaultyCell, partner: string) => boolean;
  /** Default: for all. */
  readonly isSure?: (cell: FaultyCell, partner: string) => boolean;
}

/** @param position of the cell beside, from 0; -1 if the sheet lacks it. */
export function suggestPartners(
  cells: readonly FaultyCell[],
  position: number,
  { what, find, guess, ended, fits, isSure = () => true }: Kind,
): readonly Suggestion[] {
  const byText = Map.groupBy(cells, (cell) => (cell.cells[position] ?? '').trim());
  byText.delete('');
  const found = [...byText].flatMap(([text, same]) => {
    const pairs = same.flatMap((cell) => {
      const known = find(text, cell);
      const isGuess = known.size === 0;
      return [...(isGuess ? (guess?.(text, cell) ?? []) : known)].flatMap(([partner, evidence]) =>
        fits(cell, partner) ? [{ cell, partner, evidence, isGuess: isGuess || !isSure(cell, partner) }] : [],
      );
    });
    return [...Map.groupBy(pairs, ({ partner }) => partner)].map(([partner, of]): Suggestion => {
      const edits = of.map(({ cell }) => ({ row: cell.row, position: cell.position, text: partner }));
      const id = suggestionId(text, partner);
      const label = `Use ${partner} in ${rowsOf(edits)}`;
      const end = ended?.get(partner);
      const confidence = end !== undefined || of.some(({ isGuess }) => isGuess) ? undefined : 'sure';
      const doubt = end && `the list says ${showValue(end)}`;
      return { id, label, evidence: of[0]?.evidence ?? '', edits, confidence, doubt };
    });
  });
  const suggestions = found.sort((one, other) => other.edits.length - one.edits.length);
  const sure = suggestions.filter(({ confidence }) => confidence === 'sure');
  const byRow = Map.groupBy(
    sure.flatMap(({ edits }) => edits),
    ({ row }) => row,
  );
  const all = [...byRow.values()].flatMap(([first, ...others]) =>
    first && others.length === 0 ? [first] : [],
  );
  if (new Set(all.map(({ text }) => text)).size < 2) return suggestions.slice(0, mostNames);
  const together: Suggestion = {
    id: `all-${position}`,
    label: `Use the ${what}s that are known in ${rowsOf(all)}`,
    evidence: `For each of these rows, only one ${what} is known.`,
    edits: all,
    confidence: 'sure',
  };
  return [together, ...suggestions].slice(0, mostNames);
}

/** Whether the digits that a spreadsheet kept agree. @param lost `1.72938E+18` or `1729384071926530000`; empty for an empty cell. */
export function agree(lost: string, id: string): boolean {
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
  for await (const part of store.all({ ...campaign, rows: Math.min(campaign.rows, mostRowsRead) })) {
    for (const [, row] of part) evidence.note(row.cells);
  }
  const others = [...evidence.idsOf(title)].filter(([id]) => id !== own);
  const [best] = others.sort(([, one], [, other]) => other - one);
  return best === undefined ? undefined : { title, id: best[0], rows: best[1] };
}
