/** Which rows of a campaign the rows of a sheet name, and what becomes of those by it. Rows are given by their positions. */

const [unnamed, asItIs, changed, skipped] = [0, 1, 2, 3];

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
