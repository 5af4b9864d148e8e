/**
 * A person's decision about a row in review.
 *
 * In doubt: a call that still has a journal entry (a post or a generation). Without an entry: a generation that was not complete in
 * time, or a post whose time had passed. The decision must be about that.
 */
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Decision } from '../../ledger/decisions.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  type GenerationRecord,
  latestGeneration,
  orderedFileIds,
  progressField,
  type RowProgress,
} from '../../ledger/row-progress.ts';
import type { RowError, RowState } from '../../ledger/states.ts';
import { ownedPosts } from '../../processors/records/owners.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { findRow, rowNotFound } from './find-row.ts';
import { decidableOf, decisionCommands, quote } from './repairs.ts';

export type Verdict =
  /** The service has the post. */
  | { readonly kind: 'posted'; readonly postId: string }
  | { readonly kind: 'not-posted' }
  /** The service has the generation: it is polled until a new deadline. */
  | { readonly kind: 'generated'; readonly scheduleId: string }
  | { readonly kind: 'not-generated' };

export type DecisionRuntime = Pick<Runtime, 'ledger' | 'queues' | 'views' | 'settings' | 'now'>;

interface ReviewRow {
  readonly campaign: Campaign;
  readonly key: string;
  readonly row: number;
  readonly error: RowError | undefined;
  readonly progress: RowProgress;
}

/**
 * Decides about a row. Of several decisions or a late answer, only the first one counts.
 * @returns the row's state now.
 * @throws {UseCaseError} `row_not_found`; `decision_refused` when the row is not in review, or the verdict is about something else.
 */
export async function decideRow(
  runtime: DecisionRuntime,
  campaign: Campaign,
  key: string,
  verdict: Verdict,
): Promise<RowState> {
  const { ledger, queues } = runtime;
  const row = await findRow(ledger, campaign, key);
  const [status] = row === undefined ? [] : await ledger.rows.statuses(campaign.id, row, 1);
  if (row === undefined || !status) throw rowNotFound(campaign.id, key);
  if (status.state !== 'review') throw notInReview(campaign.id, key, status.state);
  const [[error], progress] = await Promise.all([
    ledger.rows.errors(campaign.id, [row]),
    ledger.rows.progress(campaign.id, row),
  ]);
  if (error === undefined && progress.inDoubt === undefined) {
    // A row in review has at least one of them, so somebody else has just decided about it.
    const [now = status] = await ledger.rows.statuses(campaign.id, row, 1);
    throw notInReview(campaign.id, key, now.state);
  }
  const decision = await decide(runtime, { campaign, key, row, error, progress }, verdict);
  const ref = { campaign: campaign.id, row, revision: status.revision };
  const decided = await ledger.decisions.decide(ref, progress.inDoubt, decision);
  if (!decided?.taken) throw notInReview(campaign.id, key, decided?.state ?? status.state);
  await queues.removeFlow({ c: campaign.id, r: row, v: status.revision });
  if (decided.state === 'waiting' && campaign.state !== 'paused') await queues.wakeAdmission(campaign.id);
  return decided.state;
}

async function decide(runtime: DecisionRuntime, row: ReviewRow, verdict: Verdict): Promise<Decision> {
  const { error, progress } = row;
  const isPost =
    progress.inDoubt === undefined
      ? error !== undefined && decidableOf(error) === 'post'
      : progress.inDoubt === 'post';
  if (isPost !== (verdict.kind === 'posted' || verdict.kind === 'not-posted')) throw wrongForm(row, isPost);
  switch (verdict.kind) {
    case 'posted': {
      await refuseOthersPost(runtime.ledger, row.campaign, verdict.postId);
      const fileIds = orderedFileIds(progress);
      const result = { postId: verdict.postId, postStatus: '', fileIds, at: runtime.now() };
      return { kind: 'posted', result, assets: progress.assets };
    }
    case 'not-posted':
      if (error?.code === 'late' && runtime.settings.post.late !== 'now')
        return needsNewTime(error, runtime.now());
      return { kind: 'again', fields: [] };
    case 'generated':
      return { kind: 'again', fields: [await generationOf(runtime, row, verdict.scheduleId)] };
    case 'not-generated':
      // Without a call in doubt, the latest generation is known: give it up and create the next one.
      if (progress.inDoubt !== undefined) return { kind: 'again', fields: [] };
      return { kind: 'again', fields: [[progressField.generationEnded, String(latestGeneration(progress))]] };
  }
}

/** A post belongs to one row only. An id of another row's post is most likely a mistake. */
async function refuseOthersPost(ledger: Ledger, { account }: Campaign, postId: string): Promise<void> {
  const owned = await ownedPosts(ledger, account, new Set([postId]), 0);
  if (owned.size === 0) return;
  throw refused(
    `the post ${postId} already belongs to another row`,
    'Check the post id in the service again: each row has its own post.',
  );
}

/** The row is no longer in doubt, but would only be late again. */
function needsNewTime(error: RowError, at: number): Decision {
  const message = 'The scheduled time passed before the row could be posted, and it was not posted.';
  return { kind: 'failed', error: { ...error, message, cure: 'Give the row a new time in the sheet.', at } };
}

async function generationOf(
  { views, now }: DecisionRuntime,
  { campaign, row, progress }: ReviewRow,
  scheduleId: string,
): Promise<readonly [string, string]> {
  const number = progress.inDoubt ? Number(progress.inDoubt.slice('gen'.length)) : latestGeneration(progress);
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

function notInReview(campaign: string, key: string, state: RowState): UseCaseError {
  if (state === 'failed') {
    return refused(
      `row ${key} has failed: only a row in review can be decided`,
      `Retry it:\ncampaigns retry ${campaign} --row ${quote(key)}`,
    );
  }
  return refused(
    `row ${key} is ${state}: only a row in review can be decided`,
    'Somebody else or a late answer may have decided it a moment ago.',
  );
}

function wrongForm({ campaign, key }: ReviewRow, isPost: boolean): UseCaseError {
  const about = isPost ? 'post' : 'generation';
  return refused(
    `row ${key} needs a decision about its ${about}`,
    decisionCommands(campaign.id, key, about).join('\n'),
  );
}

function refused(message: string, cure: string): UseCaseError {
  return new UseCaseError('decision_refused', message, { cure });
}
