/**
 * What may be changed in Bull Board, route by route. A route that is on no line is refused, so that a later version of the
 * board does not bring in a change that nobody has looked at. What the changes lead to is in docs/operations.md.
 */

/** A request of the board that would change something, as its routes are written there. */
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
  queueStatus === 'failed' ? undefined : 'Only failed jobs can be retried: what is done is not done again.';

const onlyEnded: Judge = ({ queueStatus }) =>
  queueStatus === 'failed' || queueStatus === 'completed'
    ? undefined
    : 'Only failed and completed jobs can be cleaned: rows whose jobs are gone would fail. Pause or cancel the campaign instead.';

const notAdmission: Judge = ({ queueName }) =>
  queueName === 'campaign' ? 'Admissions and the keeper wake by themselves.' : undefined;

const byCommand = refused('Jobs are made from the rows of a campaign only: campaigns import, run or retry.');
const byKeeper = refused('The schedule of the keeper belongs to the workers: it repairs what is lost.');
const byBudget = refused('Rates are set by the budgets in the settings, one for each operation.');
const byLedger = refused('A job says which row it works for, and the ledger when: neither can be edited.');

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
    refused('Every row with a job here would be torn from it. Cancel the campaign instead.'),
  ],
  [`put ${job}/remove-unprocessed-children`, refused('The job above would run without what it waits for.')],
  [`post ${queue}/add`, byCommand],
  [`patch ${job}/update-data`, byLedger],
  [`patch ${job}/delay`, byLedger],
  [`patch ${job}/priority`, byLedger],
  [`put ${queue}/concurrency`, refused('How many jobs run at once is the setting "concurrency".')],
  [`put ${queue}/rate-limit`, byBudget],
  [`put ${queue}/rate-limit/release`, byBudget],
  [`put ${scheduler}/remove`, byKeeper],
  [`patch ${scheduler}`, byKeeper],
  [`put ${scheduler}/run`, byKeeper],
]);

/** Whether a request changes anything. */
export function isChange(method: string): boolean {
  return method !== 'get';
}

/** Why a change is refused, for people; undefined when it may be made. */
export function refusalOf({ method, route, params }: BoardChange): string | undefined {
  const judge = judges.get(`${method} ${route}`);
  return judge ? judge(params) : 'This change is switched off here.';
}
