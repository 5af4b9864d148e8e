/** Step `post`: makes the publishing task (contract, section 4.1). By the send journal, a row is never posted twice. */
import { hostname } from 'node:os';
import type { CreatorRef } from '../../ledger/campaigns/campaign.ts';
import { postDigest } from '../../ledger/planned-posts.ts';
import type { Assets, PostedResult } from '../../ledger/rows/results.ts';
import {
  type CoverRecord,
  fileIdsOf,
  filesNeeded,
  type RowProgress,
} from '../../ledger/rows/row-progress.ts';
import type { SamePost } from '../../ledger/transitions/steps.ts';
import { defined } from '../../manifest/defined.ts';
import { type Row, rowNumber } from '../../manifest/row.ts';
import { toleratedMs } from '../../platform/redis/clock.ts';
import { type PostPayload, postPayload } from '../../queues/row-jobs.ts';
import type { CreateCreatorPost, CreatorPost } from '../../service/contract/posts.ts';
import { timeToCome } from '../publishing-records/failed-posts.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { journalledCall, type Send } from '../runner/journalled-call.ts';
import type { Outcome, StepFailure } from '../runner/outcome.ts';
import { type RowInput, rowStep } from '../runner/step.ts';
import { differsFromApproved, type PostApproval, passGates } from './gates.ts';
import { notUploaded } from './upload.ts';
import { uploadInPost } from './upload-in-post.ts';

export const postStep = rowStep<PostPayload>({
  step: 'post',
  parse: (data) => postPayload.parse(data),
  policy: ({ settings }) => ({ journalled: true, on500: settings.post.on500 }),
  act: post,
});

async function post(input: RowInput<PostPayload>): Promise<Outcome> {
  const uploaded = await uploadInPost(input);
  if ('outcome' in uploaded) return uploaded.outcome;
  const gates = await passGates(input, uploaded.fileId);
  if ('outcome' in gates) return gates.outcome;
  await waitForTurn(input);
  return journalledCall(input, {
    operation: 'createCreatorPost',
    effect: 'post',
    fileId: uploaded.fileId,
    same: samePostOf(input),
    prepare: (progress) => prepare(input, progress, gates.approval),
  });
}

/** Generated media are never the same: each generation makes other bytes. */
function samePostOf({ target: row, creator }: RowInput<PostPayload>): SamePost | undefined {
  if (row.generation !== undefined) return undefined;
  return { digest: postDigest(row, creator.creatorId), files: filesNeeded(row) };
}

/** Waits, because more jobs run than calls may be under way: a job may upload its file first. The turn lasts until the outcome is reported. */
async function waitForTurn({ context: { postCalls }, running }: RowInput<PostPayload>): Promise<void> {
  if (running.release) return;
  const [, release] = await postCalls.acquire();
  running.release = release;
}

/** @param approval as the gates found it. */
function prepare(
  input: RowInput<PostPayload>,
  progress: RowProgress,
  approval: PostApproval,
): Outcome | Send {
  const { context, target: row, creator } = input;
  const { cover } = progress;
  const fileIds = fileIdsOf(row, progress);
  if (fileIds === undefined || (row.cover?.kind === 'file' && !cover)) {
    const other = row.cover ? ' (or the cover is missing)' : '';
    return notUploaded(`Uploaded files: ${progress.files.size} of ${filesNeeded(row)}${other}`);
  }
  // Whatever has changed since the gates: nothing is sent but what was approved.
  if (differsFromApproved(input, progress, approval)) return { kind: 'again', at: context.now() };
  const late = tooLate(input);
  if (late) return late;
  const unscheduled = context.settings.post.late === 'now' && isLate(context, row);
  const request = postRequest({ row, creator, fileIds, cover, unscheduled });
  return async (isTooLate) => {
    const created = await input.context.service.client.posts.create(request, { isTooLate });
    const plannedAt = unscheduled ? undefined : row.schedule?.at;
    const { assets, thumbnails } = progress;
    return () => record(input, created, { fileIds, plannedAt, assets, thumbnails });
  };
}

