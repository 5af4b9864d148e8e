/** Carries out decisions about rows in review, each atomically. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import {
  type GenerationRecord,
  latestGeneration,
  orderedFileIds,
  progressField,
} from '../../ledger/rows/row-progress.ts';
import type { RowError, RowState } from '../../ledger/states.ts';
import type { Decision } from '../../ledger/transitions/decisions.ts';
import type { DecidedRow, DecideOptions, DecisionRuntime } from './decision.ts';
import type { ReviewRow } from './review-rows.ts';
import type { Verdict } from './verdict.ts';

export interface CarriedOut {
  /** Rows by their state now. */
  readonly states: ReadonlyMap<RowState, number>;
  /** Rows that somebody else changed meanwhile, or whose post now belongs to another row. They stay as they are. */
  readonly changed: number;
  /** Rows whose call may still be under way, and from when on they can be decided. They stay as they are. */
  readonly early: readonly EarlyDecision[];
}

export interface EarlyDecision {
  /** Position in the campaign, from 0. */
  readonly row: number;
  /** Unix epoch, milliseconds, by the clock of Redis. */
  readonly from: number;
}

/**
 * Carries out decisions concurrently. Pass many decisions in parts.
 * @param options.unchecked rows that had a post are sent again even if its record cannot be read.
 */
export async function carryOut(
  runtime: DecisionRuntime,
  campaign: Campaign,
  decided: readonly DecidedRow[],
  { unchecked = false }: DecideOptions = {},
): Promise<CarriedOut> {
  const { ledger, queues } = runtime;
  const { id } = campaign;
  const states = new Map<RowState, number>();
  const early: EarlyDecision[] = [];
  let changed = 0;
  const carried = decided.map(async ({ row, verdict }) => {
    const ref = { campaign: id, row: row.row, revision: row.revision };
    const decision = await decisionOf(runtime, campaign, row, verdict, unchecked);
    const after = await ledger.decisions.decide(ref, row.progress.unknownEffect, decision);
    if (after?.kind === 'early') early.push({ row: row.row, from: after.from ?? 0 });
    else if (after?.kind !== 'decided') changed += 1;
    else {
      states.set(after.state, (states.get(after.state) ?? 0) + 1);
      await queues.removeFlow({ c: id, r: row.row, v: row.revision });
    }
  });
  await Promise.all(carried);
  if (states.has('waiting') && campaign.state !== 'paused') await queues.wakeAdmission(id);
  return { states, changed, early };
}

/** The state that a decision would bring a row to. */
export async function stateAfter(
  runtime: DecisionRuntime,
  campaign: Campaign,
  { row, verdict }: DecidedRow,
): Promise<RowState> {
  const { kind } = await decisionOf(runtime, campaign, row, verdict, false);
  if (kind !== 'again') return kind;
  return campaign.cancelledAt === undefined ? 'waiting' : 'cancelled';
}

async function decisionOf(
  runtime: DecisionRuntime,
  campaign: Campaign,
  row: ReviewRow,
  verdict: Verdict,
  unchecked: boolean,
): Promise<Decision> {
  const { error, progress } = row;
  switch (verdict.kind) {
    case 'posted': {
      const fileIds = orderedFileIds(progress);
      const result = { postId: verdict.postId, postStatus: '', fileIds, at: runtime.now() };
      return { kind: 'posted', result, assets: progress.assets };
    }
    case 'not-posted':
      if (error?.code === 'late' && runtime.settings.post.late !== 'now')
        return needsNewTime(error, runtime.now());
      return { kind: 'again', fields: unchecked ? [[progressField.unchecked, '1']] : [] };
    case 'generated':
      return { kind: 'again', fields: [await generationOf(runtime, campaign, row, verdict.scheduleId)] };
    case 'not-generated':
      // Without a call of unknown outcome, the latest generation is known: give it up and create the next one.
      if (progress.unknownEffect !== undefined) return { kind: 'again', fields: [] };
      return { kind: 'again', fields: [[progressField.generationEnded, String(latestGeneration(progress))]] };
  }
}

/** The row is no longer of unknown outcome, but would only be late again. */
function needsNewTime(error: RowError, at: number): Decision {
  const message = 'The scheduled time passed before the row could be posted, and it was not posted.';
  return { kind: 'failed', error: { ...error, message, cure: 'Give the row a new time in the sheet.', at } };
}

async function generationOf(
  { views, now }: DecisionRuntime,
  campaign: Campaign,
  { row, progress }: ReviewRow,
  scheduleId: string,
): Promise<readonly [string, string]> {
  const number = progress.unknownEffect
    ? Number(progress.unknownEffect.slice('gen'.length))
    : latestGeneration(progress);
  const known = progress.generations.get(number);
  const generation = (await (await views.open(campaign.id, campaign.sheetVersion))?.row(row))?.generation;
  const record: GenerationRecord = {
    scheduleId,
    taskIds: known?.scheduleId === scheduleId ? known.taskIds : [],
    outputs: known?.outputs ?? (generation?.count ?? 1) - progress.assets.length,
    since: Math.max(now(), generation?.execAt ?? 0),
  };
  return [progressField.generation(number), JSON.stringify(record)];
}
