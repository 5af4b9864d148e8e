/**
 * Bounds what an import writes into Redis, by the size of its file and by the memory that is left. A file may name a text once, and have it
 * in every row: shared texts of a workbook, merged cells, defaults of JSON.
 */
import { describeSize } from '../../manifest/presentable.ts';
import { parseInfo } from '../../platform/redis/durability.ts';

/** Rows of a file may take this many times its size: packed as they are, real ones take about as much as the file. */
const highestFactor = 10;
/** Rows may take this much whatever the size of their file. */
const harmlessBytes = 32 * 1024 * 1024;
/** Memory is looked at after this many bytes: others may write at the same time. */
const lookAfter = 8 * 1024 * 1024;
/** Share of `maxmemory` that an import leaves to the work of all campaigns. */
const leastFree = 0.1;

/** @param fileBytes size of the file of the rows. @returns most bytes that its rows may take, packed. */
export function mostStored(fileBytes: number): number {
  return Math.max(harmlessBytes, fileBytes * highestFactor);
}

/** The rows of an import take too much. Its message is for people. */
export class StoredTooMuchError extends Error {
  override readonly name = 'StoredTooMuchError';
}

export class StoredBytes {
  readonly #most: number;
  readonly #info: () => Promise<string>;
  #written = 0;
  #lookAt = lookAfter;

  /** @param most bytes allowed. @param info asks Redis for its section `memory`. */
  constructor(most: number, info: () => Promise<string>) {
    this.#most = most;
    this.#info = info;
  }

  /** Call it before bytes are written. @throws {StoredTooMuchError} */
  async add(bytes: number): Promise<void> {
    this.#written += bytes;
    refuseTooMuch(this.#written, this.#most);
    if (this.#written < this.#lookAt) return;
    this.#lookAt = this.#written + lookAfter;
    const facts = parseInfo(await this.#info());
    const [used, most] = [Number(facts.get('used_memory') ?? 0), Number(facts.get('maxmemory') ?? 0)];
    if (most > 0 && used + bytes > most * (1 - leastFree)) {
      throw new StoredTooMuchError(
        `Redis has no room for its rows: ${describeSize(used)} of ${describeSize(most)} are in use`,
      );
    }
  }
}

/** @throws {StoredTooMuchError} */
export function refuseTooMuch(written: number, most: number): void {
  if (written <= most) return;
  throw new StoredTooMuchError(
    `its rows take more than ${describeSize(most)}, far more than its file: it repeats long texts in many rows`,
  );
}
