/** What the other worksheets of a workbook know: the product ids of titles and links, and the accounts of display names. */

import { productEnd } from '../../../importers/check/known-products.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { detached } from '../../../manifest/printable.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
import { readXlsx, surveyWorkbook } from '../../../sheets/xlsx/read-xlsx.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import { creatorColumns } from './creator-columns.ts';
import { type ListColumns, type ListSheet, musicColumns, productColumns } from './list-columns.ts';
import { type ListedTitles, noteListedTitles } from './listed-titles.ts';
import { hasLostDigits, type ListedRow, linksIn, withWholeIds } from './lost-ids.ts';

const mostSheets = 20;
/** Most rows to read of all of them. */
const mostRows = 20_000;
/** Longest time to read, in milliseconds. */
const longestMs = 3000;
/** Longer texts are not titles. */
const longestTitle = 256;
const mostValues = 10;

export interface ListedPlace {
  readonly sheet: string;
  /** The name as written. Checks of earlier versions have none. */
  readonly name?: string;
  /** Position of the column of what a name stands for. */
  readonly column: number;
  /** Whether the column lost digits of it, which a link beside it has. */
  readonly isOfLink?: boolean;
}

/** By name or link, as `foldName` has it, and by what it stands for. */
export type NamesInSheets = ReadonlyMap<string, ReadonlyMap<string, ListedPlace>>;

/** By an account of a list: the account of the service with this name, or the one that it is a typo of. */
export type ServiceAccounts = ReadonlyMap<string, string>;

export interface ListedNames {
  /** Product ids by title and link. */
  readonly products: NamesInSheets;
  /** Usernames by display name. */
  readonly creators: NamesInSheets;
}

export interface OtherSheets extends ListedNames {
  /** The first name of a product id, as written. */
  readonly titles: ReadonlyMap<string, string>;
  /** Music ids by title, also of hidden worksheets. Checks of earlier versions have none. */
  readonly music?: NamesInSheets;
  /** What viewers see of a product, by each of its names. Checks of earlier versions have none. */
  readonly listedTitles?: ListedTitles;
  /** By product id: what its row says if the product is not sold any more. Checks of earlier versions have none. */
  readonly ended?: ReadonlyMap<string, string>;
  /** By name, as `foldName` has it: the id of a product that lost digits in its list. Checks of earlier versions have none. */
  readonly lost?: ReadonlyMap<string, { readonly sheet: string; readonly id: string }>;
  /** By texts that no header calls names. Checks of earlier versions have none. */
  readonly guesses?: ListedNames;
}

type Noted = Map<string, Map<string, ListedPlace>>;

interface List {
  readonly columns: ListColumns;
  readonly named: Noted;
  readonly linked: Noted;
}

