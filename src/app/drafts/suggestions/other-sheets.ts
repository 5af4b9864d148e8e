/** Product ids that the other worksheets of a workbook have for a title or a link. */

import { mayLackDigits } from '../../../importers/check/lost-digits.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { namedColumn } from '../../../manifest/headers/header.ts';
import { hasProductIds } from '../../../manifest/headers/name-parts.ts';
import { detached } from '../../../manifest/printable.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
import { readXlsx, surveyWorkbook } from '../../../sheets/xlsx/read-xlsx.ts';
import { foldName } from './suggestion.ts';

const mostSheets = 20;
/** Most rows to read of all of them. */
const mostRows = 20_000;
/** Longest time to read, in milliseconds. */
const longestMs = 3000;
/** Longer texts are not titles. */
const longestTitle = 256;
const mostLinks = 2;
const mostIds = 10;

/** By title or link, as `foldName` has it, and id: name of the worksheet. */
export type OtherSheets = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Within bounds. @param chosen worksheets that are imported; undefined: the first visible. @throws the reason of the signal. */
export async function readOtherSheets(
  path: string,
  chosen: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<OtherSheets> {
  const until = performance.now() + longestMs;
  const titles = new Map<string, Map<string, string>>();
  let left = mostRows;
  try {
    const { others } = await surveyWorkbook(path, chosen, mostSheets);
    for (const { name, cells } of others) {
      if (!cells.some((cell) => hasProductIds(cell, name))) continue;
      let columns: ProductColumns | undefined;
      for await (const rows of readXlsx(path, { sheet: name })) {
        signal.throwIfAborted();
        columns ??= columnsOf(rows[0]?.cells ?? [], name);
        for (const row of rows) note(titles, name, columns, row);
        await turn.pause();
        left -= rows.length;
        if (left <= 0 || performance.now() > until) return titles;
      }
    }
  } catch {
    // These worksheets are not imported, so nobody needs to know what is wrong with them.
    signal.throwIfAborted();
  }
  return titles;
}

interface ProductColumns {
  readonly ids: readonly number[];
  readonly titles: readonly number[];
}

function columnsOf(header: readonly string[], sheet: string): ProductColumns {
  const positions = [...header.keys()];
  const ids = positions.filter((position) => hasProductIds(header[position] ?? '', sheet));
  const named = positions.filter(
    (position) => namedColumn(foldHeader((header[position] ?? '').trim())) === 'product_title',
  );
  const titles = [...named, ...(ids.length > 1 ? ids : [])];
  // A list of products begins with their names.
  const first = positions.filter((position) => !ids.includes(position)).slice(0, 1);
  return { ids, titles: titles.length > 0 ? titles : first };
}

const isNumber = /^\d{6,30}$/;

function note(
  titles: Map<string, Map<string, string>>,
  sheet: string,
  { ids, titles: beside }: ProductColumns,
  { cells, cellFaults = [] }: SheetRow,
): void {
  const isRead = (position: number) => !cellFaults.some((fault) => fault.position === position);
  const [id, ...more] = ids
    .filter(isRead)
    .map((position) => textOfCell(cells, position))
    .filter((text) => isNumber.test(text) && !mayLackDigits(text));
  if (id === undefined || more.length > 0) return;
  const links = cells.filter((cell) => /^https?:/i.test(cell)).slice(0, mostLinks);
  for (const text of [...beside.map((position) => textOfCell(cells, position)), ...links]) {
    if (text === '' || text === id || text.length > longestTitle) continue;
    const title = foldName(text);
    const known: Map<string, string> = titles.get(title) ?? new Map();
    if (known.size === 0) titles.set(detached(title), known);
    if (known.size < mostIds && !known.has(id)) known.set(detached(id), sheet);
  }
}
