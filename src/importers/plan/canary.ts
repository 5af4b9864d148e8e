/** Collects the rows of a sheet that a canary may consist of. */
import type { Row } from '../../manifest/row.ts';

/**
 * Rows to begin with: the first so many; one of each kind (video, photos, AI video, AI photos); one of each creator; or rows by their numbers
 * in the sheet, from 1, without the header.
 */
export type CanaryChoice = number | 'kinds' | 'creators' | { readonly rows: number[] };

/** Most rows of a canary that are chosen by number, and most creators with a row of their own. */
export const mostCanaryRows = 1000;

export interface CanaryRow {
  /** In the campaign, from 0. */
  readonly row: number;
  readonly key: string;
  /** Planned time; undefined for at once. Unix epoch, milliseconds. */
  readonly at: number | undefined;
}

export interface CanaryRows {
  /** Numbers of all accepted rows in the sheet, from 1, in their order. */
  readonly numbers: Uint32Array;
  /** Their planned times in minutes of the Unix epoch; 0 for at once. */
  readonly minutes: Uint32Array;
  readonly kinds: ReadonlyMap<string, CanaryRow>;
  readonly creators: ReadonlyMap<string, CanaryRow>;
}

export const minuteMs = 60_000;

/** Collects them while a sheet is checked, in 8 bytes a row. */
export class CanaryTally {
  #numbers = new Uint32Array(64);
  #minutes = new Uint32Array(64);
  readonly #kinds = new Map<string, CanaryRow>();
  readonly #creators = new Map<string, CanaryRow>();
  #count = 0;

  /** Takes the accepted rows in their order. @param number in the sheet, from 1. */
  add(number: number, { key, mediaType, generation, creator, schedule }: Row): void {
    const first = { row: this.#count, key, at: schedule?.at };
    if (this.#count === this.#minutes.length) {
      this.#minutes = twiceAsLong(this.#minutes);
      this.#numbers = twiceAsLong(this.#numbers);
    }
    this.#numbers[this.#count] = number;
    this.#minutes[this.#count] = Math.ceil((first.at ?? 0) / minuteMs);
    this.#count += 1;
    keepSooner(this.#kinds, generation === undefined ? mediaType : `${mediaType} AI`, first);
    keepSooner(this.#creators, creator, first);
  }

  finish(): CanaryRows {
    return {
      numbers: this.#numbers.subarray(0, this.#count),
      minutes: this.#minutes.subarray(0, this.#count),
      kinds: this.#kinds,
      creators: this.#creators,
    };
  }
}

/** Moves the memory, so that nothing is left for the garbage collection. */
function twiceAsLong({ buffer }: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  return new Uint32Array(buffer.transfer(buffer.byteLength * 2));
}

/** A row without a time is posted at once. */
function keepSooner(rows: Map<string, CanaryRow>, of: string, first: CanaryRow): void {
  const known = rows.get(of);
  const isSooner = known === undefined ? rows.size < mostCanaryRows : (first.at ?? 0) < (known.at ?? 0);
  if (isSooner) rows.set(of, first);
}
