/**
 * Reads small files synchronously. On a local disk this takes a tenth of the time of the same calls through the thread pool. If a read is
 * slow (a network share, a sleeping disk), synchronous reads stop for a while, so that the event loop does not wait. The caller then opens
 * files the usual way. On a busy machine single reads are slow although the disk is not: it takes several in a row, or a very slow one.
 */
import { type BigIntStats, closeSync, fstatSync, readSync } from 'node:fs';

interface OpenFile {
  readonly descriptor: number;
  /** Its path. */
  readonly place: string;
}

export interface SmallFile extends Pick<OpenFile, 'place'> {
  readonly stats: BigIntStats;
  readonly bytes: Buffer;
}

const slowMs = 3;
const verySlowMs = 30;
const slowInARow = 3;
const slowForMs = 10_000;

export class SmallFiles {
  readonly #now: () => number;
  #notBefore = 0;
  #slow = 0;

  /** @param now a monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Reads a regular file below `limit` bytes.
   * @param open opens the file. What it throws means the usual way, too.
   * @returns undefined if the caller must open it the usual way, which also reports what is wrong with it.
   */
  read(open: () => OpenFile, limit: number): SmallFile | undefined {
    const begun = this.#now();
    if (begun < this.#notBefore) return undefined;
    try {
      return readSmall(open(), limit);
    } catch {
      return undefined;
    } finally {
      const ended = this.#now();
      const took = ended - begun;
      this.#slow = took > slowMs ? this.#slow + 1 : 0;
      if (took > verySlowMs || this.#slow >= slowInARow) {
        this.#slow = 0;
        this.#notBefore = ended + slowForMs;
      }
    }
  }
}

function readSmall({ descriptor, place }: OpenFile, limit: number): SmallFile | undefined {
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile() || stats.size >= limit) return undefined;
    const bytes = Buffer.allocUnsafeSlow(Number(stats.size));
    // A file that shrinks at this moment is read again the usual way.
    return readSync(descriptor, bytes) === bytes.length ? { place, stats, bytes } : undefined;
  } finally {
    closeSync(descriptor);
  }
}
