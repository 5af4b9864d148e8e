/**
 * Bull Board shows the queues to operators: its buttons are safe here, and jobs have titles for people, the row's result, and errors
 * without stack traces. It has no authentication of its own: see `app.ts`.
 */
import { createBullBoard } from '@bull-board/api';
import type { BoardHooks, UIConfig } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Ledger } from '../../ledger/ledger.ts';
import { ofSteps, stepFacts } from '../../manifest/steps.ts';
import type { QueueName, Queues } from '../../queues/queues.ts';
import { queueTitles } from '../pages/queues/rate-limits.ts';
import { boundNumbers, isChange, refusalOf } from './guard.ts';
import { GuardedQueue, RefusedChangeError } from './guarded-queue.ts';
import type { Redact } from './redaction.ts';
import { describeJobs, type ShownJob } from './shown-jobs.ts';

export interface BoardOptions {
  readonly queues: Queues;
  readonly ledger: Ledger;
  readonly redact: Redact;
  /** Logs every change, made or refused. */
  readonly log: Logger;
  /** Path of the board, without a slash at the end. */
  readonly path: string;
  readonly look: UIConfig;
}

const descriptions: Readonly<Record<QueueName, string>> = {
  ...ofSteps((step) => stepFacts[step].about),
  campaign: 'Starts waiting rows as others end, and repairs lost jobs',
  notify: 'Sends signed messages to webhook endpoints',
  scrape: 'Updates the public figures of videos',
};

export async function createBoard({
  queues,
  ledger,
  redact,
  log,
  path,
  look,
}: BoardOptions): Promise<Express> {
  const adapter = new ExpressAdapter().setBasePath(path);
  const shown = Object.entries(queueTitles).map(async ([name, title]) => {
    const queue = await queues.queue(name as QueueName);
    return new GuardedQueue(queue, title, descriptions[name as QueueName]);
  });
  createBullBoard({
    queues: await Promise.all(shown),
    serverAdapter: adapter,
    options: {
      uiConfig: look,
      handlerHooks: boardHooks(redact, log, createPresentation(queues, ledger)),
    },
  });
  // The board's own error handler would show any error unredacted.
  adapter.setErrorHandler((error) => errorAnswer(error, redact, log));
  const board = adapter.getRouter() as Express;
  return board.disable('x-powered-by');
}

/** Redacts answers here, because the board's own formatters skip error texts, stack traces and logs. */
function boardHooks(redact: Redact, log: Logger, present: PresentJobs): BoardHooks {
  return {
    before({ method, route, request }) {
      request.query = boundNumbers(request.query);
      const { params } = request;
      if (!isChange(method)) return;
      const message = refusalOf({ method, route, params });
      log.info({ change: `${method} ${route}`, params, refused: message }, 'bull board');
      if (message !== undefined) return { allow: false, status: 403, message };
    },
    async after({ method, request: { params } }, answer) {
      const body = isChange(method) ? answer.body : await present(answer.body, params?.queueName);
      return { ...answer, body: redact(body) as typeof answer.body };
    },
  };
}

function errorAnswer(error: Error & { readonly statusCode?: number }, redact: Redact, log: Logger) {
  if (error instanceof RefusedChangeError) {
    const key = 'ERRORS.FORBIDDEN' as const;
    return { status: error.statusCode as 403 | 409, body: { error: { key }, message: error.message } };
  }
  const message = String(redact(error.message));
  log.warn({ error: message }, 'bull board');
  // It decodes names once more, which fails for some.
  const isOfRequest = error instanceof URIError || (error.statusCode ?? 500) < 500;
  const status = isOfRequest ? 400 : 500;
  return { status, body: { error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' as const }, message } } as const;
}

interface AnsweredJob {
  readonly id: string;
  readonly name: string;
  readonly data?: { readonly of?: string; readonly i?: number } | null;
  readonly attempts?: number;
  readonly finishedOn?: number | null;
  readonly failedReason?: string;
  readonly stacktrace?: readonly string[];
}

/** @param queue the queue in the request. @returns a copy of the answer, with each job as people should see it. */
type PresentJobs = (body: unknown, queue: string | undefined) => Promise<unknown>;

function createPresentation(queues: Queues, ledger: Ledger): PresentJobs {
  return async (body, queue) => {
    const jobs = findJobs(body, queue);
    if (jobs.length === 0) return body;
    const shown = await describeJobs(
      ledger,
      jobs.map(({ job }) => job.id),
    );
    const ended = jobs.filter(({ job }) => job.finishedOn);
    const states = await Promise.all(
      ended.map(async ({ job, of }) => (await queues.queue(of as QueueName)).getJobState(job.id)),
    );
    const done = new Set(ended.flatMap(({ job }, index) => (states[index] === 'completed' ? [job.id] : [])));
    return replaceJobs(body, (job) => present(job, shown.get(job.id), done.has(job.id)));
  };
}

function present(job: AnsweredJob, shown: ShownJob | undefined, isDone: boolean): object {
  const name = titleOf(job, shown);
  if (!('stacktrace' in job)) return { ...job, name };
  // Retried and completed jobs keep their old stack traces.
  const isOld = isDone || (!job.finishedOn && job.attempts === 0);
  const reason = isOld ? '' : reasonOf(job, shown);
  return {
    ...job,
    name,
    failedReason: reason,
    stacktrace: reason === '' ? [] : [reason],
    isFailed: reason !== '',
    ...(shown?.result && { returnValue: shown.result }),
  };
}

function titleOf({ id, name, data }: AnsweredJob, shown: ShownJob | undefined): string {
  const isOneOfMany = data?.of !== undefined && (data.of !== 'media' || (data.i ?? 0) > 0);
  const file = isOneOfMany ? ` · ${data?.of} ${(data?.i ?? 0) + 1}` : '';
  if (shown) return `${shown.title}${file}`;
  const [, campaign, row] = /^([^-]+)-(\d+)-\d+-/.exec(id) ?? [];
  return row === undefined ? name : `row ${Number(row) + 1} below the header, ${campaign}${file}`;
}

/** Code, message and fix. The fix comes from the ledger; the job has only the other two. */
function reasonOf({ id, failedReason = '' }: AnsweredJob, shown: ShownJob | undefined): string {
  const { error } = shown?.result ?? {};
  if (failedReason === '' || error === undefined || !id.includes(`-${error.step}`)) return failedReason;
  return [`${error.code}: ${error.message}`, error.fix].filter(Boolean).join('\n');
}

function isJob(value: object): value is AnsweredJob {
  const { id, name } = value as Partial<AnsweredJob>;
  return typeof id === 'string' && typeof name === 'string';
}

/** Jobs with their queue: the queue of the request, of the list, or of the flow that they are in. */
function findJobs(body: unknown, queue: string | undefined): readonly { job: AnsweredJob; of: string }[] {
  if (Array.isArray(body)) return body.flatMap((inner) => findJobs(inner, queue));
  if (typeof body !== 'object' || body === null) return [];
  const { queueName, jobs, name } = body as Record<string, unknown>;
  const of = typeof queueName === 'string' ? queueName : Array.isArray(jobs) ? String(name) : queue;
  const inside = Object.values(body).flatMap((inner) => findJobs(inner, of));
  return isJob(body) && of !== undefined ? [{ job: body, of }, ...inside] : inside;
}

function replaceJobs(value: unknown, change: (job: AnsweredJob) => object): unknown {
  if (Array.isArray(value)) return value.map((inner) => replaceJobs(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaceJobs(inner, change)]),
  );
  return isJob(value) ? change(copy as unknown as AnsweredJob) : copy;
}
