/**
 * Carries out decisions about rows in review, each atomically, and counts what became of them. Takes back a decision (the row is in
 * review again), or the retry of a row whose post was not published.
 */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import {
  type GenerationRecord,
  latestGeneration,
  orderedFileIds,
  progressField,
} from '../../ledger/rows/row-progress.ts';
import type { RowError, RowState } from '../../ledger/states.ts';
import {
  type Decision,
  type Undoable,
  undoableMs,
  undoWindowMs,
} from '../../ledger/transitions/decisions.ts';
import { describeDuration } from '../../manifest/wording.ts';
import { type CampaignRef, findCampaign, findRow, readCampaigns, rowNotFound } from '../campaigns/find.ts';
import { type Document, isoTime, isoTimeOf, rowState } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type DecidedRow, type DecideOptions, type DecisionRuntime, refused } from './decision.ts';
import type { ReviewRow } from './review-rows.ts';

const rowsByState = z.partialRecord(rowState, z.int());
/** The result of decisions; in a dry run, the result that they would have. */
export const decisionsSchema = z.strictObject({
  /** Rows in review that the decisions are about. */
  matched: z.int(),
  states: rowsByState,
  /** Rows that somebody else, or a late answer, decided meanwhile. */
  changed: z.int(),
  /** Keys of the first few. */
  keys: z.array(z.string()),
  /** Rows whose call may still be under way, so that they are decided later: how many, the first few, and when the last can be. */
  early: z.strictObject({ rows: z.int(), keys: z.array(z.string()), from: isoTime }).nullable(),
});
export type Decisions = Document<typeof decisionsSchema>;

/** How many rows were decided: neither kept for later, nor changed meanwhile. */
export function countDecided({
  matched,
  changed,
  early,
}: Pick<Decisions, 'matched' | 'changed' | 'early'>): number {
  return matched - changed - (early?.rows ?? 0);
}

/** `early`: the call may be under way; taken `from` then on (ms, Redis' clock). `changed`: somebody else's, or its post another row's. */
export type DecisionEnd =
  | { readonly kind: 'decided'; readonly state: RowState }
  | { readonly kind: 'early'; readonly from: number }
  | { readonly kind: 'changed' };

export interface CarryOutOptions extends DecideOptions {
  /** Changes nothing, and returns what would happen. */
  readonly dryRun?: boolean | undefined;
}

/** Concurrently: pass many in parts. @param options.unchecked sends rows that had a post although its record is unread. */
export async function carryOut(
  runtime: DecisionRuntime,
  campaign: Campaign,
  decided: readonly DecidedRow[],
  { unchecked = false, dryRun = false }: CarryOutOptions = {},
): Promise<readonly DecisionEnd[]> {
  const { ledger, queues } = runtime;
  const { id } = campaign;
  const carry = async (one: DecidedRow): Promise<DecisionEnd> => {
    const decision = await decisionOf(runtime, campaign, one, unchecked);
    if (dryRun) return foresee(runtime, campaign, one, decision);
    const { row, revision, progress } = one.row;
    const ref = { campaign: id, row, revision };
    const after = await ledger.decisions.decide(ref, progress.unknownEffect, decision);
    if (after?.kind === 'early') return { kind: 'early', from: after.from ?? 0 };
    if (after?.kind !== 'decided') return { kind: 'changed' };
    await queues.removeFlow({ campaign: id, row, revision });
    return { kind: 'decided', state: after.state };
  };
  const ends = await Promise.all(decided.map(carry));
  const goesOn = ends.some((end) => end.kind === 'decided' && end.state === 'waiting');
  if (goesOn && !dryRun && campaign.state !== 'paused') await queues.wakeAdmission(id);
  return ends;
}

function foresee(
  { now }: DecisionRuntime,
  { cancelledAt }: Campaign,
  { row: { progress }, verdict }: DecidedRow,
  { kind }: Decision,
): DecisionEnd {
  const { underWayUntil = 0 } = progress;
  const sendsAgain = verdict.decision === 'not-posted' || verdict.decision === 'not-generated';
  if (sendsAgain && underWayUntil > now()) return { kind: 'early', from: underWayUntil };
  if (kind !== 'again') return { kind: 'decided', state: kind };
  return { kind: 'decided', state: cancelledAt === undefined ? 'waiting' : 'cancelled' };
}

