/** Where the bytes of a manifest come from, and how they are opened: the format is told by the bytes, not by the name. */
import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { readCsv } from './csv.ts';
import { refuseOtherFormats } from './format.ts';
import { type SheetReader, type SheetRow, unreadable } from './sheet.ts';
import { beginsAsWorkbook, otherSheetThanFirst, readXlsx, type XlsxOptions } from './xlsx/read-xlsx.ts';

export interface ManifestSource {
  /** What messages call it, and what names of files are made of. */
  readonly name: string;
  /** The file, where it is one: a workbook is not read from its beginning to its end. */
  readonly path?: string;
  /** The pieces of the file; each may be overwritten once the piece after it has been dealt with. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** A manifest that is open: its header is read, its rows follow. */
export interface OpenSheet {
  readonly header: SheetRow;
  /** In batches of the size that they happen to arrive in; to be read once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** As `digestOf`; to be asked for once all rows are read. */
  digest(): string;
}

/** The one format of text that is read so far; `refuseOtherFormats` tells the others by name. */
const readRows: SheetReader = readCsv;

/** Enough of the file to tell its format and its separator from. */
const headBytes = 64 * 1024;

const pieceBytes = 64 * 1024;

export function fileSource(path: string): ManifestSource {
  return { name: path, path, bytes: () => readPieces(path) };
}

/** Three buffers take turns, one of them being filled ahead: a stream would make a new one for every piece. */
async function* readPieces(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path);
  const buffers = Array.from({ length: 3 }, () => Buffer.allocUnsafeSlow(pieceBytes));
  const read = (turn: number) => file.read(buffers[turn % 3] as Buffer, 0, pieceBytes, null);
  let next = read(0);
  for (let turn = 1; ; turn += 1) {
    const { bytesRead, buffer } = await next;
    if (bytesRead === 0) return;
    next = read(turn);
    // Whether it fails is looked at in its turn, if that ever comes.
    next.catch(() => undefined);
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * What tells one manifest from another: the SHA-256 of the bytes in lowercase hex, and where a sheet of a workbook is meant that is
 * not read by itself, of its name as well.
 * @throws the error of the file system where the file cannot be read.
 */
export async function digestOf(source: ManifestSource, options: XlsxOptions = {}): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of source.bytes()) hash.update(bytes);
  const { path } = source;
  if (path !== undefined && options.sheet !== undefined && (await beginsAsWorkbook(path))) {
    const other = await otherSheetThanFirst(path, options.sheet);
    if (other !== undefined) hash.update(`\0${other.name}`);
  }
  return hash.digest('hex');
}

/**
 * Opens a manifest and reads its header.
 * @throws {UnreadableSheetError} where the bytes are neither a workbook nor CSV in UTF-8, or are none at all.
 */
export async function openSheet(source: ManifestSource, options: XlsxOptions = {}): Promise<OpenSheet> {
  const { path } = source;
  if (path !== undefined && (await beginsAsWorkbook(path))) {
    const digest = await digestOf(source, options);
    return openRows(readXlsx(path, options), () => digest);
  }
  if (options.sheet !== undefined) {
    throw unreadable(1, 'no_sheets', 'only an Excel workbook has sheets', 'Leave --sheet away.');
  }
  const hash = createHash('sha256');
  const rows = readRows(guardFormat(gatherHead(hashed(source.bytes(), hash))));
  return openRows(rows, () => hash.digest('hex'));
}

async function openRows(
  batches: AsyncIterable<readonly SheetRow[]>,
  digest: OpenSheet['digest'],
): Promise<OpenSheet> {
  const rows = flatten(batches);
  const first = await rows.next();
  if (first.done) {
    throw unreadable(1, 'empty_file', 'the file is empty', 'Give a file with a header and rows.');
  }
  const [header, ...others] = first.value;
  return {
    header: header as SheetRow,
    rows: prepend(others, rows),
    digest,
  };
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}

/** The same bytes, the first of them in one piece. */
async function* gatherHead(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < headBytes) continue;
    yield head;
    head = null;
  }
  if (head !== null && head.length > 0) yield head;
}

async function* guardFormat(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of bytes) {
    if (first) refuseOtherFormats(chunk);
    first = false;
    yield chunk;
  }
}

/** Without empty batches, so that the first holds the header. */
async function* flatten(
  batches: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[], undefined> {
  for await (const batch of batches) if (batch.length > 0) yield batch;
}

async function* prepend(
  first: readonly SheetRow[],
  rest: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[]> {
  if (first.length > 0) yield first;
  yield* rest;
}
