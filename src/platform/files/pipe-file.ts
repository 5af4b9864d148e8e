/** Pipes a file to a reader who may have left. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Closes it in any case: `pipeline` by itself leaves it open if the target has ended before. @throws errors of both streams. */
export async function pipeFile(
  file: Readable,
  to: Writable,
  options: { readonly end?: boolean } = {},
): Promise<void> {
  try {
    await pipeline(file, to, options);
  } finally {
    file.destroy();
  }
}
