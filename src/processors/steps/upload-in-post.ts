/**
 * A post job uploads the only file of its row itself, if that is a small local one: a row then needs one job instead of two. Whatever is
 * out of the ordinary (a large file, an error, a spent rate limit, a paused queue) is left to a job in the queue `upload`, with attempts
 * of its own, and the post waits for it.
 */
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { PostPayload } from '../../queues/row-jobs.ts';
import { MediaError } from '../../service/media/errors.ts';
import type { ProcessorContext } from '../runner/context.ts';
import type { Outcome, StepFailure } from '../runner/outcome.ts';
import { idempotent, outcomeOf } from '../runner/retry-policy.ts';
import { type RowInput, type StartedStep, startStep } from '../runner/step.ts';
import { takenMs } from './upload.ts';
import { type AskToUpload, NoPlaceError, type UploadResult } from './uploads.ts';

/** Bytes. A larger file would hold the place of a post for long. */
const largestInPost = 8 * 1024 * 1024;
/** Longest wait for the rate limit of an upload, in milliseconds: the place of a post is not for waiting. */
const longestWaitMs = 250;
/** Longest wait while as many uploads as may be are under way, in milliseconds: posts whose files are there wait behind this one. */
const placeWithinMs = 1000;
/** How long an answer about a pause is used, in milliseconds. */
const pauseKnownMs = 1000;

/** A file that was uploaded for the row, which the row does not know of yet; undefined if it has its file. Or why the post must wait. */
type Uploaded = { readonly fileId: string | undefined } | { readonly outcome: Outcome };

/** Uploads the row's file, if its post job is to do so and the row lacks it. @throws errors of Redis; others become an outcome. */
export async function uploadInPost(input: RowInput<PostPayload>): Promise<Uploaded> {
  const { context, payload, run, target: row } = input;
  if (!payload.u) return { fileId: undefined };
  // An earlier run may have left the upload to another job.
  if (run.job.attemptsStarted > 1) {
    const started = await startStep(input);
    if (!started.ok) return started;
    if (started.progress.files.has(0)) return { fileId: undefined };
  }
  // Uploads may be for other processes, or paused by a person.
  if (!context.takesUploads || (await isPaused(context.queues))) return deferUpload(input);
  const began = performance.now();
  run.step = 'upload';
  try {
    const result = await upload(input);
    if (result === undefined) return await deferUpload(input);
    if ('outcome' in result) return result;
    if (result.kind === 'taken') return { outcome: { kind: 'again', at: context.now() + takenMs } };
    if (result.kind === 'withdrawn') return { outcome: { kind: 'again', at: context.now() } };
    count(input, began, 'done');
    run.step = 'post';
    return { fileId: result.file.fileId };
  } catch (error) {
    const isTooLarge = error instanceof MediaError && error.code === 'media_too_large';
    if (isTooLarge || error instanceof NoPlaceError) return deferUpload(input);
    const outcome = outcomeOf(error, idempotent, row.media[0]);
    if (outcome === undefined) throw error;
    count(input, began, outcome.kind);
    return deferAfter(input, outcome);
  }
}

async function upload(
  input: RowInput<PostPayload>,
): Promise<UploadResult | { readonly outcome: Outcome } | undefined> {
  const { context, target: row, view } = input;
  const [source] = row.media;
  if (source === undefined || isUrl(source)) return undefined;
  context.failpoint('during-upload');
  const { files } = context.ledger;
  let started: StartedStep | undefined;
  const ask: AskToUpload = async (content, token) => {
    started = await startStep(input, { claim: files.claimOf(content, token) });
    return (started.ok && started.claim) || { kind: 'withdrawn' };
  };
  const { mediaRoot } = view.campaign;
  const quick = { maxBytes: largestInPost, maxWaitMs: longestWaitMs, placeWithinMs };
  const file = { source, isAsset: false, mediaRoot, kind: row.mediaType, needsUrl: false };
  const result = await context.uploads.upload({ service: context.service, ...file, quick }, ask);
  return started?.ok === false ? started : result;
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

interface DeferOptions {
  /** Attempts of the other job; default: as many as any. */
  readonly attempts?: number;
  /** Why the upload was refused: the other job ends the row, where people look for failed uploads. */
  readonly refused?: StepFailure;
}

/** Defers the upload to a job of its own, which the post waits for. */
async function deferUpload(
  { context, payload }: RowInput<PostPayload>,
  { attempts, refused }: DeferOptions = {},
): Promise<Uploaded> {
  await context.queues.addUploadsUnderPost(payload, [{ of: 'media', i: 0, refused }], attempts);
  return { outcome: { kind: 'wait-for-children' } };
}

/** Defers the upload after a failed try, which counts as one of the other job's attempts. */
async function deferAfter(input: RowInput<PostPayload>, outcome: Outcome): Promise<Uploaded> {
  const { run } = input;
  const { service } = input.context;
  switch (outcome.kind) {
    case 'snooze':
      return deferUpload(input);
    case 'throttled':
      await service.rateLimits.throttled(outcome.operation, outcome.retryAfterMs);
      await run.recordAttempt('throttled', outcome.failure);
      return deferUpload(input);
    case 'retry':
    case 'not-sent': {
      const isUnanswered = outcome.kind === 'not-sent' || outcome.isUnanswered;
      if (isUnanswered && service.reach?.covers(outcome.kind === 'retry')) return deferUpload(input);
      const { attempts = 1 } = run.job.opts;
      if (attempts === 1) return deferUpload(input, { refused: outcome.failure });
      await run.recordAttempt('retry', outcome.failure);
      return deferUpload(input, { attempts: attempts - 1 });
    }
    case 'refused':
      return outcome.isForbidden ? { outcome } : deferUpload(input, { refused: outcome.failure });
    default:
      return { outcome };
  }
}

/** Counts the step, which has no job of its own. @param began as `performance.now()`. */
function count({ context, run }: RowInput<PostPayload>, began: number, outcome: Outcome['kind']): void {
  const { job, campaign, place } = run;
  const runMs = Math.round(performance.now() - began);
  const facts = { step: 'upload', queue: 'upload', job: job.id ?? '', outcome, attempt: 1, runMs } as const;
  context.onJobFinished?.({ ...place, campaign, ...facts });
}