/** Within bounds. @param chosen worksheets that are imported; undefined: the first visible. @throws the reason of the signal. */
export async function readOtherSheets(
  path: string,
  chosen: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<OtherSheets> {
  const until = performance.now() + longestMs;
  const empty = () => ({ products: new Map() as Noted, creators: new Map() as Noted });
  const found = {
    ...empty(),
    guesses: empty(),
    titles: new Map<string, string>(),
    music: new Map() as Noted,
    listedTitles: new Map(),
    ended: new Map<string, string>(),
    lost: new Map<string, { sheet: string; id: string }>(),
  };
  let left = mostRows;
  try {
    const { others, hidden } = await surveyWorkbook(path, chosen, mostSheets);
    for (const { name, cells: header } of [...others, ...hidden]) {
      const of = others.some((each) => each.name === name) ? found : { music: found.music };
      let lists: readonly List[] | undefined;
      for await (const rows of readXlsx(path, { sheet: name })) {
        signal.throwIfAborted();
        if (rows.length === 0) continue;
        lists ??= await listsOf({ name, header, rows: rows.map(({ cells }) => cells) }, of);
        if (lists.length === 0) break;
        for (const read of rows) {
          if (turn.isFull) await turn.pause();
          for (const list of lists) {
            const row = list.linked === found.products ? withWholeIds(read, list.columns) : read;
            note(list, name, row);
            if (list.named === found.products) {
              noteTitle(found.titles, list.columns, row);
              noteLost(found.lost, list.columns, name, read);
            }
            if (list.linked !== found.products) continue;
            noteEnd(found.ended, list.columns, row);
            noteListedTitles(found.listedTitles, list.columns, { name, header }, row.cells);
          }
        }
        left -= rows.length;
        if (left <= 0 || performance.now() > until) return withoutDoubtful(found);
      }
    }
  } catch {
    // These worksheets are not imported, so nobody needs to know what is wrong with them.
    signal.throwIfAborted();
  }
  return withoutDoubtful(found);
}

/** Without ids of links that are those of other products: somebody copied the wrong link. */
async function withoutDoubtful<Each extends { readonly products: Noted }>(found: Each): Promise<Each> {
  const [whole, ofLinks] = [new Set<string>(), [] as (readonly [Map<string, ListedPlace>, string])[]];
  for (const ids of found.products.values()) {
    if (turn.isFull) await turn.pause();
    for (const [id, { isOfLink }] of ids)
      if (isOfLink) ofLinks.push([ids, id]);
      else whole.add(id);
  }
  for (const [ids, id] of ofLinks) if (whole.has(id)) ids.delete(id);
  return found;
}

type Found = Record<'products' | 'creators', Noted>;

/** @param found what is noted of the sheet: only of a visible one, products and creators. */
async function listsOf(
  sheet: ListSheet,
  found: { readonly music: Noted } & Partial<Found & { readonly guesses: Found }>,
): Promise<readonly List[]> {
  const of = (what: 'products' | 'creators', columns: ListColumns | undefined): readonly List[] => {
    const named = columns?.isTold === false ? found.guesses?.[what] : found[what];
    const linked = found[what];
    return columns && named && linked ? [{ columns, named, linked }] : [];
  };
  const music = await musicColumns(sheet);
  return [
    ...of('products', await productColumns(sheet)),
    ...of('creators', await creatorColumns(sheet)),
    ...(music ? [{ columns: music, named: found.music, linked: found.music }] : []),
  ];
}

function noteTitle(
  known: Map<string, string>,
  { names, values, read, titles }: ListColumns,
  { cells }: SheetRow,
): void {
  const title = textOfCell(cells, titles?.title ?? names[0] ?? -1);
  if (title === '' || title.length > longestTitle) return;
  for (const position of values) {
    const id = read(textOfCell(cells, position));
    if (id !== undefined && (titles !== undefined || !known.has(id)))
      known.set(detached(id), detached(title));
  }
}

function noteLost(
  lost: Map<string, { sheet: string; id: string }>,
  { names, values }: ListColumns,
  sheet: string,
  row: SheetRow,
): void {
  const position = values.find((each) => hasLostDigits(row, each));
  if (position === undefined) return;
  const place = { sheet, id: showValue(textOfCell(row.cells, position)) };
  for (const name of names.map((each) => textOfCell(row.cells, each)))
    if (name !== '' && name.length <= longestTitle) lost.set(detached(foldName(name)), place);
}

function noteEnd(ended: Map<string, string>, { names, values, read }: ListColumns, row: SheetRow): void {
  const isStruck = [...names, ...values].some((position) => row.struck?.includes(position));
  const end = row.cells.find(productEnd) ?? (isStruck ? 'struck through' : undefined);
  if (end === undefined) return;
  for (const position of values) {
    const id = read(textOfCell(row.cells, position));
    if (id !== undefined) ended.set(detached(id), detached(end.trim()));
  }
}

function note({ columns, named, linked }: List, sheet: string, row: ListedRow): void {
  const { cells, cellFaults = [], ofLink } = row;
  const { names, values, read } = columns;
  const isRead = (position: number) => !cellFaults.some((fault) => fault.position === position);
  const found = values.filter(isRead).flatMap((column) => {
    const value = read(textOfCell(cells, column));
    const place = { sheet, column, ...(ofLink?.includes(column) && { isOfLink: true }) };
    return value === undefined ? [] : [{ value, place }];
  });
  noteTexts(
    named,
    names.map((position) => textOfCell(cells, position)),
    found,
  );
  noteTexts(linked, linksIn(row), found);
}

/** @param found what each of the texts stands for. */
function noteTexts(
  noted: Noted,
  texts: readonly string[],
  found: readonly { readonly value: string; readonly place: ListedPlace }[],
): void {
  for (const text of texts) {
    if (text === '' || text.length > longestTitle) continue;
    const name = foldName(text);
    const known: Map<string, ListedPlace> = noted.get(name) ?? new Map();
    for (const { value, place } of found) {
      if (value === text) continue;
      if (known.size === 0) noted.set(detached(name), known);
      const before = known.get(value);
      if (before ? before.isOfLink && !place.isOfLink : known.size < mostValues)
        known.set(detached(value), name === text ? place : { ...place, name: detached(text) });
    }
  }
}

/** What stands in the row of a text, which no header calls a name, each with a sentence that says where. */
export function besideIn(
  guesses: NamesInSheets | undefined,
  text: string,
  what: string,
): ReadonlyMap<string, string> {
  const found = [...(guesses?.get(foldName(text)) ?? [])];
  return new Map(
    found.map(([value, { sheet }]) => [
      value,
      `In the worksheet ${showValue(sheet)}, ${showValue(text)} is beside the ${what} ${value}.`,
    ]),
  );
}
