/**
 * Step `poll`: reads a generation's tasks until all are terminal, then adds the uploads of its assets under the post.
 *
 * An unusable answer (network, 5xx, 429, not as in the contract) says nothing about the generation: the step polls again, until
 * the deadline sends the row to review. Refusals send it there sooner, because a schedule that the service does not know will stay
 * unknown. A generation is created again only if it ended explicitly.
 */

import { packAssets } from '../../ledger/rows/results.ts';
import {
  type GenerationRecord,
  latestGeneration,
  progressField,
  type RowProgress,
} from '../../ledger/rows/row-progress.ts';
import type { Generation } from '../../manifest/row.ts';
import { jobData, type PollPayload, pollPayload } from '../../queues/row-jobs.ts';
import {
  ApiError,
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  KeyRefusedError,
  NotSentError,
  RefusedError,
  ThrottledError,
} from '../../service/errors.ts';
import { generationToCreate } from '../admission/flow-plan.ts';
import { done, type Outcome, type StepFailure } from '../runner/outcome.ts';
import { takePermit } from '../runner/service.ts';
import { type RowInput, refusedForEveryone, rowStep, startStep } from '../runner/step.ts';
import { type GenerationProgress, readProgress } from './assets.ts';

const operation = 'listAiTasksByScheduleId';
/** One refusal may be a temporary fault of the service; this many in a row are its answer. */
const mostRefusals = 3;

export const pollStep = rowStep<PollPayload>({
  step: 'poll',
  parse: (data) => pollPayload.parse(data),
  act: poll,
});

type PollInput = RowInput<PollPayload>;

async function poll(input: PollInput): Promise<Outcome> {
  const { context, target: row, run } = input;
  if (!row.generation) return done;
  const started = await startStep(input);
  if (!started.ok) return started.outcome;
  const { progress } = started;
  if (progress.assets.length >= row.generation.count) return addUploads(input, progress.assets);

  const next = generationToCreate(progress);
  if (next !== undefined) return createAgain(input, next);
  const record = progress.generations.get(latestGeneration(progress));
  if (!record) return done;

  const { execAt } = row.generation;
  if (execAt) {
    const asleep = execAt > context.now();
    const reply = await context.ledger.steps.sleep(run.ref, asleep);
    if (reply === 'wake') await context.queues.wakeAdmission(run.ref.campaign);
    if (asleep) return { kind: 'again', at: execAt + context.settings.generation.poll.first };
  }
  return ask(input, { generation: row.generation, progress, record });
}

interface OpenGeneration {
  readonly generation: Generation;
  readonly progress: RowProgress;
  readonly record: GenerationRecord;
}

async function ask(input: PollInput, asked: OpenGeneration): Promise<Outcome> {
  const { context } = input;
  await takePermit(context.service, operation);
  context.failpoint('during-poll');
  let answer: Awaited<ReturnType<typeof readTasks>>;
  try {
    answer = await readTasks(input, asked);
  } catch (error) {
    return unanswered(input, asked.record, error);
  }
  if (answer.terminal) return settle(input, asked, answer);
  const statuses = answer.statuses.join(', ') || 'no task in the list';
  const last = `the last answer was: ${statuses}${answer.shown}`;
  return askAgain(input, asked.record, { last, refused: 0 });
}

async function readTasks({ context, running }: PollInput, { generation, record }: OpenGeneration) {
  const { signal } = running;
  const page = await context.service.client.generations.list(record.scheduleId, { signal });
  const progress = readProgress(page.list, record, generation.type, context.settings.generation);
  const { sent, total = sent } = page;
  // Tasks that are not in the list have no status: with some left out, a generation may seem to never end.
  return { ...progress, shown: total > sent ? ` (${sent} of ${total} tasks shown)` : '' };
}

