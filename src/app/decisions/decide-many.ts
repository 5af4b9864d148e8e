/**
 * One decision about many rows in review: all of a campaign, or those that match a filter. Rows may come to review at any moment, so
 * the decision is about the rows that a person has seen:
 *
 * 1. A plan goes through the rows in review, and remembers the chosen ones as they are (`SeenRows`).
 * 2. A person agrees at a terminal; a program tells how many rows it saw, or decides only about rows of before a time.
 * 3. Exactly the rows of the plan are decided, each only if it is about the same unknown outcome.
 */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import type { RowFilter } from '../../ledger/rows/query.ts';
import { readTime } from '../../manifest/cells/time.ts';
import { Zones } from '../../manifest/cells/zone.ts';
import { type Fix, fixField, hint, hintsField } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural } from '../../manifest/wording.ts';
import { type CampaignRef, findCampaign } from '../campaigns/find.ts';
import { failedKindsOf, failedKindsSchema, postedTwice } from '../campaigns/repair.ts';
import type { Document } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { carryOut, DecisionTally, decisionsSchema } from './carry-out.ts';
import { type DecisionRuntime, isAboutPost, type KeyedDecision, type PlainVerdict } from './decision.ts';
import { findEarlierPostFaults } from './earlier-posts.ts';
import { inReviewSince, type ReviewRow, readReviewRows } from './review-rows.ts';
import { ReviewCauses, reviewCauseSchema, UnprovenPosts, unprovenSchema } from './unproven.ts';

export const manyDecidedSchema = z.strictObject({
  id: z.string(),
  decision: z.enum(['not-posted', 'not-generated']),
  ...decisionsSchema.shape,
  /** Rows in review that stay there: the filter leaves them out, the decision is about something else, `refused` or `leftOut`. */
  left: z.int(),
  /** Matching rows that stay in review because the decision is wrong for them: the first few. */
  refused: z.array(
    z.strictObject({ key: z.string(), message: z.string(), fix: fixField, hints: hintsField }),
  ),
  /** Matching rows that stay in review because of a similar publishing record. */
  leftOut: z.array(unprovenSchema),
  /** Decided rows whose posts may exist, by reason: no complete search of the publishing records has shown otherwise. */
  unproven: z.array(unprovenSchema),
  /** Why the rows that the decision is about were in review, the most frequent code first. */
  causes: z.array(reviewCauseSchema),
  kinds: failedKindsSchema.optional(),
  dryRun: z.boolean(),
});
export type ManyDecided = Omit<Document<typeof manyDecidedSchema>, 'id' | 'decision' | 'dryRun'>;

/** Which rows in review to decide about; all unless given. Rows must match every given field. */
export interface DecideFilter extends Pick<RowFilter, 'error' | 'creator'> {
  /** Only rows that have been in review since before this time. Unix epoch, milliseconds. */
  readonly before?: number | undefined;
}

export interface Agreed {
  /** How many rows a dry run found. If it is another number now, nothing is decided. */
  readonly expect?: number | undefined;
}

export interface DecideManyOptions extends DecideFilter, Agreed {
  /** Changes nothing, and returns what would happen. */
  readonly dryRun?: boolean | undefined;
}

/** Rows as a plan found them: what each is to be decided about, and since when, by position. */
type SeenRows = ReadonlyMap<number, string>;

export interface ManyPlanned {
  readonly planned: ManyDecided;
  readonly seen: SeenRows;
}

const rowsAtOnce = 200;
const keysShown = 20;

/**
 * Decides about all matching rows in review, each atomically, so that a killed command can be repeated. Does not decide about
 * rows with a similar publishing record (`leftOut`). `unproven` lists the rows whose posts may exist, because no complete search
 * of the records has shown otherwise.
 * @throws {UseCaseError} unless it is a dry run: `decision_unseen` when rows match, and neither `expect` nor `before` tells which were
 *   seen; `plan_changed` when another number of rows than `expect` match. Nothing is decided then.
 */
export async function decideMany(
  runtime: DecisionRuntime,
  ref: CampaignRef,
  verdict: PlainVerdict,
  { dryRun = false, expect, ...filter }: DecideManyOptions = {},
): Promise<ManyDecided> {
  const campaign = await findCampaign(runtime, ref);
  const plan = await planMany(runtime, campaign, verdict, filter);
  if (dryRun) return plan.planned;
  refuseUnseen(campaign, verdict, plan.planned, { expect, ...filter });
  return decideSeen(runtime, campaign, verdict, plan);
}

/** Decides about the rows of a plan that are still as they were. */
export async function decideSeen(
  runtime: DecisionRuntime,
  campaign: Campaign,
  verdict: PlainVerdict,
  { planned, seen }: ManyPlanned,
): Promise<ManyDecided> {
  if (seen.size === 0) return planned;
  const { planned: decided } = await planMany(runtime, campaign, verdict, {}, seen);
  // Rows that the plan had left out already, too.
  const refused = [...planned.refused, ...decided.refused].slice(0, keysShown);
  return { ...decided, refused, leftOut: [...planned.leftOut, ...decided.leftOut] };
}

