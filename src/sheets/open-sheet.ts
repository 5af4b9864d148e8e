/** Opens a manifest: detects its format by its bytes, not by its name, and reads its header. */
import { createHash, type Hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { requiredColumns } from '../manifest/columns.ts';
import { withRemembered } from '../manifest/headers/column-map.ts';
import { type HeaderOptions, isListHeader, matchHeader } from '../manifest/headers/header.ts';
import { hint } from '../manifest/problems/hint.ts';
import { showValue } from '../manifest/problems/problem.ts';
import { mostColumns } from '../manifest/sheet-bounds.ts';
import { tooManyColumns } from './bounds.ts';
import { findSeparatorHint } from './csv/delimiter.ts';
import { readCsv } from './csv/read-csv.ts';
import { findFormat, isWorkbook, refuseForeignFormats } from './format.ts';
import { openJson } from './json/read-json.ts';
import {
  type ManifestSource,
  type SheetFormat,
  type SheetHeader,
  type SheetOptions,
  type SheetRow,
  UnreadableSheetError,
  unreadable,
} from './sheet.ts';
import { findEncoding } from './text/find-encoding.ts';
import { findSheet, otherSheetThanFirst, readXlsx } from './xlsx/read-xlsx.ts';

/** An open manifest: its header is read, its rows are not. */
export interface OpenSheet {
  /** The detected format. */
  readonly format: SheetFormat;
  /** Name of the campaign in the file. */
  readonly name?: string | undefined;
  readonly header: SheetHeader;
  /** The word that problems use for a name in the header. */
  readonly called: HeaderOptions['called'];
  /** In batches of any size. Can be read once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** Same as `digestOf`. Valid once all rows are read. */
  digest(): string;
  /** Closes the file if the rows are not read. */
  close(): Promise<void>;
}

/** Enough of the file to detect its format and its separator. */
const headBytes = 64 * 1024;

/**
 * Opens a manifest and reads its header.
 * @throws {UnreadableSheetError} if the file is empty, its format is not supported, or it has too many columns.
 */
export async function openSheet(source: ManifestSource, options: SheetOptions = {}): Promise<OpenSheet> {
  const sheet = await openAny(source, options);
  const { line, cells } = sheet.header;
  if (cells.length <= mostColumns) return sheet;
  await sheet.close();
  throw tooManyColumns(line);
}

async function openAny(source: ManifestSource, options: SheetOptions): Promise<OpenSheet> {
  const head = await readHead(source);
  if (source.path !== undefined && isWorkbook(head)) return openWorkbook(source, source.path, options);
  if (options.sheet !== undefined) {
    throw unreadable(1, 'no_sheets', 'only an Excel workbook has sheets', 'Omit the name of a sheet.');
  }
  refuseForeignFormats(head);
  const { delimiter, encoding = await findEncoding(source, head) } = options;
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  const format = findFormat(text, { encoding, delimiter });
  if (format.kind !== 'csv') return openJsonSheet(source, format, options);
  return openCsvSheet(source, { ...format, hasHint: findSeparatorHint(text) !== undefined });
}

/**
 * Identifies a manifest: the SHA-256 of its bytes in lowercase hex. Includes the name of the sheet if it is not the default one.
 * @throws {UnreadableSheetError} for a sheet that does not exist; a file system error if the file cannot be read.
 */
export async function digestOf(source: ManifestSource, { sheet }: SheetOptions = {}): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of source.bytes()) hash.update(bytes);
  const { path } = source;
  if (path !== undefined && sheet !== undefined && isWorkbook(await readHead(source))) {
    const chosen = await otherSheetThanFirst(path, sheet);
    if (chosen !== undefined) hash.update(`\0${chosen.name}`);
  }
  return hash.digest('hex');
}

async function openWorkbook(source: ManifestSource, path: string, options: SheetOptions): Promise<OpenSheet> {
  const digest = await digestOf(source, options);
  const opened = await openRows(readXlsx(path, options)).catch(async (error: unknown) => {
    const isEmpty = error instanceof UnreadableSheetError && error.problem.code === 'empty_file';
    throw (isEmpty ? await findCoverFault(path, [], options) : undefined) ?? error;
  });
  const cover = await findCoverFault(path, opened.header.cells, options);
  if (cover !== undefined) {
    await opened.close();
    throw cover;
  }
  return { format: { kind: 'xlsx' }, called: 'header', ...opened, digest: () => digest };
}