async function record(
  { context, run }: RowInput<PostPayload>,
  created: CreatorPost,
  { assets, thumbnails, ...sent }: Pick<PostedResult, 'fileIds' | 'plannedAt'> & Assets,
): Promise<void> {
  const { postId, status: postStatus = '' } = created;
  const plannedAt = timeToCome(context, { postStatus, plannedAt: sent.plannedAt });
  const result = { postId, postStatus, ...sent, plannedAt, at: context.now() };
  const { campaign, row } = run.ref;
  const facts = { campaign, row: rowNumber(row), postId: created.postId };
  const recorded = await run
    .finish({ verdict: 'posted', result, assets, thumbnails })
    .catch((error: unknown) => {
      context.log.error({ ...facts, error: String(error) }, 'posted, but this could not be recorded');
      throw error;
    });
  if (recorded === 'stale')
    context.log.error(facts, 'posted, but the ledger has this post already, or no such row');
  else if (recorded === 'late')
    context.log.error(facts, 'posted while another call for this row was under way: see the row');
  else context.log.info(facts, 'posted');
}

function isLate({ now }: ProcessorContext, { schedule }: Row): boolean {
  return schedule !== undefined && schedule.at <= now();
}

/** Refuses a row whose scheduled time has passed, unless the settings say to post it now. */
function tooLate(input: RowInput<PostPayload>): Outcome | undefined {
  const { context, target: row, run } = input;
  const { late } = context.settings.post;
  if (late === 'now' || !isLate(context, row)) return undefined;
  const at = new Date(row.schedule?.at ?? 0).toISOString();
  // With an error of the service, or without ever reaching it: the row's history says which.
  const earlier = run.job.attemptsMade > 0 ? ' Earlier attempts failed.' : '';
  const clock = wrongClock(input);
  const then = earlier
    ? "Check the creator's profile, or the service's dashboard. If the post does not exist, give the row a new time in the sheet."
    : 'Give the row a new time in the sheet, or ask an operator to let late rows be posted right away.';
  const failure: StepFailure = {
    code: 'late',
    message: `The scheduled time ${at} passed before the row could be posted.${earlier}${clock}`,
    fix: clock ? `Correct the clock, for example with NTP. ${then}` : then,
  };
  return { kind: late === 'review' ? 'unknown' : 'refused', failure };
}

/** Tells that the row may be late only because a clock is wrong; empty while the clocks agree. */
function wrongClock({ context }: RowInput<PostPayload>): string {
  const { clockAheadMs = 0 } = context.service.reach ?? {};
  if (Math.abs(clockAheadMs) <= toleratedMs) return '';
  const by = `${Math.round(Math.abs(clockAheadMs) / 60_000)} min ${clockAheadMs > 0 ? 'ahead of' : 'behind'}`;
  return ` The clock of ${hostname()} is ${by} the clock of the service.`;
}

export interface PostRequestInput {
  readonly row: Row;
  readonly creator: CreatorRef;
  /** At least one, in display order. */
  readonly fileIds: readonly string[];
  readonly cover: CoverRecord | undefined;
  /** Omit the schedule: its time has passed, and the row is posted now. */
  readonly unscheduled: boolean;
}

export function postRequest(input: PostRequestInput): CreateCreatorPost {
  const { row, creator, fileIds, cover, unscheduled } = input;
  const product = { productId: row.product.id, title: row.product.title, source: row.product.source };
  const { id, ...details } = row.music ?? { id: '' };
  const music = row.music && { musicInfo: { id, ...defined(details) } };
  const schedule = unscheduled ? undefined : row.schedule;
  const common = {
    businessId: fileIds[0] ?? '',
    businessType: 'FILE' as const,
    creatorId: creator.creatorId,
    title: row.caption,
    platform: 'SOCIAL_SHOP' as const,
    ...defined({ scheduledAt: schedule?.at, scheduledTz: schedule?.tz, oauthRegion: row.oauthRegion }),
  };
  if (row.mediaType === 'PHOTO') {
    return {
      ...common,
      mediaType: 'PHOTO',
      socialShopPhoto: {
        postType: 'MULTI_PHOTO_ONE_ANCHOR',
        businessIds: [...fileIds],
        productLinks: [product],
        ...music,
      },
    };
  }
  const uploaded = row.cover?.kind === 'uploaded' ? row.cover : cover;
  const { preCheck, preCheckOvertime, isAiGenerated } = row;
  return {
    ...common,
    mediaType: 'VIDEO',
    ...(uploaded && { coverFileId: uploaded.fileId }),
    socialShop: {
      ...defined({ preCheck, preCheckOvertime, isAiGenerated }),
      ...(uploaded && { coverUri: uploaded.uri }),
      ...(row.cover?.kind === 'frame' && { coverTimestampMs: row.cover.timestampMs }),
      ...music,
      productInfo: product,
    },
  };
}