/** Changes nothing. @param seen rows of an earlier plan to decide about, as far as they are as they were. */
export async function planMany(
  runtime: DecisionRuntime,
  campaign: Campaign,
  verdict: PlainVerdict,
  filter: DecideFilter,
  seen?: SeenRows,
): Promise<ManyPlanned> {
  const { ledger, views } = runtime;
  const { length: inReview } = await ledger.rows.inState(campaign.id, 'review');
  const view = await views.open(campaign.id, campaign.sheetVersion);
  const tally = new DecisionTally();
  const keyOf = (row: number) => ledger.rowKeys.of(campaign, row);
  const had = await ledger.failedPosts.all(campaign.id);
  const refused: { key: string; message: string; fix: Fix }[] = [];
  const posts = new UnprovenPosts(runtime, campaign);
  const causes = new ReviewCauses();
  const chosen = new Map<number, string>();
  let gone = 0;
  const isMeant = (row: ReviewRow) =>
    seen === undefined
      ? filter.before === undefined || inReviewSince(row) < filter.before
      : seen.get(row.row) === unknownOf(row);
  const { error, creator } = filter;
  const found =
    seen === undefined
      ? ledger.query.all(campaign, { state: 'review', error, creator })
      : batches([...seen.keys()], rowsAtOnce);
  for await (const part of found) {
    const fitting = (await readReviewRows(ledger, campaign, part)).filter(
      (row) => isAboutPost(verdict) === (row.about === 'post') && isMeant(row),
    );
    if (seen !== undefined) gone += part.length - fitting.length;
    const candidates: KeyedDecision[] = [];
    for (const row of await posts.sift(verdict, fitting, keyOf)) {
      const isRefusable = had.has(row.row) || row.error?.code === postedTwice;
      candidates.push({ row, verdict, key: isRefusable ? await keyOf(row.row) : '' });
    }
    const faults = await findEarlierPostFaults(runtime, campaign, candidates, had, false);
    for (const { row, key } of candidates) {
      const fault = faults.get(row.row);
      if (fault) refused.push({ key, message: fault.message, fix: fault.fix ?? '' });
    }
    const decided = candidates.filter(({ row }) => !faults.has(row.row));
    for (const { row } of decided) {
      causes.add(row);
      chosen.set(row.row, unknownOf(row));
    }
    const ends = await carryOut(runtime, campaign, decided, { dryRun: seen === undefined });
    await tally.add(decided, ends, ({ row }) => keyOf(row.row));
  }
  const leftOut = posts.leftOut();
  const { matched, changed, ...done } = tally.result();
  const isMissed = matched + gone + refused.length + leftOut.length === 0 && inReview > 0;
  const planned = {
    ...done,
    matched: matched + gone,
    changed: changed + gone,
    left: Math.max(0, inReview - matched),
    refused: refused.slice(0, keysShown),
    leftOut,
    unproven: posts.unproven(),
    causes: [...causes.list()],
    kinds: isMissed ? await failedKindsOf(ledger, campaign, view, 'review') : undefined,
  };
  return { planned, seen: chosen };
}

/** Identifies what a row in review is to be decided about. Another unknown outcome of the same row differs. */
function unknownOf(row: ReviewRow): string {
  return `${row.revision} ${row.progress.unknownEffect ?? ''} ${inReviewSince(row)}`;
}

/** About rows that nobody may have seen. None need no agreement. @throws {UseCaseError} `decision_unseen`, `plan_changed`. */
export function refuseUnseen(
  { id }: Campaign,
  verdict: PlainVerdict,
  { matched }: Pick<ManyDecided, 'matched'>,
  { expect, ...filter }: DecideFilter & Agreed,
): void {
  const { error = null, creator = null } = filter;
  const look = hint('lookAtRows', {
    campaign: id,
    decision: verdict.decision,
    error,
    creator,
    rows: matched,
  });
  if (expect !== undefined && expect !== matched) {
    const now = `${plural(matched, 'row')} in review of ${id} ${matched === 1 ? 'matches' : 'match'} now`;
    throw new UseCaseError('plan_changed', `${now}, not ${expect}; nothing was decided`, {
      fix: matched === 0 ? [hint('show', { campaign: id })] : [look],
    });
  }
  if (expect !== undefined || filter.before !== undefined || matched === 0) return;
  throw new UseCaseError(
    'decision_unseen',
    `${plural(matched, 'row')} in review of ${id} ${matched === 1 ? 'matches' : 'match'} now, and more may have arrived since you looked; nothing was decided`,
    {
      fix: ['Say how many rows you saw, or decide only rows that were in review before a given time.', look],
    },
  );
}

/** In the zone of the campaign, or of the settings. @returns Unix epoch, ms. @throws {UseCaseError} `date_invalid`, also if to come. */
export function readBefore(
  { settings, now }: Pick<Runtime, 'settings' | 'now'>,
  { timezone }: Pick<Campaign, 'timezone'>,
  text: string,
): number {
  const zone = timezone ?? settings.timezone;
  const reading = readTime(text.trim(), zone === null ? null : new Zones().find(zone));
  if ('fault' in reading) {
    throw new UseCaseError('date_invalid', `"${text.slice(0, 40)}": ${reading.fault.problem}`, {
      fix: 'Write the time with its offset, such as 2026-12-01T10:00:00+08:00 or 2026-12-01T02:00:00Z.',
    });
  }
  if (reading.at <= now()) return reading.at;
  throw new UseCaseError('date_invalid', `"${text.slice(0, 40)}" is in the future`, {
    fix: `Give a time that has passed. It is ${new Date(now()).toISOString()} now.`,
  });
}
