/** What a person sees before one decision about many rows: why they are in review, and whose posts may exist. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { commandsField, type Hint, hint, hintsField } from '../../manifest/problems/hint.ts';
import type { Decidable } from '../campaigns/repair.ts';
import { type Document, isoTime, isoTimeOf } from '../runtime/documents.ts';
import { type DecisionRuntime, looksUpPosts, type PlainVerdict } from './decision.ts';
import { type FoundInRecords, inReviewSince, type ReviewRow } from './review-rows.ts';

export const unprovenSchema = z.strictObject({
  rows: z.int(),
  /** The first few. */
  keys: z.array(z.string()),
  why: z.string(),
  /** Commands to search again, or to decide about the first of them. */
  commands: commandsField,
  hints: hintsField,
});
type Unproven = Document<typeof unprovenSchema>;

/** Why it is not proven that a post does not exist. */
type Reason = 'cannot-look' | 'not-looked' | 'too-early' | 'alike' | 'unclear';

interface Group {
  rows: number;
  readonly keys: string[];
  /** When the records of all these rows should have appeared. Unix epoch, milliseconds. */
  knownBy: number;
}

const keysShown = 5;

/** Whether a late enough search of all records did not find the post. */
export function isNotFound(about: Decidable, found: FoundInRecords = {}): boolean {
  return about === 'post' && found.isNotFound === true && (found.candidates?.length ?? 0) === 0;
}

/** A row whose time had passed was never sent, so it needs no proof. */
function isUnproven(verdict: PlainVerdict, row: ReviewRow): boolean {
  return (
    verdict.decision === 'not-posted' &&
    row.progress.unknownEffect === 'post' &&
    !isNotFound(row.about, row.error)
  );
}

/** Groups unproven rows by reason. Excludes rows with similar posts, which must be decided one by one. */
export class UnprovenPosts {
  readonly #runtime: DecisionRuntime;
  readonly #campaign: Campaign;
  readonly #groups = new Map<Reason, Group>();

  constructor(runtime: DecisionRuntime, campaign: Campaign) {
    this.#runtime = runtime;
    this.#campaign = campaign;
  }

  /** @param keyOf finds the key of a row by its position. @returns the rows that may be decided. */
  async sift(
    verdict: PlainVerdict,
    rows: readonly ReviewRow[],
    keyOf: (row: number) => Promise<string>,
  ): Promise<readonly ReviewRow[]> {
    const unproven = rows.filter((row) => isUnproven(verdict, row));
    const positions = unproven.map(({ row }) => row);
    const unknownCalls = await this.#runtime.ledger.publishing.unknownCalls(this.#campaign.id, positions);
    for (const [index, row] of unproven.entries()) {
      const { sentAt, sentUntil } = unknownCalls[index] ?? {};
      const knownBy = (sentUntil ?? sentAt ?? row.error?.at ?? 0) + this.#runtime.settings.records.settle;
      const group = this.#groupOf(this.#reasonOf(row, knownBy));
      group.rows += 1;
      group.knownBy = Math.max(group.knownBy, knownBy);
      if (group.keys.length < keysShown) group.keys.push(await keyOf(row.row));
    }
    return rows.filter((row) => !(isUnproven(verdict, row) && isAlike(row)));
  }

  leftOut(): readonly Unproven[] {
    return this.#list(([reason]) => reason === 'alike');
  }

  /** Rows that are decided without proof. */
  unproven(): readonly Unproven[] {
    return this.#list(([reason]) => reason !== 'alike');
  }

  #list(isMeant: (group: readonly [Reason, Group]) => boolean): readonly Unproven[] {
    return [...this.#groups].filter(isMeant).map(([reason, { rows, keys, knownBy }]) => ({
      rows,
      keys,
      why: describe(reason, knownBy),
      commands: this.#commands(reason, keys[0] ?? ''),
    }));
  }

  #groupOf(reason: Reason): Group {
    const group = this.#groups.get(reason) ?? { rows: 0, keys: [], knownBy: 0 };
    this.#groups.set(reason, group);
    return group;
  }

  #reasonOf(row: ReviewRow, knownBy: number): Reason {
    if (isAlike(row)) return 'alike';
    if (!looksUpPosts(this.#runtime)) return 'cannot-look';
    const { notedAt } = row.error ?? {};
    if (notedAt === undefined) return 'not-looked';
    return notedAt < knownBy ? 'too-early' : 'unclear';
  }

  #commands(reason: Reason, key: string): Hint[] {
    const { id: campaign } = this.#campaign;
    if (reason === 'not-looked' || reason === 'too-early') return [hint('refresh', { campaign })];
    return reason === 'alike' ? [hint('chooseDecision', { campaign, key, about: 'post' })] : [];
  }
}

function isAlike({ error }: ReviewRow): boolean {
  return (error?.candidates?.length ?? 0) > 0;
}

function describe(reason: Reason, knownBy: number): string {
  switch (reason) {
    case 'cannot-look':
      return 'the publishing records cannot be read here';
    case 'not-looked':
      return 'the publishing records were not searched for their posts, or could not be read';
    case 'too-early':
      return `their posts may still appear in the publishing records until ${isoTimeOf(knownBy)}`;
    case 'alike':
      return 'the publishing records have posts that look like theirs: compare them, and decide row by row';
    case 'unclear':
      return 'the last search of the publishing records does not prove that their posts do not exist';
  }
}

export const reviewCauseSchema = z.strictObject({
  code: z.string(),
  rows: z.int(),
  /** Of the first of them. */
  message: z.string(),
  /** Since when the first of them was in review. */
  oldest: isoTime,
});
type Cause = Document<typeof reviewCauseSchema>;

/** The service may invent a code for each row. */
const mostCodes = 20;

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
      .sort((cause, other) => other.rows - cause.rows);
  }
}
