/** What the rows of a sheet mean to those of a campaign, and what identifies a plan of an update. */
import { createHash } from 'node:crypto';
import type { RowPlace } from '../../manifest/problems/problem.ts';

/** How many rows are named. */
export const keysKept = 20;

export interface MatchedRows {
  readonly count: number;
  /** Keys of the first few. */
  readonly keys: readonly string[];
  /** Their places, by the same index: in the sheet, or of rows that it lacks, in an earlier version. */
  readonly places?: readonly RowPlace[] | undefined;
}

/** Rows of the campaign that a whole plan no longer wants posted. */
export interface AbsentRows extends MatchedRows {
  /** How many of them it still has, but skips or holds. */
  readonly held: number;
  /** Whether it is one of those, by the index of the keys. */
  readonly areHeld: readonly boolean[];
}

export class MatchGroup implements MatchedRows {
  count = 0;
  readonly keys: string[] = [];
  readonly places: RowPlace[] = [];

  add(key: string, { line, worksheet }: RowPlace): void {
    this.count += 1;
    if (this.keys.length === keysKept) return;
    this.keys.push(key);
    this.places.push({ line, worksheet });
  }
}

/** Identifies what an update does with which rows. Rows that stay as they are do not count: workers go on with them meanwhile. */
export class PlanDigest {
  readonly #hash = createHash('sha256');

  /** Takes the rows in their order. @param before what the campaign has of the row now. */
  add(key: string, match: string, before: string): void {
    this.#hash.update(`${JSON.stringify(key)} ${match} ${before}\n`);
  }

  /** @param sha256 of the sheet. @returns 16 hexadecimal digits. */
  of(sha256: string | null): string {
    return this.#hash.copy().update(String(sha256)).digest('hex').slice(0, 16);
  }
}

const [unnamed, asItIs, changed, skipped] = [0, 1, 2, 3];

/** Which rows of a campaign the rows of a sheet name, and what becomes of those by it. Rows are given by their positions. */
export class NamedRows {
  readonly #meanings: Uint8Array;
  /** Keys of rows that stay as they are, because their rows of the sheet have problems. */
  readonly #refused = new Map<number, string>();
  /** Keys of rows of the sheet that get the posts of others, by the positions of those. */
  readonly #takers = new Map<number, string>();

  /** @param rows of the campaign. */
  constructor(rows: number) {
    this.#meanings = new Uint8Array(rows);
  }

  name(row: number, isChanged: boolean): void {
    this.#meanings[row] = isChanged ? changed : asItIs;
  }

  skip(row: number): void {
    this.#meanings[row] ||= skipped;
  }

  /** A row that the sheet names, but no longer wants posted. */
  hold(row: number): void {
    this.#meanings[row] = skipped;
  }

  /** A row that was named already keeps what that means: its problem may be another row's. */
  refuse(row: number, key: string): void {
    this.#meanings[row] ||= asItIs;
    this.#refused.set(row, key);
  }

  has(row: number): boolean {
    return this.#meanings[row] !== unnamed;
  }

  isChanged(row: number): boolean {
    return this.#meanings[row] === changed;
  }

  /** Whether the sheet gives the row another post, so that the one that it has is free. @param taker key of the row that gets it. */
  frees(row: number, taker: string): boolean {
    if (!this.isChanged(row) || this.#refused.has(row)) return false;
    this.#takers.set(row, taker);
    return true;
  }

  /** A row whose post was given away, and that keeps it because it was refused later. Known once all rows were read. */
  get keeper(): { readonly key: string; readonly taker: string } | undefined {
    for (const [row, taker] of this.#takers) {
      const key = this.#refused.get(row);
      if (key !== undefined) return { key, taker };
    }
    return undefined;
  }

  /** Rows that the sheet does not name, or skips. */
  get absent(): readonly number[] {
    const isAbsent = (meaning: number | undefined) => meaning === unnamed || meaning === skipped;
    return [...this.#meanings.keys()].filter((row) => isAbsent(this.#meanings[row]));
  }

  /** How many rows the sheet does not name. */
  get lacking(): number {
    return this.#meanings.reduce((sum, meaning) => sum + (meaning === unnamed ? 1 : 0), 0);
  }
}