async function openCsvSheet(
  source: ManifestSource,
  { hasHint, ...format }: SheetFormat & { readonly kind: 'csv'; readonly hasHint: boolean },
): Promise<OpenSheet> {
  const hash = createHash('sha256');
  // A line that names the separator is not a row.
  const opened = await openRows(readCsv(hashed(source, hash), format), hasHint ? 1 : 0);
  return { format, called: 'header', ...opened, digest: () => hash.digest('hex') };
}

/** Separates the header from the rows, and drops the rows before it. */
async function openRows(
  batches: AsyncIterable<readonly SheetRow[]>,
  rowsBefore = 0,
): Promise<Pick<OpenSheet, 'header' | 'rows' | 'close'>> {
  const rows = fromHeader(batches, rowsBefore);
  const first = await rows.next();
  if (first.done) {
    const cure = 'Use a CSV, JSON or XLSX file with a row for each post.';
    throw unreadable(1, 'empty_file', 'the file is empty', cure);
  }
  const [header, ...others] = first.value;
  return {
    header: header as SheetRow,
    rows: prepend(others, rows),
    // `prepend` has not started yet, so ending it would not end its source.
    close: async () => void (await rows.return(undefined)),
  };
}

async function openJsonSheet(
  source: ManifestSource,
  { kind, encoding }: SheetFormat & { readonly kind: 'json' | 'jsonl' },
  { map: given, rememberedMap }: SheetOptions,
): Promise<OpenSheet> {
  const hash = createHash('sha256');
  const map = withRemembered(given, rememberedMap);
  const memoMethod = (name: string) => isListHeader(name, map);
  const lists = new LRUCache<string, boolean>({ max: maxNamesKept, memoMethod });
  const isList = (name: string) => lists.memo(name);
  const { header, name, rows } = await openJson(source.bytes(), { kind, encoding, isList });
  return {
    format: { kind, encoding },
    name,
    header,
    called: 'key',
    rows: rows(hashed(source, hash)),
    digest: () => hash.digest('hex'),
    close: async () => undefined,
  };
}

/** More than the number of different keys that rows may have. */
const maxNamesKept = 2000;

async function readHead(source: ManifestSource): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const bytes of source.bytes()) {
    pieces.push(bytes);
    length += bytes.length;
    if (length >= headBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, headBytes);
}

/** Hashes the bytes as they pass. */
async function* hashed(source: ManifestSource, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of source.bytes()) {
    hash.update(piece);
    yield piece;
  }
}

/** Drops the rows before the header and empty batches, so that the first batch begins with the header. */
async function* fromHeader(
  batches: AsyncIterable<readonly SheetRow[]>,
  rowsBefore: number,
): AsyncGenerator<readonly SheetRow[], undefined> {
  let left = rowsBefore;
  for await (const batch of batches) {
    const rows = left > 0 ? batch.slice(left) : batch;
    left = Math.max(0, left - batch.length);
    if (rows.length > 0) yield rows;
  }
}

async function* prepend(
  first: readonly SheetRow[],
  rest: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[]> {
  if (first.length > 0) yield first;
  yield* rest;
}

const mostSheetsLookedAt = 20;

/**
 * @param header of the first sheet; empty if the sheet is empty.
 * @returns an error that names the likely sheet; `undefined` if no other sheet looks like a manifest or the first one may be it.
 */
export async function findCoverFault(
  path: string,
  header: readonly string[],
  options: SheetOptions,
): Promise<UnreadableSheetError | undefined> {
  if (options.sheet !== undefined || lackedColumns(header, options) <= requiredColumns.length / 2)
    return undefined;
  const { names, found } = await findSheet(
    path,
    mostSheetsLookedAt,
    (cells) => cells.length > 0 && lackedColumns(cells, options) === 0,
  );
  if (found === undefined) return undefined;
  const meant = showValue(found);
  return unreadable(
    1,
    'cover_sheet',
    `the first sheet, "${showValue(names[0] ?? '')}", has no posts; "${meant}" looks right`,
    [`The workbook has ${names.length} visible sheets.`, hint('chooseSheet', { sheet: meant })],
  );
}

/** Counts the required columns that the header lacks. */
export function lackedColumns(header: readonly string[], { map }: SheetOptions): number {
  const { problems } = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true, map });
  return problems.filter(({ code }) => code === 'missing_column').length;
}
