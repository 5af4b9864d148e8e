/** Presents jobs on the board: titles for people, the row's result, and errors without stack traces. */
import type { DescribeJobs, ShownJob } from '../../campaigns/progress/shown-jobs.ts';
import type { QueueName, Queues } from '../../queues/queues.ts';

/** A job in an answer of the board's API. */
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
export type PresentJobs = (body: unknown, queue: string | undefined) => Promise<unknown>;

export function createPresentation(queues: Queues, describe: DescribeJobs): PresentJobs {
  return async (body, queue) => {
    const jobs = findJobs(body, queue);
    if (jobs.length === 0) return body;
    const shown = await describe(jobs.map(({ job }) => job.id));
    const ended = jobs.filter(({ job }) => job.finishedOn);
    const states = await Promise.all(
      ended.map(({ job, of }) => queues.queue(of as QueueName).getJobState(job.id)),
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

/** Code, message and cure. The cure comes from the ledger; the job has only the other two. */
function reasonOf({ id, failedReason = '' }: AnsweredJob, shown: ShownJob | undefined): string {
  const { error } = shown?.result ?? {};
  if (failedReason === '' || error === undefined || !id.includes(`-${error.step}`)) return failedReason;
  return [`${error.code}: ${error.message}`, error.cure].filter(Boolean).join('\n');
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
