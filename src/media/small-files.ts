/**
 * Small files, read in place. On a local disk, the calls that opening, measuring, reading and closing a small file take cost a tenth of as
 * many trips through the thread pool. Where they turn out to be slow (a network share, a disk that sleeps), the event loop must not wait for
 * them: for a while nothing is read in place, and the caller opens the file the usual way.
 */
import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface SmallFile {
  readonly stats: BigIntStats;
  readonly bytes: Buffer;
}

const slowMs = 3;
const slowForMs = 10_000;

export class SmallFiles {
  readonly #now: () => number;
  #notBefore = 0;

  /** @param now a monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Reads a regular file below `limit` bytes.
   * @param flags as for `open`.
   * @returns undefined where it has to be opened the usual way, which also tells what is wrong with it.
   */
  read(path: string, flags: number, limit: number): SmallFile | undefined {
    const begun = this.#now();
    if (begun < this.#notBefore) return undefined;
    try {
      return readSmall(path, flags, limit);
    } catch {
      return undefined;
    } finally {
      const ended = this.#now();
      if (ended - begun > slowMs) this.#notBefore = ended + slowForMs;
    }
  }
}

function readSmall(path: string, flags: number, limit: number): SmallFile | undefined {
  const descriptor = openSync(path, flags);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile() || stats.size >= limit) return undefined;
    const bytes = Buffer.allocUnsafeSlow(Number(stats.size));
    // A file that shrinks at this moment is looked at again the usual way.
    return readSync(descriptor, bytes) === bytes.length ? { stats, bytes } : undefined;
  } finally {
    closeSync(descriptor);
  }
}
