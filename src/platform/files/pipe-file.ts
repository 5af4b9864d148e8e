/** Pipes a file to a reader who may have left. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Pipes an open file, and closes it in any case: `pipeline` by itself leaves it open if the target has ended before.
 * @param options.end whether to end the target.
 * @throws errors of both streams.
 */
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
