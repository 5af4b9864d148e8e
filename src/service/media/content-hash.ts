/** Reads, hashes and samples the bytes of files. */
import { createHash, hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** Bytes converted to hex at once. Measured: with pieces of four times the size, hashing takes twice as long. */
const pieceSize = 16 * 1024;

export class ContentHash {
  readonly #hash = createHash('sha256');

  update(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; start += pieceSize) {
      // Hex digits are ASCII, so latin1 gives the same bytes as UTF-8, but faster.
      this.#hash.update(bytes.toString('hex', start, Math.min(start + pieceSize, bytes.length)), 'latin1');
    }
  }

  /** 64 lowercase hexadecimal digits. Can be called once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

export function hashBytes(bytes: Buffer): string {
  if (bytes.length <= pieceSize) return hash('sha256', bytes.toString('hex'), 'hex');
  const content = new ContentHash();
  content.update(bytes);
  return content.digest();
}

/** Smaller files are read once, hashed and sent from memory. */
export const heldBytes = 1024 * 1024;
const chunkSize = 256 * 1024;

/** Bytes of each part of a sample: beginning, middle and end. Encoders change all of them with every frame that changes. */
const pieceBytes = 16 * 1024;

export const headBytes = pieceBytes * 3;

/** Called before the last chunk is delivered. Throws if the file has changed. */
export type CheckUnchanged = () => Promise<void>;

/** A file, or a part of one, of which pieces are read. */
export interface PieceReader {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

/** The first bytes of a file from memory, the others from its handle: each read of a file takes a thread's time. */
export class ReadAhead implements PieceReader {
  readonly #head: Buffer;
  readonly #handle: PieceReader | undefined;

  /** @param handle for what follows; undefined if the file is all in the head. */
  constructor(head: Buffer, handle?: PieceReader) {
    this.#head = head;
    this.#handle = handle;
  }

  static async of(handle: PieceReader, size: number): Promise<ReadAhead> {
    return new ReadAhead(await readAll(handle, Math.min(size, headBytes)), handle);
  }

  async read(buffer: Buffer, offset: number, length: number, position: number) {
    if (this.#handle !== undefined && position + length > this.#head.length) {
      return this.#handle.read(buffer, offset, length, position);
    }
    return { bytesRead: this.#head.copy(buffer, offset, position, position + length) };
  }
}

/** Reads `size` bytes from `start` on; fewer only if the file is shorter. */
export async function readAll(handle: PieceReader, size: number, start = 0): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let read = 0;
  while (read < size) {
    const { bytesRead } = await handle.read(bytes, read, size - read, start + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

/** Hashes the first `size` bytes. */
export async function hashFile(handle: FileHandle, size: number): Promise<string> {
  const hash = new ContentHash();
  for await (const chunk of readChunks(handle, size)) hash.update(chunk);
  return hash.digest();
}

/** Streams the first `size` bytes. The handle stays open and may serve several streams. */
export function streamFile(handle: FileHandle, size: number, check?: CheckUnchanged): Readable {
  return Readable.from(readChunks(handle, size, check), { objectMode: false, highWaterMark: chunkSize });
}

async function* readChunks(handle: FileHandle, size: number, check?: CheckUnchanged): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const chunk = await readChunk(handle, at, Math.min(chunkSize, size - at));
    at += chunk.length;
    if (chunk.length === 0 || at >= size) await check?.();
    if (chunk.length === 0) return;
    yield chunk;
  }
}

async function readChunk(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  // A new buffer for each chunk, because the socket may still hold the last one.
  const buffer = Buffer.allocUnsafeSlow(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}

const digits = 22;

/** Two files of one size may share it: too little to send one for the other, but enough to ask a person. */
export async function sampleFile(handle: PieceReader, size: number): Promise<string> {
  const hash = createHash('sha256').update(`${size} `);
  const last = Math.max(0, size - pieceBytes);
  const starts = size <= headBytes ? [0, pieceBytes, pieceBytes * 2] : [0, Math.floor(last / 2), last];
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (const start of starts) {
    if (start >= size) break;
    const { bytesRead } = await handle.read(buffer, 0, Math.min(pieceBytes, size - start), start);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest('base64url').slice(0, digits);
}
