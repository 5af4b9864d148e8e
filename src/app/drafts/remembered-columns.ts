/**
 * Remembers how sheets were read: what each header means, by the set of headers and by header; in which line the headers of a set are, if
 * that was said; and the zone that each person chose for a set. The next sheet with the same headers is read in the same way.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readStored } from '../../ledger/stored-json.ts';
import { columns as catalogue, foldHeader } from '../../manifest/columns.ts';
import { captionMark, noteMark } from '../../manifest/headers/column-map.ts';
import { findDoubtful } from '../../manifest/headers/doubtful.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import { writeAtomically } from '../../platform/files/write-file.ts';
import { type OpenSheet, openSheet } from '../../sheets/open-sheet.ts';
import { findPostSheet } from '../../sheets/other-worksheets.ts';
import { fileSource, UnreadableSheetError } from '../../sheets/sheet.ts';
import type { DataFolder } from '../campaigns/import/aliases.ts';
import { type DraftReading, onDisk, sheetsOf } from './draft.ts';
import { oneAtATime } from './exclusive.ts';

/** Most entries of each kind to remember; the oldest are dropped. */
const most = 500;
const mostHeaders = 5000;
/** How often a sheet is opened to find headers in a line that a person named. */
const mostReadings = 3;
const longestHeader = 200;
const maxBytes = 8 * 1024 * 1024;

const storeSchema = z.strictObject({
  /** Columns by header, of a set of headers; and their line, if a person named it. */
  sets: z.array(
    z.strictObject({
      headers: z.string(),
      map: z.record(z.string(), z.string()),
      headerLine: z.int().min(1).optional(),
    }),
  ),
  /** The last choice for each folded header, in whatever sheet. */
  columns: z.array(z.strictObject({ header: z.string(), column: z.string() })),
  zones: z.array(z.strictObject({ headers: z.string(), user: z.string(), timezone: z.string() })),
});
type Store = z.infer<typeof storeSchema>;

/** What is remembered: columns by header, the line of the headers, and the zone. And which worksheet is that of the posts. */
export type RememberedReading = Pick<DraftReading, 'map' | 'headerLine' | 'timezone' | 'sheet'>;

/** @param headers in any order. @param user who chose it. @throws {UseCaseError} `draft_not_stored`. */
export async function rememberReading(
  runtime: DataFolder,
  headers: readonly string[],
  user: string,
  { map, headerLine, timezone }: RememberedReading,
): Promise<void> {
  if (map === undefined && timezone === undefined) return;
  await oneAtATime('remembered columns', async () => {
    const set = nameOf(headers);
    const { sets, columns, zones } = await read(runtime);
    const chosen = Object.entries(map ?? {})
      .map(([header, column]) => ({ header: foldHeader(header), column }))
      .filter(({ header }) => header.length <= longestHeader);
    const folded = new Set(chosen.map(({ header }) => header));
    const next: Store = {
      sets:
        map === undefined
          ? sets
          : [
              ...sets.filter((each) => each.headers !== set),
              { headers: set, map, ...(headerLine !== undefined && { headerLine }) },
            ].slice(-most),
      columns: [...columns.filter(({ header }) => !folded.has(header)), ...chosen].slice(-mostHeaders),
      zones:
        timezone === undefined
          ? zones
          : [
              ...zones.filter((each) => each.headers !== set || each.user !== user),
              { headers: set, user, timezone },
            ].slice(-most),
    };
    await onDisk(() => writeAtomically(fileOf(runtime), [JSON.stringify(next)]));
  });
}

/**
 * By its set of headers, else by header.
 * @param user whose zone it is.
 * @param layout how the file is read, if a person has chosen that: its headers are in no other line then.
 * @returns nothing for unreadable headers.
 */
export async function rememberedReadingOf(
  runtime: DataFolder,
  path: string,
  user: string,
  layout?: DraftReading,
): Promise<RememberedReading> {
  const { sets, columns, zones } = await read(runtime);
  const found =
    layout === undefined ? await findPostSheet(fileSource(path)).catch(() => undefined) : undefined;
  const chosen = found === undefined ? {} : { sheet: found };
  if (sets.length + zones.length === 0) return chosen;
  const given = layout ?? (found === undefined ? undefined : chosen);
  const headers = given === undefined ? await findHeaders(path, sets) : await openHeaders(path, given);
  if (headers === undefined) return chosen;
  const { set, sheet, namedLine: headerLine } = headers;
  const map = sets.find((each) => each.headers === set)?.map ?? byHeader(sheet, columns);
  const timezone = zones.find((each) => each.headers === set && each.user === user)?.timezone;
  return {
    ...chosen,
    ...(map !== undefined && { map }),
    ...(headerLine !== undefined && { headerLine }),
    ...(timezone !== undefined && { timezone }),
  };
}

