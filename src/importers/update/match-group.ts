/** Rows of a sheet that have the same meaning to a campaign. */

/** How many rows are named. */
export const keysKept = 20;

export interface MatchedRows {
  readonly count: number;
  /** Keys of the first few. */
  readonly keys: readonly string[];
}

export class MatchGroup implements MatchedRows {
  count = 0;
  readonly keys: string[] = [];

  add(key: string): void {
    this.count += 1;
    if (this.keys.length < keysKept) this.keys.push(key);
  }
}
