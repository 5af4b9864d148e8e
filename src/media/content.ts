/** Reads the bytes of an open file: small files once into memory, others as often as needed. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ContentHash } from './hash.ts';

/** Smaller files are read once, hashed and sent from memory. */
export const heldBytes = 1024 * 1024;
const chunkSize = 256 * 1024;

/** Called before the last chunk is delivered. Throws if the file has changed. */
export type CheckUnchanged = () => Promise<void>;

/** Reads `size` bytes from the start; fewer only if the file is shorter. */
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