interface OpenHeaders {
  /** Closed: only what was read of it. */
  readonly sheet: OpenSheet;
  /** Name of the set of headers. */
  readonly set: string;
  /** Undefined if the line was found. */
  readonly namedLine: number | undefined;
}

/** The headers where they are found; else a known set, in the line that a person named for it. @returns undefined for unreadable ones. */
async function findHeaders(path: string, sets: Store['sets']): Promise<OpenHeaders | undefined> {
  const found = await openHeaders(path, {});
  const isKnown = sets.some(({ headers }) => headers === found?.set);
  return isKnown ? found : ((await findNamedLine(path, sets)) ?? found);
}

/** One reading shows all lines from the first one on, as far as they are no wider than that. */
async function findNamedLine(path: string, sets: Store['sets']): Promise<OpenHeaders | undefined> {
  const named = new Map(sets.map(({ headers, headerLine }) => [headers, headerLine]));
  const lines = new Set([...named.values()].filter((line) => line !== undefined));
  for (const headerLine of [...lines].sort((one, other) => one - other).slice(0, mostReadings)) {
    const read = await openHeaders(path, { headerLine });
    const rows = read === undefined ? [] : [read.sheet.header, ...read.sheet.first];
    const line = rows.find((row) => named.get(setOf(row.cells)) === row.line)?.line;
    if (line !== undefined) return line === headerLine ? read : openHeaders(path, { headerLine: line });
  }
  return undefined;
}

async function openHeaders(path: string, layout: DraftReading): Promise<OpenHeaders | undefined> {
  const { delimiter, encoding, headerLine } = layout;
  try {
    const sheet = await openSheet(fileSource(path), {
      delimiter,
      encoding,
      headerLine,
      sheets: sheetsOf(layout),
    });
    await sheet.close();
    return { sheet, set: setOf(sheet.header.cells), namedLine: headerLine };
  } catch (error) {
    if (error instanceof UnreadableSheetError) return undefined;
    throw error;
  }
}

function setOf(cells: readonly string[]): string {
  return nameOf(cells.map((cell) => cell.trim()));
}

/** Columns of the headers that are unknown or doubtful, each only if no other header of the sheet is the column. */
function byHeader({ header, first }: OpenSheet, remembered: Store['columns']): RememberedReading['map'] {
  const doubtful = findDoubtful(
    header.cells,
    first.map(({ cells }) => cells),
  );
  const { names, indexes, problems } = matchHeader(header.cells, { rejectUnknown: true, doubtful });
  const taken = new Set<string>(catalogue.map(({ name }) => name).filter((name) => indexes[name] >= 0));
  const known = new Map(remembered.map(({ header: title, column }) => [title, column]));
  const map: Record<string, string> = {};
  for (const { index = -1, code } of problems) {
    const title = names[index] ?? '';
    const column = known.get(foldHeader(title));
    const isOpen = code === 'unknown_column' || code === 'doubtful_column';
    if (!isOpen || column === undefined || taken.has(column)) continue;
    // Several columns may be notes, or parts of the caption.
    if (column !== noteMark && column !== captionMark) taken.add(column);
    map[title] = column;
  }
  return Object.keys(map).length === 0 ? undefined : map;
}

/** Reads the store. A store that cannot be read counts as empty, because people can choose again. */
async function read(runtime: DataFolder): Promise<Store> {
  const text = await readFile(fileOf(runtime), 'utf8').catch(() => '');
  const found = text.length > maxBytes ? undefined : readStored(storeSchema, text);
  return found ?? { sets: [], columns: [], zones: [] };
}

function fileOf({ environment }: DataFolder): string {
  return join(environment.dataDir, 'columns.json');
}

/** Identifies a set of headers, whatever their order and spelling. */
function nameOf(headers: readonly string[]): string {
  const folded = headers.map(foldHeader).sort();
  return createHash('sha256').update(JSON.stringify(folded)).digest('hex');
}