async function decisionOf(
  runtime: DecisionRuntime,
  campaign: Campaign,
  { row, verdict }: DecidedRow,
  unchecked: boolean,
): Promise<Decision> {
  const { error, progress } = row;
  switch (verdict.decision) {
    case 'posted': {
      const fileIds = orderedFileIds(progress);
      const view = await runtime.views.open(campaign.id, campaign.sheetVersion);
      const plannedAt = (await view?.readableRow(row.row))?.schedule?.at;
      const result = { postId: verdict.postId, postStatus: '', fileIds, plannedAt, at: runtime.now() };
      const { assets, thumbnails } = progress;
      return { kind: 'posted', result, assets, thumbnails };
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
  return { kind: 'failed', error: { ...error, message, fix: 'Give the row a new time in the sheet.', at } };
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
  const generation = (await (await views.open(campaign.id, campaign.sheetVersion))?.readableRow(row))
    ?.generation;
  const record: GenerationRecord = {
    scheduleId,
    taskIds: known?.scheduleId === scheduleId ? known.taskIds : [],
    outputs: known?.outputs ?? (generation?.count ?? 1) - progress.assets.length,
    since: Math.max(now(), generation?.execAt ?? 0),
  };
  return [progressField.generation(number), JSON.stringify(record)];
}

const keysShown = 20;

export class DecisionTally {
  #matched = 0;
  #changed = 0;
  readonly #keys: string[] = [];
  readonly #states = new Map<RowState, number>();
  readonly #early = { rows: 0, keys: [] as string[], from: 0 };

  /** @param keyOf finds the key of a decision; asked only for the first few. */
  async add<One extends DecidedRow>(
    decided: readonly One[],
    ends: readonly DecisionEnd[],
    keyOf: (one: One) => string | Promise<string>,
  ): Promise<void> {
    for (const [index, one] of decided.entries()) {
      this.#matched += 1;
      if (this.#keys.length < keysShown) this.#keys.push(await keyOf(one));
      const end = ends[index];
      if (end?.kind === 'decided') this.#states.set(end.state, (this.#states.get(end.state) ?? 0) + 1);
      else if (end?.kind === 'early') {
        this.#early.rows += 1;
        this.#early.from = Math.max(this.#early.from, end.from);
        if (this.#early.keys.length < keysShown) this.#early.keys.push(await keyOf(one));
      } else this.#changed += 1;
    }
  }

  result(): Decisions {
    const early = this.#early.rows > 0 ? { ...this.#early, from: isoTimeOf(this.#early.from) } : null;
    return {
      matched: this.#matched,
      states: Object.fromEntries(this.#states),
      changed: this.#changed,
      keys: this.#keys,
      early,
    };
  }
}

export { undoableMs, undoWindowMs };

/** For ten minutes, while the row has not gone on. Updates and edits stay. @throws {UseCaseError} `row_not_found`, `decision_refused`. */
export async function undoDecision(
  runtime: Pick<Runtime, 'ledger'>,
  ref: CampaignRef,
  key: string,
): Promise<RowState> {
  const campaign = await findCampaign(runtime, ref);
  const row = await findRow(runtime, campaign, key);
  const undone = await runtime.ledger.decisions.undo(campaign.id, row);
  if (undone === undefined) throw rowNotFound(campaign.id, key);
  if (undone.kind === 'undone') return undone.state;
  const wait = describeDuration(undoWindowMs);
  const kept = describeDuration(undoableMs);
  throw undone.kind === 'none'
    ? refused(
        `row ${key} is ${undone.state}, and was not decided within the last ${kept}`,
        `You can undo a decision for ${kept}, unless the row has started or an answer has confirmed it. You can also undo the retry of a row whose post was not published, while the row waits. A row that a sheet or an edit has changed starts at once: change it again instead.`,
      )
    : refused(
        `row ${key} has started since it was decided: it is ${undone.state}`,
        `You can undo a resend for ${wait}. After that, delete duplicates in the social app.`,
      );
}

export interface DecidedLately {
  readonly campaign: string;
  readonly key: string;
  /** `line 5`, of a row without a key of its own. */
  readonly place: string | undefined;
  readonly state: RowState;
  readonly undoable: Undoable;
}

/** @returns the rows whose decisions can be taken back. */
export async function listDecided(
  runtime: Pick<Runtime, 'ledger'>,
  rows: readonly { readonly campaign: string; readonly position: number }[],
): Promise<readonly DecidedLately[]> {
  const { ledger } = runtime;
  const ids = [...new Set(rows.map(({ campaign }) => campaign))];
  const campaigns = new Map((await readCampaigns(runtime, ids)).map((each) => [each.id, each]));
  const found = rows.map(async ({ campaign: id, position }): Promise<readonly DecidedLately[]> => {
    const campaign = campaigns.get(id);
    if (!campaign || position >= campaign.rows) return [];
    const undoable = await ledger.decisions.decidedAt(id, position);
    if (undoable === undefined) return [];
    const [status] = await ledger.rows.statusesOf(id, [position]);
    const key = await ledger.rowKeys.of(campaign, position);
    const place = await ledger.rowKeys.placeOf(campaign, position);
    return status === undefined ? [] : [{ campaign: id, key, place, state: status.state, undoable }];
  });
  return (await Promise.all(found)).flat();
}
