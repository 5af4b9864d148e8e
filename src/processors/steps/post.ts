/** Step `post`: creates the publishing task. Guarded by the send journal: never sent twice by our own doing. */
import type { CreatorPost } from '../../api/contract/posts.ts';
import type { RowProgress } from '../../ledger/row-progress.ts';
import type { RowPayload } from '../../queues/jobs.ts';
import { postPayload, postQueue } from '../../queues/post.ts';
import { longestWaitMs, type ProcessorContext } from '../frame/context.ts';
import { done, type Outcome } from '../frame/outcome.ts';
import { openStep, type StepDefinition, type StepInput } from '../frame/step.ts';
import { fileIdsOf, filesNeeded, postRequest } from './post-request.ts';

const operation = 'createCreatorPost';

export const postStep: StepDefinition<RowPayload> = {
  step: 'post',
  queue: postQueue,
  parse: (data) => postPayload.parse(data),
  policy: ({ settings }) => ({ journalled: true, on500: settings.post.on500 }),
  act: post,
};

async function post(context: ProcessorContext, input: StepInput<RowPayload>): Promise<Outcome> {
  const { row, run, view, account } = input;
  const turn = await account.budgets.take(operation, longestWaitMs);
  if (!turn.granted) return { kind: 'park', ms: turn.waitMs };

  context.failpoint('before-sending');
  const opened = await openStep(context, run, 'post');
  if (!opened.ok) return opened.outcome;
  const fileIds = fileIdsOf(row, opened.progress);
  if (!fileIds || (row.cover?.kind === 'file' && !opened.progress.cover))
    return missingFiles(input, opened.progress);
  // Judged only now: an attempt before this one may have sent it in time, and then the row is in review for that.
  const late = row.schedule !== undefined && row.schedule.at <= context.now();
  if (late && context.settings.post.late !== 'now') return tooLate(context, input);

  const creator = view.creator(row.creator);
  const request = postRequest({ row, creator, fileIds, cover: opened.progress.cover, unscheduled: late });
  context.failpoint('after-sending');
  const created = await account.client.posts.create(request);
  context.failpoint('after-answer');
  await record(context, input, created, fileIds, opened.progress.assets);
  context.failpoint('after-bookkeeping');
  return done;
}

async function record(
  context: ProcessorContext,
  { run }: StepInput<RowPayload>,
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

/** The row's time has passed before it could be posted. Nothing was sent by this attempt, and the journal says so. */
async function tooLate(context: ProcessorContext, { row, run }: StepInput<RowPayload>): Promise<Outcome> {
  await run.clearJournal();
  const at = new Date(row.schedule?.at ?? 0).toISOString();
  const earlier = run.job.attemptsMade > 0 ? ' Earlier attempts were answered by errors of the service.' : '';
  const failure = {
    code: 'late',
    message: `Its time, ${at}, had passed before it could be posted.${earlier}`,
    cure: earlier
      ? 'Look in the service whether it is there all the same; if not, give it a new time in the sheet.'
      : 'Give it a new time in the sheet, or let it be posted at once (setting post.late).',
  };
  return { kind: context.settings.post.late === 'review' ? 'unknown' : 'refused', failure };
}

/** Children were removed by hand: the post must not go out incomplete. Nothing was sent. */
function missingFiles({ row }: StepInput<RowPayload>, progress: RowProgress): Outcome {
  const failure = {
    code: 'media_not_uploaded',
    message: `Only ${progress.files.size} of its ${filesNeeded(row)} files${row.cover ? ' or not its cover' : ''} are uploaded; jobs of this row were removed.`,
    cure: 'Retry the row: what is missing is done again.',
  };
  return { kind: 'refused', failure };
}
