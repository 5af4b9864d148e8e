/**
 * Digest by which a sender checks whether it may resume an upload. A file with the same name, size and modification time may
 * have other bytes, so the sender compares the bytes received with the start of its file.
 */
import { createHash } from 'node:crypto';
import type { DraftRuntime } from '../folder.ts';
import { openArrived } from './part-file.ts';
import { readFiles } from './record.ts';

/** Browsers can hash only bytes that they hold in memory. */
const pieceBytes = 16 * 1024 * 1024;
const readAtOnce = 1024 * 1024;

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
  await using handle = await openArrived(runtime, { ...file, draft });
  if (handle === undefined) return undefined;
  const digest = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(readAtOnce, bytes));
  for (let start = 0; start < bytes; start += pieceBytes) {
    const end = Math.min(start + pieceBytes, bytes);
    const piece = createHash('sha256');
    for (let at = start; at < end; ) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at), at);
      if (bytesRead === 0) return undefined;
      piece.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    digest.update(piece.digest());
  }
  return digest.digest('hex');
}
