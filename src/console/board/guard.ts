/**
 * Protects Bull Board, which has no authentication of its own: only people who are signed in see it, only people with the right `run` change something, and
 * only by the routes below, so that a later version cannot add a change that nobody has examined (docs/access.md describes the
 * effects). Bounds the numbers in its queries: a page of a million jobs would be read whole.
 */
import type { RequestHandler, Response } from 'express';
import { asSentence } from '../../manifest/wording.ts';
import type { HttpContext } from '../http/context.ts';
import { isSecure } from '../http/cookies.ts';
import { noteChange, requireProofHeader, requireRight } from '../http/gate.ts';
import { HttpProblem } from '../http/problem.ts';
import { turnAway } from '../http/turn-away.ts';

/** The board's client sends this cookie back as a header. Other sites cannot. */
const proofCookie = 'XSRF-TOKEN';
const proofHeader = 'x-xsrf-token';

/** @param path of the board, with the base of the console. */
export function guardBoard(context: HttpContext, path: string): RequestHandler {
  const { gate, base, origin, tools } = context;
  return async (request, response, next) => {
    const admission = await gate.admit(request);
    // Jobs are as private as pages. Only the board's own files may be kept.
    if (!request.path.startsWith('/static/')) response.set('cache-control', 'no-store');
    if (admission.kind !== 'admitted') return turnAway(context, request, response);
    const { person, csrf } = admission;
    const refuse = (message: string) =>
      void response.status(403).json({ error: { key: 'ERRORS.FORBIDDEN' }, message });
    if (request.method === 'OPTIONS') return next();
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (csrf !== '') {
        const secure = isSecure(origin, request);
        response.cookie(proofCookie, csrf, { sameSite: 'strict', path, secure });
      }
      return next();
    }
    try {
      requireRight(admission, 'run');
      requireProofHeader(admission, request, proofHeader);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      const isOld = error.code === 'proof_missing';
      return refuse(isOld ? 'This page is too old. Load it again.' : asSentence(error.message));
    }
    const by = request.originalUrl.slice(base.length);
    whenAnswered(response, (status) => {
      // A failed change may have been made in part.
      if (status >= 400 && status < 500) return;
      const failed = status >= 500 ? ' (failed, perhaps in part)' : '';
      const what = `Bull Board: ${request.method} ${decoded(by)}${failed}`;
      void noteChange(tools.runtime, request, { who: person.name, what, by });
    });
    next();
  };
}

/** Tells of the answer, whether or not somebody still waits for it: to somebody who has hung up, no event tells of its end. */
function whenAnswered(response: Response, tell: (status: number) => void): void {
  const end = response.end.bind(response) as (...given: readonly unknown[]) => Response;
  response.end = ((...given: readonly unknown[]) => {
    tell(response.statusCode);
    return end(...given);
  }) as Response['end'];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Most jobs of a page, levels of a flow, and children of a job in it. The board's own pages ask for 50, 20 and 20 at most. */
const most: Readonly<Record<string, number>> = { jobsPerPage: 100, depth: 20, maxChildren: 200 };
/** For any other number, such as `page`: beyond it there are no jobs. */
const mostOfOthers = 1_000_000;

/** The query with every number that is too large lowered to its bound. */
export function boundNumbers(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const bound = most[name] ?? mostOfOthers;
      return [name, typeof value === 'string' && Number(value) > bound ? String(bound) : value];
    }),
  );
}

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
  return judge
    ? judge(params)
    : 'Bull Board cannot make this change. Use the console or the campaigns command.';
}
