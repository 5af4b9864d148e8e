/** Step `post`: creates the publishing task. Protected by the send journal, so that a row is never posted twice. */
import type { CreatorPost } from '../../api/contract/posts.ts';
import type { RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Row } from '../../manifest/row.ts';
import { type RowPayload, rowPayload } from '../../queues/jobs.ts';
import { postQueue } from '../../queues/post.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { journalledCall } from '../frame/journalled-call.ts';
import type { Outcome } from '../frame/outcome.ts';
import { type RowInput, rowStep } from '../frame/row-step.ts';
import { fileIdsOf, filesNeeded, postRequest } from './post-request.ts';

export const postStep = rowStep<RowPayload>({
  step: 'post',
  queue: postQueue,
  parse: (data) => rowPayload.parse(data),
  policy: ({ settings }) => ({ journalled: true, on500: settings.post.on500 }),
  act: post,
});

async function post(input: RowInput<RowPayload>): Promise<Outcome> {
  const { context, target: row, creator, account } = input;
  return journalledCall(input, {
    operation: 'createCreatorPost',
    effect: 'post',
    refuse: (progress) => missingFiles(row, progress) ?? tooLate(input),
    request: (progress) => {
      const fileIds = fileIdsOf(row, progress) ?? [];
      const unscheduled = context.settings.post.late === 'now' && isLate(context, row);
      return { fileIds, post: postRequest({ row, creator, fileIds, cover: progress.cover, unscheduled }) };
    },
    send: ({ post }) => account.client.posts.create(post),
    record: (created, { fileIds }, { assets }) => record(input, created, fileIds, assets),
  });
}

async function record(
  { context, run }: RowInput<RowPayload>,
  created: CreatorPost,
  fileIds: readonly string[],
  assets: readonly string[],
): Promise<void> {
  const result = {
    postId: created.postId,
    postStatus: created.status ?? '',
    fileIds,
    at: context.now(),
  };
  const { campaign, row } = run.ref;
  const recorded = await run.finish({ verdict: 'posted', result, assets });
  const facts = { campaign, row: row + 1, postId: created.postId };
  if (recorded) context.log.info(facts, 'posted');
  else context.log.error(facts, 'posted, but the ledger has another post of this row');
}

/** Upload jobs were removed by hand: the post must not be sent incomplete. */
function missingFiles(row: Row, progress: RowProgress): Outcome | undefined {
  const isComplete = fileIdsOf(row, progress) && (row.cover?.kind !== 'file' || progress.cover);
  if (isComplete) return undefined;
  const failure = {
    code: 'media_not_uploaded',
    message: `Only ${progress.files.size} of ${filesNeeded(row)} files are uploaded${row.cover ? ', or the cover is missing' : ''}, because jobs of this row were removed.`,
    cure: 'Retry the row: missing uploads are done again.',
  };
  return { kind: 'refused', failure };
}

function isLate({ now }: ProcessorContext, { schedule }: Row): boolean {
  return schedule !== undefined && schedule.at <= now();
}

/** Refuses a row whose scheduled time has passed, unless the settings say to post it now. */
function tooLate({ context, target: row, run }: RowInput<RowPayload>): Outcome | undefined {
  const { late } = context.settings.post;
  if (late === 'now' || !isLate(context, row)) return undefined;
  const at = new Date(row.schedule?.at ?? 0).toISOString();
  const earlier =
    run.job.attemptsMade > 0 ? ' Earlier attempts were answered with errors of the service.' : '';
  const failure = {
    code: 'late',
    message: `The scheduled time ${at} passed before the row could be posted.${earlier}`,
    cure: earlier
      ? 'Check in the service whether the post exists. If not, give the row a new time in the sheet.'
      : 'Give the row a new time in the sheet, or let late rows be posted at once (setting post.late).',
  };
  return { kind: late === 'review' ? 'unknown' : 'refused', failure };
}
