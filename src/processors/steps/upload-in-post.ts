/**
 * A post job uploads the only file of its row itself, if that is a small local one: a row then needs one job instead of two. Whatever is
 * out of the ordinary (a large file, an error, a spent rate limit, a paused queue) is left to a job in the queue `upload`, with attempts
 * of its own, and the post waits for it.
 */
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { PostPayload } from '../../queues/row-jobs.ts';
import type { ProcessorContext } from '../runner/context.ts';
import type { Outcome } from '../runner/outcome.ts';
import { idempotent, outcomeOf } from '../runner/retry-policy.ts';
import { type Opened, openStep, type RowInput } from '../runner/step.ts';
import { takenMs } from './upload.ts';
import type { AskToUpload, UploadResult } from './uploads.ts';

/** Bytes. A larger file would hold the place of a post for long. */
const largestInPost = 8 * 1024 * 1024;
/** Longest wait for the rate limit of an upload, in milliseconds: the place of a post is not for waiting. */
const longestWaitMs = 250;
/** How long an answer about a pause is used, in milliseconds. */
const pauseKnownMs = 1000;

/** A file that was uploaded for the row, which the row does not know of yet; undefined if it has its file. Or why the post must wait. */
type Uploaded = { readonly fileId: string | undefined } | { readonly outcome: Outcome };

export async function uploadInPost(input: RowInput<PostPayload>): Promise<Uploaded> {
  const { context, payload, run } = input;
  if (!payload.u) return { fileId: undefined };
  // An earlier run may have left the upload to another job.
  if (run.job.attemptsStarted > 1) {
    const opened = await openStep(input);
    if (!opened.ok) return opened;
    if (opened.progress.files.has(0)) return { fileId: undefined };
  }
  if (!(await mayUpload(context))) return leave(input);
  const began = performance.now();
  try {
    const result = await upload(input);
    if (result === undefined) return leave(input);
    if ('outcome' in result) return result;
    if (result.kind === 'taken') return { outcome: { kind: 'again', at: context.now() + takenMs } };
    if (result.kind === 'withdrawn') return { outcome: { kind: 'again', at: context.now() } };
    count(input, began, 'done');
    return { fileId: result.file.fileId };
  } catch (error) {
    const outcome = outcomeOf(error, idempotent);
    if (outcome === undefined) throw error;
    count(input, began, outcome.kind);
    await tell(input, outcome);
    return leave(input);
  }
}

async function upload(
  input: RowInput<PostPayload>,
): Promise<UploadResult | { readonly outcome: Outcome } | undefined> {
  const { context, target: row, view, account } = input;
  const [source] = row.media;
  if (source === undefined || isUrl(source)) return undefined;
  context.failpoint('during-upload');
  const { files } = context.ledger;
  let opened: Opened | undefined;
  const ask: AskToUpload = async (content, token) => {
    opened = await openStep(input, { claim: files.claimOf(account.name, content, token) });
    return (opened.ok && opened.claim) || { kind: 'withdrawn' };
  };
  const request = {
    account,
    source,
    isAsset: false,
    mediaRoot: view.campaign.mediaRoot,
    kind: row.mediaType,
    needsUrl: false,
    quick: { maxBytes: largestInPost, maxWaitMs: longestWaitMs },
  } as const;
  const result = await context.uploads.upload(request, ask);
  return opened?.ok === false ? opened : result;
}

/** What the settings and people say of uploads is true for these as well. */
async function mayUpload({ uploads, settings, takesUploads, queues }: ProcessorContext): Promise<boolean> {
  if (!takesUploads || uploads.underWay >= settings.concurrency.upload) return false;
  return !(await isPaused(queues));
}

const pauses = new WeakMap<
  ProcessorContext['queues'],
  { readonly until: number; readonly paused: Promise<boolean> }
>();

function isPaused(queues: ProcessorContext['queues']): Promise<boolean> {
  const known = pauses.get(queues);
  if (known && performance.now() < known.until) return known.paused;
  const paused = queues.isPaused('upload');
  pauses.set(queues, { until: performance.now() + pauseKnownMs, paused });
  paused.catch(() => pauses.delete(queues));
  return paused;
}

/** Leaves the upload to a job of its own, which the post waits for. */
async function leave({ context, payload: { c, r, v } }: RowInput<PostPayload>): Promise<Uploaded> {
  await context.queues.addUploadsUnderPost({ c, r, v }, [{ c, r, v, of: 'media', i: 0 }]);
  return { outcome: { kind: 'wait-for-children' } };
}

/** The other job meets the same error, unless it was a temporary one: of that, nobody would know. */
async function tell({ account, context, run }: RowInput<PostPayload>, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'throttled')
    await account.rateLimits.throttled(outcome.operation, outcome.retryAfterMs);
  else if (outcome.kind !== 'retry' && outcome.kind !== 'not-sent') return;
  const { code, message } = outcome.failure;
  const told = outcome.kind === 'throttled' ? 'throttled' : 'retry';
  const attempt = { step: 'upload', outcome: told, message: `${code}: ${message}` } as const;
  await context.ledger.histories.tell(run.campaign, run.rows, attempt);
}

/** Counts the step, which has no job of its own. @param began as `performance.now()`. */
function count({ context, run }: RowInput<PostPayload>, began: number, outcome: Outcome['kind']): void {
  const { job, campaign, place } = run;
  const runMs = Math.round(performance.now() - began);
  const facts = { step: 'upload', queue: 'upload', job: job.id ?? '', outcome, attempt: 1, runMs } as const;
  context.onJobFinished?.({ ...place, campaign, ...facts });
}
