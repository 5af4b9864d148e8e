/** The bytes of an open file: held, when they are few, else read as often as they are needed. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ContentHash } from './hash.ts';

/** Files below this size are read once, hashed and sent from memory. */
export const heldBytes = 1024 * 1024;
const chunkSize = 256 * 1024;

/** Called before the last bytes are handed out: throws when the file is not what it was. */
export type CheckUnchanged = () => Promise<void>;

/** Reads exactly `size` bytes from the start; fewer only where the file is shorter. */
export async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let read = 0;
  while (read < size) {
    const { bytesRead } = await handle.read(bytes, read, size - read, read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

/** The hash of the first `size` bytes. */
export async function hashFile(handle: FileHandle, size: number): Promise<string> {
  const hash = new ContentHash();
  for await (const chunk of readChunks(handle, size)) hash.update(chunk);
  return hash.digest();
}

/** A stream of the first `size` bytes. The handle stays open, and may serve several streams. */
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
  // A buffer of its own: the one before may still wait in the socket.
  const buffer = Buffer.allocUnsafeSlow(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}
