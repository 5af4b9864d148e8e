/** Opens a manifest: detects its format by its bytes, not by its name, and reads its header. */
import { createHash, type Hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type HeaderOptions, isListHeader } from '../manifest/headers/header.ts';
import { mostColumns } from '../manifest/sheet-bounds.ts';
import { tooManyColumns } from './bounds-check.ts';
import { findSeparatorHint } from './csv/delimiter.ts';
import { readCsv } from './csv/read-csv.ts';
import { findFormat, isWorkbook, readHead, refuseForeignFormats } from './format.ts';
import { findHeaderRow, readAhead } from './header-line.ts';
import { joinWorksheets, type TableRows } from './join-worksheets.ts';
import { openJson } from './json/read-json.ts';
import {
  type AlikeSheet,
  alikeSheets,
  findCoverFault,
  mostSheetsLookedAt,
  type ProductSheet,
  productSheets,
  workbooks,
} from './other-worksheets.ts';
import {
  type ManifestSource,
  type SheetFormat,
  type SheetOptions,
  type SheetRow,
  UnreadableSheetError,
  unreadable,
} from './sheet.ts';
import { findEncoding } from './text/find-encoding.ts';

/** An open manifest: its header is read, its rows are not. */
export interface OpenSheet extends TableRows {
  readonly format: SheetFormat;
  readonly name?: string | undefined;
  /** Names of the worksheets that are read; none but of a workbook. */
  readonly worksheets: readonly string[];
  /** The other visible sheets of the workbook that have the same headers, or those of posts. */
  readonly alike: readonly AlikeSheet[];
  /** Other visible sheets of the workbook with product ids. */
  readonly ofProducts?: readonly ProductSheet[];
  /** The word that problems use for a name in the header. */
  readonly called: HeaderOptions['called'];
  /** Same as `digestOf`. Valid once all rows are read. */
  digest(): string;
}

/** @throws {UnreadableSheetError} if the file is empty, its format is not supported, or it has too many columns. */
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
  if (options.sheets !== undefined) {
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

/** SHA-256 in lowercase hex, with the names of the sheets unless only the default. @throws {UnreadableSheetError}; file system errors. */
export async function digestOf(source: ManifestSource, { sheets }: SheetOptions = {}): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of source.bytes()) hash.update(bytes);
  const { path } = source;
  if (path !== undefined && sheets !== undefined && isWorkbook(await readHead(source))) {
    const { surveyWorkbook } = await workbooks();
    const { names, isFirst } = await surveyWorkbook(path, sheets, 0);
    if (!isFirst) for (const name of names) hash.update(`\0${name}`);
  }
  return hash.digest('hex');
}

async function openWorkbook(source: ManifestSource, path: string, options: SheetOptions): Promise<OpenSheet> {
  const digest = await digestOf(source, options);
  const { readXlsx, surveyWorkbook } = await workbooks();
  const survey = await surveyWorkbook(path, options.sheets, mostSheetsLookedAt);
  const { names, isFirst, others } = survey;
  const open = async (name: string): Promise<TableRows> => {
    let above: readonly SheetRow[] = [];
    const onAbove = (rows: readonly SheetRow[]) => {
      above = rows;
    };
    const sheet = isFirst ? undefined : name;
    const rows = await openRows(readXlsx(path, { ...options, sheet, onAbove }), options);
    return { ...rows, above };
  };
  const coverFault = (header: readonly string[]) => findCoverFault(source, survey.visible, header, options);
  const opened = await joinWorksheets(names, open).catch(async (error: unknown) => {
    const isEmpty = error instanceof UnreadableSheetError && error.problem.code === 'empty_file';
    throw (isEmpty ? await coverFault([]) : undefined) ?? error;
  });
  const cover = await coverFault(opened.header.cells);
  if (cover !== undefined) {
    await opened.close();
    throw cover;
  }
  return {
    format: { kind: 'xlsx' },
    worksheets: names,
    alike: alikeSheets(others, opened.header.cells, options),
    ofProducts: productSheets(others),
    called: 'header',
    ...opened,
    digest: () => digest,
  };
}

async function openCsvSheet(
  source: ManifestSource,
  { hasHint, ...format }: SheetFormat & { readonly kind: 'csv'; readonly hasHint: boolean },
  options: SheetOptions,
): Promise<OpenSheet> {
  const hash = createHash('sha256');
  // A line that names the separator is not a row.
  const opened = await openRows(readCsv(hashed(source.bytes(), hash), format), options, hasHint ? 1 : 0);
  return { format, worksheets: [], alike: [], called: 'header', ...opened, digest: () => hash.digest('hex') };
}

/** Separates the header from the rows, and drops the rows above it. @param rowsBefore rows that are none. */
async function openRows(
  batches: AsyncIterable<readonly SheetRow[]>,
  options: SheetOptions,
  rowsBefore = 0,
): Promise<TableRows> {
  const { headerLine } = options;
  const { first, rows, close } = await readAhead(below(batches, rowsBefore, headerLine));
  const header = headerLine === undefined ? findHeaderRow(first, options) : first[0];
  if (header === undefined) {
    // Tells why, if the sheet cannot be read.
    for await (const _ of rows);
    if (headerLine !== undefined) throw noHeaderAt(headerLine);
    const fix = 'Use a CSV, JSON or XLSX file with a row for each post.';
    throw unreadable(1, 'empty_file', 'the file is empty', fix);
  }
  if (headerLine !== undefined && header.line !== headerLine) {
    await close();
    throw noHeaderAt(headerLine);
  }
  const at = first.indexOf(header);
  const [above, next] = [first.slice(0, at), first.slice(at + 1)];
  return { header, headerLine: header.line, above, first: next, rows: below(rows, at + 1), close };
}

function noHeaderAt(line: number): UnreadableSheetError {
  return unreadable(
    line,
    'no_header_line',
    `line ${line} has no headers: it is blank, or not the first line of a row`,
    'Give the line number of the header row in the file.',
  );
}

async function openJsonSheet(
  source: ManifestSource,
  { kind, encoding }: SheetFormat & { readonly kind: 'json' | 'jsonl' },
  { map }: SheetOptions,
): Promise<OpenSheet> {
  // Of the last reading: JSON Lines are read twice.
  let hash = createHash('sha256');
  const read = () => {
    hash = createHash('sha256');
    return hashed(source.bytes(), hash);
  };
  const memoMethod = (name: string) => isListHeader(name, map);
  const lists = new LRUCache<string, boolean>({ max: maxNamesKept, memoMethod });
  const isList = (name: string) => lists.memo(name);
  const { header, name, rows } = await openJson(read, { kind, encoding, isList });
  return {
    format: { kind, encoding },
    name,
    header,
    headerLine: null,
    worksheets: [],
    alike: [],
    called: 'key',
    above: [],
    first: [],
    rows,
    digest: () => hash.digest('hex'),
    close: async () => undefined,
  };
}

/** More than the number of different keys that rows may have. */
const maxNamesKept = 2000;

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
