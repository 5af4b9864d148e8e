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
import { findHeaderRow, readAhead } from './header-line.ts';
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

/** An open manifest: its header is read, its rows are not. */
export interface OpenSheet {
  /** The detected format. */
  readonly format: SheetFormat;
  /** Name of the campaign in the file. */
  readonly name?: string | undefined;
  readonly header: SheetHeader;
  /** Its line; `null` for JSON. */
  readonly headerLine: number | null;
  /** The word that problems use for a name in the header. */
  readonly called: HeaderOptions['called'];
  /** The first rows below the header; none in JSON. */
  readonly first: readonly SheetRow[];
  /** In batches of any size, the first ones too. Can be read once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** Same as `digestOf`. Valid once all rows are read. */
  digest(): string;
  /** Closes the file if the rows are not read. */
  close(): Promise<void>;
}

/** Most sheets are no workbooks, and need nothing of this. */
const workbooks = () => import('./xlsx/read-xlsx.ts');

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
  const hasHint = findSeparatorHint(text) !== undefined;
  if (format.kind === 'csv') return openCsvSheet(source, { ...format, hasHint }, options);
  if (options.headerLine === undefined) return openJsonSheet(source, format, options);
  throw unreadable(1, 'no_header_line', 'JSON has no line of headers', 'Omit the line of the headers.');
}

/**
 * Identifies a manifest: the SHA-256 of its bytes in lowercase hex. Includes the name of the sheet if it is not the default one.
 * @throws {UnreadableSheetError} for a sheet that does not exist; a file system error if the file cannot be read.
 */
export async function digestOf(source: ManifestSource, { sheet }: SheetOptions = {}): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of source.bytes({ passing: true })) hash.update(bytes);
  const { path } = source;
  if (path !== undefined && sheet !== undefined && isWorkbook(await readHead(source))) {
    const { otherSheetThanFirst } = await workbooks();
    const chosen = await otherSheetThanFirst(path, sheet);
    if (chosen !== undefined) hash.update(`\0${chosen.name}`);
  }
  return hash.digest('hex');
}

async function openWorkbook(source: ManifestSource, path: string, options: SheetOptions): Promise<OpenSheet> {
  const digest = await digestOf(source, options);
  const { readXlsx } = await workbooks();
  const opened = await openRows(readXlsx(path, options), options).catch(async (error: unknown) => {
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
  options: SheetOptions,
): Promise<OpenSheet> {
  const hash = createHash('sha256');
  // A line that names the separator is not a row.
  const opened = await openRows(
    readCsv(hashed(source.bytes({ passing: true }), hash), format),
    options,
    hasHint ? 1 : 0,
  );
  return { format, called: 'header', ...opened, digest: () => hash.digest('hex') };
}

/** Separates the header from the rows, and drops the rows above it. @param rowsBefore rows that are none. */
async function openRows(
  batches: AsyncIterable<readonly SheetRow[]>,
  options: SheetOptions,
  rowsBefore = 0,
): Promise<Pick<OpenSheet, 'header' | 'headerLine' | 'first' | 'rows' | 'close'>> {
  const { headerLine } = options;
  const { first, rows, close } = await readAhead(below(batches, rowsBefore, headerLine));
  const header = headerLine === undefined ? findHeaderRow(first, options) : first[0];
  if (header === undefined) {
    // Tells why, if the sheet cannot be read.
    for await (const _ of rows);
    if (headerLine !== undefined) throw noHeaderAt(headerLine);
    const cure = 'Use a CSV, JSON or XLSX file with a row for each post.';
    throw unreadable(1, 'empty_file', 'the file is empty', cure);
  }
  if (headerLine !== undefined && header.line !== headerLine) {
    await close();
    throw noHeaderAt(headerLine);
  }
  const above = first.indexOf(header) + 1;
  return { header, headerLine: header.line, first: first.slice(above), rows: below(rows, above), close };
}

function noHeaderAt(line: number): UnreadableSheetError {
  return unreadable(
    line,
    'no_header_line',
    `line ${line} has no headers: it is blank, or not the first line of a row`,
    'Name the line of the headers, as the file counts it.',
  );
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
    headerLine: null,
    called: 'key',
    first: [],
    rows: rows(hashed(source.bytes(), hash)),
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
async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}

/** Drops rows from the start, and those above a line. */
async function* below(
  batches: AsyncIterable<readonly SheetRow[]>,
  rowsBefore: number,
  firstLine = 1,
): AsyncGenerator<readonly SheetRow[]> {
  let left = rowsBefore;
  for await (const batch of batches) {
    const rows = left > 0 ? batch.slice(left) : batch;
    left = Math.max(0, left - batch.length);
    yield (rows[0]?.line ?? firstLine) < firstLine ? rows.filter(({ line }) => line >= firstLine) : rows;
  }
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
  const { findSheet } = await workbooks();
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
    `the first sheet, "${showValue(names[0] ?? '')}", does not look like a sheet of posts; "${meant}" looks like one`,
    [`The workbook has ${names.length} visible sheets.`, hint('chooseSheet', { sheet: meant })],
  );
}

/** Counts the required columns that the header lacks. */
export function lackedColumns(header: readonly string[], { map }: SheetOptions): number {
  const { problems } = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true, map });
  return problems.filter(({ code }) => code === 'missing_column').length;
}
