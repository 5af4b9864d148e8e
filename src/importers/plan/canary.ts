/** Collects the rows of a sheet that a canary may consist of. */
import type { Row } from '../../manifest/row.ts';

/**
 * Rows to begin with: the first so many; one of each kind (video, photos, AI video, AI photos); one of each creator; or rows by their numbers
 * in the sheet, from 1, without the header.
 */
export type CanaryChoice = number | 'kinds' | 'creators' | { readonly rows: number[] };

/** Most rows of a canary that are chosen by number, and most creators with a row of their own. */
export const mostCanaryRows = 1000;

/** An accepted row that may belong to the canary. */
export interface CanaryRow {
  /** Position in the campaign, from 0. */
  readonly position: number;
  /** Planned time; undefined for at once. Unix epoch, milliseconds. */
  readonly at: number | undefined;
}

/** The rows that a canary may consist of. */
export interface CanaryRows {
  /** Numbers of all accepted rows in the sheet, from 1, in their order. */
  readonly numbers: Uint32Array;
  /** Their planned times in minutes of the Unix epoch; 0 for at once. */
  readonly minutes: Uint32Array;
  /** The row that is due first, by kind. */
  readonly kinds: ReadonlyMap<string, CanaryRow>;
  /** The row that is due first, by creator. */
  readonly creators: ReadonlyMap<string, CanaryRow>;
}

export const minuteMs = 60_000;

/** Collects them while a sheet is checked, in 4 bytes a row. */
export class CanaryTally {
  /** Numbers of the rows that are not accepted: fewer than the others. */
  readonly #leftOut: number[] = [];
  #minutes = new Uint32Array(64);
  readonly #kinds = new Map<string, CanaryRow>();
  readonly #creators = new Map<string, CanaryRow>();
  #count = 0;

  /** Takes the accepted rows in their order. @param number in the sheet, from 1. */
  add(number: number, { mediaType, generation, creator, schedule }: Row): void {
    const row = { position: this.#count, at: schedule?.at };
    for (let each = this.#count + this.#leftOut.length + 1; each < number; each += 1)
      this.#leftOut.push(each);
    // Moves the memory, so that nothing is left for the garbage collection.
    if (this.#count === this.#minutes.length)
      this.#minutes = new Uint32Array(this.#minutes.buffer.transfer(this.#minutes.byteLength * 2));
    this.#minutes[this.#count] = Math.ceil((row.at ?? 0) / minuteMs);
    this.#count += 1;
    keepSooner(this.#kinds, `${mediaType} ${generation === undefined ? '' : 'AI'}`, row);
    if (this.#creators.has(creator) || this.#creators.size < mostCanaryRows)
      keepSooner(this.#creators, creator, row);
  }

  finish(): CanaryRows {
    const [count, leftOut] = [this.#count, this.#leftOut];
    return {
      get numbers() {
        return numbersWithout(leftOut, count);
      },
      minutes: this.#minutes.subarray(0, count),
      kinds: this.#kinds,
      creators: this.#creators,
    };
  }
}

/** The first numbers from 1 that are not left out. */
function numbersWithout(leftOut: readonly number[], count: number): Uint32Array {
  let skipped = 0;
  return Uint32Array.from({ length: count }, (_, position) => {
    while (leftOut[skipped] === position + skipped + 1) skipped += 1;
    return position + skipped + 1;
  });
}

/** A row without a time is posted at once. */
function keepSooner(rows: Map<string, CanaryRow>, of: string, row: CanaryRow): void {
  const known = rows.get(of);
  if (known === undefined || (row.at ?? 0) < (known.at ?? 0)) rows.set(of, row);
}
