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
  /** Number in the sheet, from 1. */
  readonly number: number;
  /** Planned time; undefined for at once. Unix epoch, milliseconds. */
  readonly at: number | undefined;
}

/** The rows that a canary may consist of. */
export interface CanaryRows {
  /** The first accepted rows: at most `mostCanaryRows`. */
  readonly first: readonly CanaryRow[];
  /** By number in the sheet, of those that were asked for. */
  readonly numbered: ReadonlyMap<number, CanaryRow>;
  /** The row that is due first, by kind. */
  readonly kinds: ReadonlyMap<string, CanaryRow>;
  /** The row that is due first, by creator. */
  readonly creators: ReadonlyMap<string, CanaryRow>;
}

/** Collects them while a sheet is checked. Its memory is bounded. */
export class CanaryTally {
  readonly #wanted: ReadonlySet<number>;
  readonly #first: CanaryRow[] = [];
  readonly #numbered = new Map<number, CanaryRow>();
  readonly #kinds = new Map<string, CanaryRow>();
  readonly #creators = new Map<string, CanaryRow>();
  #position = 0;

  /** @param wanted numbers of rows that somebody has chosen. */
  constructor(wanted: readonly number[] = []) {
    this.#wanted = new Set(wanted);
  }

  /** Takes the accepted rows in their order. */
  add(number: number, { mediaType, generation, creator, schedule }: Row): void {
    const row = { position: this.#position, number, at: schedule?.at };
    this.#position += 1;
    if (this.#first.length < mostCanaryRows) this.#first.push(row);
    if (this.#wanted.has(number)) this.#numbered.set(number, row);
    keepSooner(this.#kinds, `${mediaType} ${generation === undefined ? '' : 'AI'}`, row);
    if (this.#creators.has(creator) || this.#creators.size < mostCanaryRows)
      keepSooner(this.#creators, creator, row);
  }

  finish(): CanaryRows {
    return {
      first: this.#first,
      numbered: this.#numbered,
      kinds: this.#kinds,
      creators: this.#creators,
    };
  }
}

/** A row without a time is posted at once. */
function keepSooner(rows: Map<string, CanaryRow>, of: string, row: CanaryRow): void {
  const known = rows.get(of);
  if (known === undefined || (row.at ?? 0) < (known.at ?? 0)) rows.set(of, row);
}
