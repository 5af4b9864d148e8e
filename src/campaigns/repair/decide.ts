/**
 * A person's decision about a row in review.
 *
 * What is in doubt is a call that the send journal still holds an entry of (a post, or a generation), or, without one: a generation that was
 * not complete in time, or a post whose time had passed. The decision has to be about that.
 */
import type { Settings } from '../../../config/schema.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Decision } from '../../ledger/decisions.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  type GenerationRecord,
  latestGeneration,
  progressField,
  type RowProgress,
} from '../../ledger/row-progress.ts';
import type { RowError, RowState } from '../../ledger/states.ts';
import type { CampaignViews } from '../../processors/frame/campaign-view.ts';
import { ownedPosts } from '../../processors/records/owners.ts';
import type { Queues } from '../../queues/queues.ts';
import { findRow } from './find-row.ts';
import { decidableOf, decisionCommands, quote } from './repairs.ts';

export type Verdict =
  /** The service has the post. */
  | { readonly kind: 'posted'; readonly postId: string }
  | { readonly kind: 'not-posted' }
  /** The service has the generation: it is polled, from now on until the deadline. */
  | { readonly kind: 'generated'; readonly scheduleId: string }
  | { readonly kind: 'not-generated' };

export interface DecisionTools {
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly views: CampaignViews;
  readonly settings: Settings;
  readonly now: () => number;
}

/** The decision cannot be made: `message` says why, `cure` what would be right. */
export class DecisionError extends Error {
  override readonly name = 'DecisionError';
  readonly cure: string;

  constructor(message: string, cure: string) {
    super(message);
    this.cure = cure;
  }
}

/** A row in review, as a decision finds it. */
interface ReviewRow {
  readonly campaign: Campaign;
  readonly key: string;
  readonly row: number;
  readonly error: RowError | undefined;
  readonly progress: RowProgress;
}

/**
 * Settles a row, so that a late answer or another operator cannot settle it a second time.
 * @returns the state that the row is in now.
 * @throws {DecisionError} when there is no such row, it is not in review (any more), or the verdict is about something else.
 */
export async function decideRow(
  tools: DecisionTools,
  campaign: Campaign,
  key: string,
  verdict: Verdict,
): Promise<RowState> {
  const { ledger, queues } = tools;
  const row = await findRow(ledger, campaign, key);
  const [status] = row === undefined ? [] : await ledger.rows.statuses(campaign.id, row, 1);
  if (row === undefined || !status) {
    throw new DecisionError(
      `campaign ${campaign.id} has no row ${key}`,
      'Name the row by its key, as the sheet does.',
    );
  }
  if (status.state !== 'review') throw notInReview(campaign.id, key, status.state);
  const [[error], progress] = await Promise.all([
    ledger.rows.errors(campaign.id, [row]),
    ledger.rows.progress(campaign.id, row),
  ]);
  if (error === undefined && progress.inDoubt === undefined) {
    // A row in review has one or the other: somebody else has settled it since its state was read.
    const [now = status] = await ledger.rows.statuses(campaign.id, row, 1);
    throw notInReview(campaign.id, key, now.state);
  }
  const decision = await decide(tools, { campaign, key, row, error, progress }, verdict);
  const ref = { campaign: campaign.id, row, revision: status.revision };
  const decided = await ledger.decisions.decide(ref, progress.inDoubt, decision);
  if (!decided?.taken) throw notInReview(campaign.id, key, decided?.state ?? status.state);
  await queues.removeFlow({ c: campaign.id, r: row, v: status.revision });
  if (decided.state === 'waiting' && campaign.state !== 'paused') await queues.wakeAdmission(campaign.id);
  return decided.state;
}

async function decide(tools: DecisionTools, row: ReviewRow, verdict: Verdict): Promise<Decision> {
  const { error, progress } = row;
  const isPost =
    progress.inDoubt === undefined
      ? error !== undefined && decidableOf(error) === 'post'
      : progress.inDoubt === 'post';
  if (isPost !== (verdict.kind === 'posted' || verdict.kind === 'not-posted')) throw wrongForm(row, isPost);
  switch (verdict.kind) {
    case 'posted': {
      await refuseOthersPost(tools.ledger, row.campaign, verdict.postId);
      const fileIds = [...progress.files].sort(([one], [other]) => one - other).map(([, id]) => id);
      const result = { postId: verdict.postId, postStatus: '', fileIds, at: tools.now() };
      return { kind: 'posted', result, assets: progress.assets };
    }
    case 'not-posted':
      if (error?.code === 'late' && tools.settings.post.late !== 'now')
        return needsNewTime(error, tools.now());
      return { kind: 'again', fields: [] };
    case 'generated':
      return { kind: 'again', fields: [await generationOf(tools, row, verdict.scheduleId)] };
    case 'not-generated':
      // Without a call in doubt the newest generation is known: it is given up, and the next one is created.
      if (progress.inDoubt !== undefined) return { kind: 'again', fields: [] };
      return { kind: 'again', fields: [[progressField.generationEnded, String(latestGeneration(progress))]] };
  }
}

/** One post is one row's: whoever says otherwise has taken the wrong line. */
async function refuseOthersPost(ledger: Ledger, { account }: Campaign, postId: string): Promise<void> {
  const owned = await ownedPosts(ledger, account, new Set([postId]), 0);
  if (owned.size === 0) return;
  throw new DecisionError(
    `${postId} is the post of another row already`,
    'Look in the service again: each row has a post of its own.',
  );
}

/** Nothing of the row is in doubt any more, but it would only be late again. */
function needsNewTime(error: RowError, at: number): Decision {
  const message = 'Its time had passed before it could be posted, and it was not posted.';
  return { kind: 'failed', error: { ...error, message, cure: 'Give it a new time in the sheet.', at } };
}

async function generationOf(
  { views, now }: DecisionTools,
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

function notInReview(campaign: string, key: string, state: RowState): DecisionError {
  if (state === 'failed') {
    return new DecisionError(
      `row ${key} has failed: only a row in review is settled`,
      `Do it again with: campaigns retry ${campaign} --row ${quote(key)}`,
    );
  }
  return new DecisionError(
    `row ${key} is ${state}: only a row in review is settled`,
    'It may have been settled a moment ago, by somebody else or by an answer that came late.',
  );
}

function wrongForm({ campaign, key }: ReviewRow, isPost: boolean): DecisionError {
  const about = isPost ? 'post' : 'generation';
  return new DecisionError(
    `what has to be decided about row ${key} is its ${about}`,
    decisionCommands(campaign.id, key, about).join('\n'),
  );
}
