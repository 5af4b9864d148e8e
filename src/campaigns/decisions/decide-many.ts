/** One decision about many rows in review: all of a campaign, or those that match a filter. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { parts } from '../../ledger/parts.ts';
import type { RowState } from '../../ledger/states.ts';
import { isoTimeOf } from '../../runtime/documents.ts';
import type { Decisions, ManyDecided } from '../documents/changes.ts';
import { failedKindsOf } from '../repair/failed-kinds.ts';
import { matching, type RowFilter } from '../repair/filter.ts';
import { keysOf } from '../repair/find-row.ts';
import { carryOut, type EarlyDecision, stateAfter } from './carry-out.ts';
import { type DecidedRow, type DecisionRuntime, earlyUntil, settleCommand } from './decision.ts';
import { findEarlierPostFaults } from './earlier-posts.ts';
import { readReviewRows } from './review-rows.ts';
import { UnprovenPosts } from './unproven.ts';
import { isAboutPost, type PlainVerdict } from './verdict.ts';

export type DecideFilter = Omit<RowFilter, 'step'>;
export type { Decisions, ManyDecided };

const rowsAtOnce = 200;
const keysShown = 20;

/**
 * Decides about all matching rows in review, each atomically, so that a killed command can be repeated. Does not decide about
 * rows with a similar publishing record (`leftOut`). `unproven` lists the rows whose posts may exist, because no complete search
 * of the records has shown otherwise.
 */
export async function decideMany(
  runtime: DecisionRuntime,
  campaign: Campaign,
  verdict: PlainVerdict,
  { dryRun, ...filter }: DecideFilter & { readonly dryRun: boolean },
): Promise<ManyDecided> {
  const { ledger, views } = runtime;
  const rows = await ledger.rows.inState(campaign.id, 'review');
  const view = await views.open(campaign.id, campaign.sheetVersion);
  const tally = new DecisionTally();
  const keyOf = keysOf(ledger, campaign);
  const had = await ledger.failedPosts.all(campaign.id);
  const refused: { key: string; message: string; cure: string }[] = [];
  const posts = new UnprovenPosts(runtime, campaign);
  for (const part of parts(rows, rowsAtOnce)) {
    const candidates: (DecidedRow & { readonly key: string })[] = [];
    const found = view ? await matching(ledger, view, part, filter) : [];
    const fitting = (await readReviewRows(ledger, campaign, found)).filter(
      ({ about }) => isAboutPost(verdict) === (about === 'post'),
    );
    for (const row of await posts.sift(verdict, fitting, keyOf)) {
      candidates.push({ row, verdict, key: had.has(row.row) ? await keyOf(row.row) : '' });
    }
    const faults = await findEarlierPostFaults(runtime, campaign, candidates, had, {
      unchecked: false,
      write: ({ key }, right) => settleCommand(campaign.id, key, right),
      insist: ({ key }) =>
        `Decide about it by itself:\n${settleCommand(campaign.id, key, verdict)} --unchecked`,
    });
    const decided: DecidedRow[] = [];
    for (const one of candidates) {
      const fault = faults.get(one.row.row);
      if (!fault) decided.push(one);
      if (fault && refused.length < keysShown) {
        refused.push({ key: one.key, message: fault.message, cure: fault.cure });
      } else if (!fault && tally.keys.length < keysShown) tally.keys.push(await keyOf(one.row.row));
    }
    await tally.decide(runtime, campaign, decided, { dryRun, keyOf });
  }
  const leftOut = posts.leftOut();
  const isMissed = tally.matched + refused.length + leftOut.length === 0 && rows.length > 0;
  return {
    ...tally.result(),
    left: rows.length - tally.matched,
    refused,
    leftOut,
    unproven: posts.unproven(),
    kinds: isMissed ? await failedKindsOf(ledger, campaign, view, 'review') : undefined,
  };
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
      keyOf,
    }: { readonly dryRun: boolean; readonly keyOf: (row: number) => string | Promise<string> },
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
    const { states, changed, early } = await carryOut(runtime, campaign, decided);
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
