/** Writes a stream into a new file, which nobody else may read. */
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * Settles once the file is closed: a stream that fails at its start fails before its file is opened, and the file would come after whoever
 * cleans up.
 * @param highWaterMark bytes that are written at once.
 * @throws what `write` throws; errors of the file system, also for a file that is there.
 */
export async function writeNewFile(
  path: string,
  write: (file: Writable) => Promise<void>,
  { highWaterMark }: { readonly highWaterMark?: number } = {},
): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, ...(highWaterMark && { highWaterMark }) });
  const closed = new Promise<void>((resolve) => void file.once('close', resolve));
  try {
    await write(file);
  } finally {
    await closed;
  }
}
