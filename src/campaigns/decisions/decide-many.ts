/**
 * One decision about many rows in review: all of a campaign, or those that match a filter. Rows may come to review at any moment, so
 * the decision is about the rows that a person has seen:
 *
 * 1. A plan goes through the rows in review, and remembers the chosen ones as they are (`SeenRows`).
 * 2. A person agrees at a terminal; a program tells how many rows it saw, or decides only about rows of before a time.
 * 3. Exactly the rows of the plan are decided, each only if it is about the same unknown outcome.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { parts } from '../../ledger/parts.ts';
import type { RowState } from '../../ledger/states.ts';
import type { Cure } from '../../manifest/problems/hint.ts';
import { isoTimeOf } from '../../runtime/documents.ts';
import { failedKindsOf } from '../causes/failed-kinds.ts';
import type { Decisions, ManyDecided } from '../documents/changes.ts';
import { type CampaignRef, findCampaign } from '../find.ts';
import { carryOut, type EarlyDecision, stateAfter } from './carry-out.ts';
import {
  type DecidedRow,
  type DecideOptions,
  type DecisionRuntime,
  earlyUntil,
  type KeyedDecision,
} from './decision.ts';
import { findEarlierPostFaults } from './earlier-posts.ts';
import { inReviewSince, ReviewCauses } from './review-causes.ts';
import { type ReviewRow, readReviewRows } from './review-rows.ts';
import { type Agreed, type DecideFilter, refuseUnseen } from './seen.ts';
import { UnprovenPosts } from './unproven.ts';
import { isAboutPost, type PlainVerdict } from './verdict.ts';

export type { DecideFilter, Decisions, ManyDecided };

/** Options of `decideMany`: which rows, and how many of them were seen. */
export interface DecideManyOptions extends DecideFilter, Agreed {
  /** Changes nothing, and returns what would happen. */
  readonly dryRun?: boolean | undefined;
}

/** Rows as a plan found them: what each is to be decided about, and since when, by position. */
type SeenRows = ReadonlyMap<number, string>;

export interface ManyPlanned {
  /** The result that the decision would have. */
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

/** Finds the rows that a decision is about. Changes nothing. */
export function planMany(
  runtime: DecisionRuntime,
  campaign: Campaign,
  verdict: PlainVerdict,
  filter: DecideFilter,
): Promise<ManyPlanned> {
  return goThrough(runtime, campaign, verdict, { filter });
}

/** Decides about the rows of a plan that are still as they were. */
export async function decideSeen(
  runtime: DecisionRuntime,
  campaign: Campaign,
  verdict: PlainVerdict,
  { planned, seen }: ManyPlanned,
): Promise<ManyDecided> {
  if (seen.size === 0) return planned;
  const { planned: decided } = await goThrough(runtime, campaign, verdict, { filter: {}, seen });
  // Rows that the plan had left out already, too.
  const refused = [...planned.refused, ...decided.refused].slice(0, keysShown);
  return { ...decided, refused, leftOut: [...planned.leftOut, ...decided.leftOut] };
}

interface Pass {
  readonly filter: DecideFilter;
  /** Rows to decide about; undefined to plan. */
  readonly seen?: SeenRows;
}

async function goThrough(
  runtime: DecisionRuntime,
  campaign: Campaign,
  verdict: PlainVerdict,
  { filter, seen }: Pass,
): Promise<ManyPlanned> {
  const { ledger, views } = runtime;
  const inReview = await ledger.rows.inState(campaign.id, 'review');
  const view = await views.open(campaign.id, campaign.sheetVersion);
  const tally = new DecisionTally();
  const keyOf = (row: number) => ledger.rowKeys.of(campaign, row);
  const had = await ledger.failedPosts.all(campaign.id);
  const refused: { key: string; message: string; cure: Cure }[] = [];
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
      : parts([...seen.keys()], rowsAtOnce);
  for await (const part of found) {
    const candidates: KeyedDecision[] = [];
    const fitting = (await readReviewRows(ledger, campaign, part)).filter(
      (row) => isAboutPost(verdict) === (row.about === 'post') && isMeant(row),
    );
    if (seen !== undefined) gone += part.length - fitting.length;
    for (const row of await posts.sift(verdict, fitting, keyOf)) {
      candidates.push({ row, verdict, key: had.has(row.row) ? await keyOf(row.row) : '' });
    }
    const faults = await findEarlierPostFaults(runtime, campaign, candidates, had, false);
    const decided: DecidedRow[] = [];
    for (const one of candidates) {
      const fault = faults.get(one.row.row);
      if (!fault) {
        decided.push(one);
        causes.add(one.row);
        chosen.set(one.row.row, unknownOf(one.row));
      }
      if (fault && refused.length < keysShown) {
        refused.push({ key: one.key, message: fault.message, cure: fault.cure });
      } else if (!fault && tally.keys.length < keysShown) tally.keys.push(await keyOf(one.row.row));
    }
    await tally.decide(runtime, campaign, decided, { dryRun: seen === undefined, keyOf });
  }
  const leftOut = posts.leftOut();
  const { matched, changed, ...done } = tally.result();
  const isMissed = matched + gone + refused.length + leftOut.length === 0 && inReview.length > 0;
  const planned = {
    ...done,
    matched: matched + gone,
    changed: changed + gone,
    left: Math.max(0, inReview.length - matched),
    refused,
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

/** Carries out decisions in parts, and counts them. */
export class DecisionTally {
  matched = 0;
  readonly keys: string[] = [];
  readonly #states = new Map<RowState, number>();
  readonly #early = { rows: 0, keys: [] as string[], from: 0 };
  #changed = 0;

  async decide(
    runtime: DecisionRuntime,
    campaign: Campaign,
    decided: readonly DecidedRow[],
    {
      dryRun,
      unchecked,
      keyOf,
    }: DecideOptions & {
      readonly dryRun: boolean;
      readonly keyOf: (row: number) => string | Promise<string>;
    },
  ): Promise<void> {
    this.matched += decided.length;
    if (decided.length === 0) return;
    const defer = async ({ row, from }: EarlyDecision) => {
      this.#early.rows += 1;
      this.#early.from = Math.max(this.#early.from, from);
      if (this.#early.keys.length < keysShown) this.#early.keys.push(await keyOf(row));
    };
    if (dryRun) {
      for (const one of decided) {
        const from = earlyUntil(one, runtime.now());
        if (from !== undefined) await defer({ row: one.row.row, from });
        else this.#count(await stateAfter(runtime, campaign, one), 1);
      }
      return;
    }
    const { states, changed, early } = await carryOut(runtime, campaign, decided, { unchecked });
    for (const one of early) await defer(one);
    for (const [state, rows] of states) this.#count(state, rows);
    this.#changed += changed;
  }

  result(): Decisions {
    const { matched, keys } = this;
    const early = this.#early.rows > 0 ? { ...this.#early, from: isoTimeOf(this.#early.from) } : null;
    return { matched, states: Object.fromEntries(this.#states), changed: this.#changed, keys, early };
  }

  #count(state: RowState, rows: number): void {
    this.#states.set(state, (this.#states.get(state) ?? 0) + rows);
  }
}
