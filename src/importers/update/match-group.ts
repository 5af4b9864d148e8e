/** Rows of a sheet that have the same meaning to a campaign, and what identifies a plan of an update. */
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
