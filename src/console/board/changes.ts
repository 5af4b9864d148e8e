/**
 * Which changes Bull Board may make, route by route. Other routes are refused, so that a later version of the board cannot add a
 * change that nobody has examined. docs/bull-board.md describes the effects.
 */

export interface BoardChange {
  readonly method: string;
  readonly route: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const queue = '/api/queues/:queueName';
const job = `${queue}/:jobId`;
const scheduler = `${queue}/job-schedulers/:schedulerId`;

type Judge = (params: BoardChange['params']) => string | undefined;

const allowed: Judge = () => undefined;
const refused =
  (reason: string): Judge =>
  () =>
    reason;

const onlyFailed: Judge = ({ queueStatus }) =>
  queueStatus === 'failed' ? undefined : 'Only failed jobs can be retried. Completed work is not repeated.';

const onlyEnded: Judge = ({ queueStatus }) =>
  queueStatus === 'failed' || queueStatus === 'completed'
    ? undefined
    : 'Only failed and completed jobs can be cleaned: a row that loses its job fails. Pause or cancel the campaign instead.';

const notAdmission: Judge = ({ queueName }) =>
  queueName === 'campaign' ? 'These jobs wake automatically.' : undefined;

const byCommand = refused('Jobs are made only from the rows of a campaign. Import a sheet, or retry rows.');
const byRescuer = refused('The workers own this schedule: it repairs lost jobs.');
const byRateLimit = refused('The rate limits in the settings set the rate of each operation.');
const byLedger = refused(
  'The runner decides which row a job is for, and when it runs. Neither can be edited.',
);

const judges: ReadonlyMap<string, Judge> = new Map([
  [`put ${job}/retry`, allowed],
  [`put ${queue}/retry/:queueStatus`, onlyFailed],
  [`put ${job}/clean`, allowed],
  [`put ${queue}/clean/:queueStatus`, onlyEnded],
  [`put ${job}/promote`, notAdmission],
  [`put ${queue}/promote`, notAdmission],
  [`put ${queue}/pause`, allowed],
  [`put ${queue}/resume`, allowed],
  ['put /api/queues/pause', allowed],
  ['put /api/queues/resume', allowed],

  [
    `put ${queue}/empty`,
    refused('Every row with a job here would fail. Pause or cancel the campaign instead.'),
  ],
  [
    `put ${queue}/obliterate`,
    refused('Every row with a job here would lose it. Cancel the campaign instead.'),
  ],
  [
    `put ${job}/remove-unprocessed-children`,
    refused('The parent job would run without the results that it waits for.'),
  ],
  [`post ${queue}/add`, byCommand],
  [`patch ${job}/update-data`, byLedger],
  [`patch ${job}/delay`, byLedger],
  [`patch ${job}/priority`, byLedger],
  [`put ${queue}/concurrency`, refused('The setting "concurrency" decides how many jobs run at once.')],
  [`put ${queue}/rate-limit`, byRateLimit],
  [`put ${queue}/rate-limit/release`, byRateLimit],
  [`put ${scheduler}/remove`, byRescuer],
  [`patch ${scheduler}`, byRescuer],
  [`put ${scheduler}/run`, byRescuer],
]);

export function isChange(method: string): boolean {
  return method !== 'get';
}

/** Why a change is refused, for people; undefined if it is allowed. */
export function refusalOf({ method, route, params }: BoardChange): string | undefined {
  const judge = judges.get(`${method} ${route}`);
  return judge ? judge(params) : 'This change is switched off here.';
}
