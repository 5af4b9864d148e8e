/** What the other worksheets of a workbook know: the product ids of titles and links, and the accounts of display names. */

import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { detached } from '../../../manifest/printable.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
import { readXlsx, surveyWorkbook } from '../../../sheets/xlsx/read-xlsx.ts';
import { creatorColumns, type ListColumns, type ListSheet, productColumns } from './list-columns.ts';
import { foldName } from './suggestion.ts';

const mostSheets = 20;
/** Most rows to read of all of them. */
const mostRows = 20_000;
/** Longest time to read, in milliseconds. */
const longestMs = 3000;
/** Longer texts are not titles. */
const longestTitle = 256;
const mostLinks = 2;
const mostValues = 10;

/** By name or link, as `foldName` has it, and by what it stands for: name of the worksheet. */
export type NamesInSheets = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface OtherSheets {
  /** Product ids by title and link. */
  readonly products: NamesInSheets;
  /** Usernames by display name. */
  readonly creators: NamesInSheets;
}

type Noted = Map<string, Map<string, string>>;

/** Within bounds. @param chosen worksheets that are imported; undefined: the first visible. @throws the reason of the signal. */
export async function readOtherSheets(
  path: string,
  chosen: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<OtherSheets> {
  const until = performance.now() + longestMs;
  const found = { products: new Map() as Noted, creators: new Map() as Noted };
  let left = mostRows;
  try {
    const { others } = await surveyWorkbook(path, chosen, mostSheets);
    for (const { name, cells: header } of others) {
      let lists: readonly (readonly [Noted, ListColumns])[] | undefined;
      for await (const rows of readXlsx(path, { sheet: name })) {
        signal.throwIfAborted();
        if (rows.length === 0) continue;
        lists ??= listsOf({ name, header, rows: rows.map(({ cells }) => cells) }, found);
        if (lists.length === 0) break;
        for (const row of rows) for (const [noted, columns] of lists) note(noted, name, columns, row);
        await turn.pause();
        left -= rows.length;
        if (left <= 0 || performance.now() > until) return found;
      }
    }
  } catch {
    // These worksheets are not imported, so nobody needs to know what is wrong with them.
    signal.throwIfAborted();
  }
  return found;
}

function listsOf(
  sheet: ListSheet,
  { products, creators }: { readonly products: Noted; readonly creators: Noted },
) {
  const all = [
    [products, productColumns(sheet)],
    [creators, creatorColumns(sheet)],
  ] as const;
  return all.flatMap(([noted, columns]) => (columns === undefined ? [] : [[noted, columns] as const]));
}

function note(
  noted: Noted,
  sheet: string,
  { names, values, read }: ListColumns,
  { cells, cellFaults = [] }: SheetRow,
): void {
  const isRead = (position: number) => !cellFaults.some((fault) => fault.position === position);
  const found = values.filter(isRead).flatMap((position) => read(textOfCell(cells, position)) ?? []);
  const links = cells.filter((cell) => /^https?:/i.test(cell)).slice(0, mostLinks);
  for (const text of [...names.map((position) => textOfCell(cells, position)), ...links]) {
    if (text === '' || text.length > longestTitle) continue;
    const name = foldName(text);
    const known: Map<string, string> = noted.get(name) ?? new Map();
    for (const value of found) {
      if (value === text) continue;
      if (known.size === 0) noted.set(detached(name), known);
      if (known.size < mostValues && !known.has(value)) known.set(detached(value), sheet);
    }
  }
}
