/** Opens a manifest: finds what it is by its bytes, not by its name, and reads its header. */
import { createHash, type Hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type HeaderOptions, isListHeader } from '../manifest/header.ts';
import { findCoverFault } from './cover-sheet.ts';
import { findSeparatorHint } from './csv/delimiter.ts';
import { readCsv } from './csv/read-csv.ts';
import { findFormat, isWorkbook, refuseForeignFormats } from './format.ts';
import { openJson } from './json/read-json.ts';
import {
  type SheetFormat,
  type SheetHeader,
  type SheetOptions,
  type SheetRow,
  UnreadableSheetError,
  unreadable,
} from './sheet.ts';
import type { ManifestSource } from './source.ts';
import { findEncoding } from './text/find-encoding.ts';
import { otherSheetThanFirst, readXlsx } from './xlsx/read-xlsx.ts';

/** A manifest that is open: its header is read, its rows follow. */
export interface OpenSheet {
  /** What it was taken for. */
  readonly format: SheetFormat;
  /** What the file itself calls the campaign. */
  readonly name?: string | undefined;
  readonly header: SheetHeader;
  /** What the names of the header are called in problems. */
  readonly called: HeaderOptions['called'];
  /** In batches of the size that they happen to arrive in; to be read once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** As `digestOf`; to be asked for once all rows are read. */
  digest(): string;
  /** Closes the file of a sheet whose rows are not read. */
  close(): Promise<void>;
}

/** Enough of the file to tell its format and its separator from. */
const headBytes = 64 * 1024;

/**
 * Opens a manifest and reads its header.
 * @throws {UnreadableSheetError} where the bytes are in no format that can be read, or are none at all.
 */
export async function openSheet(source: ManifestSource, options: SheetOptions = {}): Promise<OpenSheet> {
  const head = await readHead(source);
  if (source.path !== undefined && isWorkbook(head)) return openWorkbook(source, source.path, options);
  if (options.sheet !== undefined) {
    throw unreadable(1, 'no_sheets', 'only an Excel workbook has sheets', 'Leave --sheet away.');
  }
  refuseForeignFormats(head);
  const { delimiter, encoding = await findEncoding(source, head) } = options;
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  const format = findFormat(text, { encoding, delimiter });
  if (format.kind !== 'csv') return openJsonSheet(source, format, options);
  return openCsvSheet(source, { ...format, hasHint: findSeparatorHint(text) !== undefined });
}

/**
 * What tells one manifest from another: the SHA-256 of the bytes in lowercase hex, and where a sheet of a workbook is meant that is
 * not read by itself, of its name as well.
 * @throws the error of the file system where the file cannot be read, and {UnreadableSheetError} for a sheet that is not there.
 */
export async function digestOf(source: ManifestSource, { sheet }: SheetOptions = {}): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of source.bytes()) hash.update(bytes);
  const { path } = source;
  if (path !== undefined && sheet !== undefined && isWorkbook(await readHead(source))) {
    const other = await otherSheetThanFirst(path, sheet);
    if (other !== undefined) hash.update(`\0${other.name}`);
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
  // A line that names the separator is no row.
  const opened = await openRows(readCsv(hashed(source, hash), format), hasHint ? 1 : 0);
  return { format, called: 'header', ...opened, digest: () => hash.digest('hex') };
}

/** Takes the header off, and what stands before it. */
async function openRows(
  batches: AsyncIterable<readonly SheetRow[]>,
  rowsBefore = 0,
): Promise<Pick<OpenSheet, 'header' | 'rows' | 'close'>> {
  const rows = fromHeader(batches, rowsBefore);
  const first = await rows.next();
  if (first.done) {
    const cure = 'Give a CSV, JSON or XLSX file with a row for each post.';
    throw unreadable(1, 'empty_file', 'the file is empty', cure);
  }
  const [header, ...others] = first.value;
  return {
    header: header as SheetRow,
    rows: prepend(others, rows),
    // Rows that nobody has begun to read do not end what they are made of.
    close: async () => void (await rows.return(undefined)),
  };
}

async function openJsonSheet(
  source: ManifestSource,
  { kind, encoding }: SheetFormat & { readonly kind: 'json' | 'jsonl' },
  { map }: SheetOptions,
): Promise<OpenSheet> {
  const hash = createHash('sha256');
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

/** As many as rows may have different keys, and more. */
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

/** The bytes, each of them hashed as it goes by. */
async function* hashed(source: ManifestSource, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of source.bytes()) {
    hash.update(piece);
    yield piece;
  }
}

/** Without the rows before the header, and without empty batches, so that the first begins with the header. */
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
