/**
 * Digest by which a sender checks whether it may resume an upload. A file with the same name, size and modification time may
 * have other bytes, so the sender compares the bytes received with the start of its file.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { DraftRuntime } from '../folder.ts';
import { partPath } from './part-file.ts';
import { readFiles } from './record.ts';

/** Browsers can hash only bytes that they hold in memory. */
const pieceBytes = 16 * 1024 * 1024;

/**
 * @param bytes received so far.
 * @returns lowercase hex of SHA-256 over the SHA-256 of each 16 MiB of the first `bytes` bytes; undefined if they are not there.
 */
export async function startDigest(
  runtime: DraftRuntime,
  draft: string,
  id: string,
  bytes: number,
): Promise<string | undefined> {
  const file = (await readFiles(runtime, draft)).announced.get(id);
  if (file === undefined || bytes === 0) return undefined;
  const path = partPath(runtime, { ...file, draft });
  const digest = createHash('sha256');
  for (let start = 0; start < bytes; start += pieceBytes) {
    const end = Math.min(start + pieceBytes, bytes);
    const piece = createHash('sha256');
    let read = 0;
    const stream = createReadStream(path, { start, end: end - 1, highWaterMark: 1024 * 1024 });
    stream.on('data', (chunk) => {
      piece.update(chunk);
      read += chunk.length;
    });
    const isThere = await finished(stream).then(
      () => read === end - start,
      () => false,
    );
    if (!isThere) return undefined;
    digest.update(piece.digest());
  }
  return digest.digest('hex');
}
