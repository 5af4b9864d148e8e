/** Why rows are in review, and since when: what a person sees before one decision about all of them. */
import { isoTimeOf } from '../../runtime/documents.ts';
import type { ManyDecided } from '../documents/changes.ts';
import type { ReviewRow } from './review-rows.ts';

type Cause = ManyDecided['causes'][number];

/** The service may invent a code for each row. */
const mostCodes = 20;

/** When the row came to review (Unix epoch, milliseconds). */
export function inReviewSince({ error }: Pick<ReviewRow, 'error'>): number {
  return error?.at ?? 0;
}

/** Groups rows by the code of their error. */
export class ReviewCauses {
  readonly #causes = new Map<string, { rows: number; message: string; oldest: number }>();

  add(row: ReviewRow): void {
    const { code = 'unknown', message = '' } = row.error ?? {};
    const known = this.#causes.size < mostCodes || this.#causes.has(code) ? code : 'other';
    const cause = this.#causes.get(known) ?? { rows: 0, message, oldest: Number.POSITIVE_INFINITY };
    cause.rows += 1;
    cause.oldest = Math.min(cause.oldest, inReviewSince(row));
    this.#causes.set(known, cause);
  }

  /** The most frequent first. */
  list(): readonly Cause[] {
    return [...this.#causes]
      .map(([code, { rows, message, oldest }]) => ({ code, rows, message, oldest: isoTimeOf(oldest) }))
      .sort((one, other) => other.rows - one.rows);
  }
}
