/** Where the bytes of a manifest come from, and how they are opened: the format is told by the bytes, not by the name. */
import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { readCsv } from './csv.ts';
import { refuseOtherFormats } from './format.ts';
import { type SheetReader, type SheetRow, unreadable } from './sheet.ts';

export interface ManifestSource {
  /** What messages call it, and what names of files are made of. */
  readonly name: string;
  /** The pieces of the file; each may be overwritten once the piece after it has been dealt with. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** A manifest that is open: its header is read, its rows follow. */
export interface OpenSheet {
  readonly header: SheetRow;
  /** In batches of the size that they happen to arrive in; to be read once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** SHA-256 of the bytes in lowercase hex; to be asked for once all rows are read. */
  digest(): string;
}

/** The one format that is read so far; `refuseOtherFormats` tells the others by name. */
const readRows: SheetReader = readCsv;

/** Enough of the file to tell its format and its separator from. */
const headBytes = 64 * 1024;

const pieceBytes = 64 * 1024;

export function fileSource(path: string): ManifestSource {
  return { name: path, bytes: () => readPieces(path) };
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
 * Opens a manifest and reads its header.
 * @throws {UnreadableSheetError} where the bytes are no CSV in UTF-8, or are none at all.
 */
export async function openSheet(source: ManifestSource): Promise<OpenSheet> {
  const hash = createHash('sha256');
  const rows = flatten(readRows(guardFormat(gatherHead(hashed(source.bytes(), hash)))));
  const first = await rows.next();
  if (first.done)
    throw unreadable(1, 'empty_file', 'the file is empty', 'Give a CSV file with a header and rows.');
  const [header, ...others] = first.value;
  return {
    header: header as SheetRow,
    rows: prepend(others, rows),
    digest: () => hash.digest('hex'),
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