/** All tasks are terminal: takes their assets. Missing ones are generated again as often as the settings allow. */
async function settle(
  input: PollInput,
  { generation, progress, record }: OpenGeneration,
  { urls, ended, ...answer }: GenerationProgress,
): Promise<Outcome> {
  const { context, run, payload } = input;
  const assets = [...progress.assets, ...urls].slice(0, generation.count);
  const thumbnails = [...progress.thumbnails, ...answer.thumbnails];
  const assetsField = [progressField.assets, packAssets({ assets, thumbnails })] as const;
  const made = `${assets.length} of ${generation.count} ${generation.count === 1 ? 'output' : 'outputs'}`;
  if (assets.length >= generation.count || !ended) {
    const detail = `${made}, at request ${payload.polls + 1}`;
    await run.finish({ verdict: 'ok', fields: [assetsField], detail });
    return addUploads(input, assets);
  }
  const { code, status } = ended;
  const number = latestGeneration(progress);
  const fields = [assetsField, [progressField.generationEnded, String(number)] as const];
  if (number <= context.settings.generation.retries) {
    await run.finish({ verdict: 'ok', fields, detail: `ended as ${status}, ${made}` });
    return createAgain(input, number + 1);
  }
  const change = code === 'generation_failed' ? 'Change the prompt, or retry' : 'Retry';
  const failure: StepFailure = {
    code,
    message: `The generation ended as ${status} with ${made}.`,
    subject: record.scheduleId,
    fix: `${change} the row: retrying pays for the missing outputs again.`,
  };
  // Written together with the row's end: these fields alone would look like a request for another generation.
  return { kind: 'refused', failure, fields };
}

/** A poll without a usable answer. Polls again, unless the error concerns the key or the creator. */
async function unanswered(input: PollInput, record: GenerationRecord, error: unknown): Promise<Outcome> {
  if (!(error instanceof ApiError)) throw error;
  if (error instanceof KeyRefusedError || error instanceof CreatorAuthorizationExpiredError) throw error;
  if (error instanceof RefusedError) return refused(input, record, error);
  await input.run.recordAttempt(error instanceof ThrottledError ? 'throttled' : 'again', error);
  if (error instanceof ThrottledError)
    await input.context.service.rateLimits.throttled(operation, error.retryAfterMs);
  const isSilent = input.context.service.reach?.covers(!(error instanceof NotSentError)) ?? false;
  return askAgain(input, record, { last: error.message, refused: input.payload.refused, isSilent });
}

/** Most likely the schedule does not exist: a person entered a wrong id, or it was deleted. */
async function refused(input: PollInput, record: GenerationRecord, error: RefusedError): Promise<Outcome> {
  const { message } = error;
  const pause = error instanceof ForbiddenError && (await refusedForEveryone(input, error));
  if (pause) return pause;
  const refusals = input.payload.refused + 1;
  if (refusals < mostRefusals) {
    await input.run.recordAttempt('again', error);
    return askAgain(input, record, { last: message, refused: refusals });
  }
  const failure: StepFailure = {
    code: 'poll_refused',
    message: `The service refused to give the AI result ${refusals} times in a row: ${message.replace(/\.$/, '')}.`,
    subject: record.scheduleId,
    fix: "Check the service's dashboard for the schedule, then decide. If you enter the right schedule id, the row resumes.",
  };
  return { kind: 'unknown', failure };
}

/** @param poll.last answer, for people. @param poll.refused polls refused in a row. @param poll.isSilent delays the deadline. */
async function askAgain(
  { context, run, payload }: PollInput,
  record: GenerationRecord,
  { last, refused, isSilent = false }: { last: string; refused: number; isSilent?: boolean },
): Promise<Outcome> {
  const { poll } = context.settings.generation;
  const now = context.now();
  const deadline = record.since + poll.deadline;
  if (now >= deadline && !isSilent) {
    const failure: StepFailure = {
      code: 'poll_deadline',
      message: `The generation was not complete in time: ${last.replace(/\.$/, '')}.`,
      subject: record.scheduleId,
      fix: "Check the service's dashboard for the schedule, then decide. If you enter its id, the row resumes, with a new deadline.",
    };
    return { kind: 'unknown', failure };
  }
  const polls = payload.polls + 1;
  await run.job.updateData(jobData({ ...payload, polls, refused }));
  const interval = pollInterval(polls, poll);
  return { kind: 'again', at: now < deadline ? Math.min(now + interval, deadline) : now + interval };
}

/** Milliseconds until the next poll: grows by half each time, up to `max`. @param polls polls so far, from 1. */
export function pollInterval(polls: number, { first, max }: { first: number; max: number }): number {
  return Math.min(max, first * 1.5 ** Math.min(Math.max(polls - 1, 0), 50));
}

async function createAgain({ context, payload, run }: PollInput, number: number): Promise<Outcome> {
  // The counts are of one generation.
  await run.job.updateData(jobData({ ...payload, polls: 0, refused: 0 }));
  await context.queues.addGenerationUnderPoll(payload, number);
  return { kind: 'wait-for-children' };
}

async function addUploads({ context, payload }: PollInput, assets: readonly string[]): Promise<Outcome> {
  const uploads = assets.map((_url, i) => ({ of: 'asset' as const, i }));
  await context.queues.addUploadsUnderPost(payload, uploads);
  return done;
}
