/** Answers unknown addresses and failed requests: a page for browsers, JSON for programs. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { capitalized, sentence } from '../../manifest/wording.ts';
import { HttpProblem, sendProblem } from './problem.ts';
import { type Frame, sendSaying } from './turn-away.ts';
import { isForPrograms } from './web.ts';

const retrySeconds = 10;

/** The code for programs; what happened, and what to do. */
type Failure = readonly [code: string, text: string, more: string];

const failures: ReadonlyMap<number, Failure> = new Map([
  [
    500,
    [
      'internal_error',
      'The console failed.',
      'Load it again. If it fails again, see the log of the console.',
    ],
  ],
  [503, ['console_busy', 'The console is busy.', 'Go back, and try again in a moment.']],
  [414, ['address_too_long', 'The address has too many fields.', 'Choose less at once.']],
]);

/** Express refuses an address that it cannot decode with 400. */
const unreadable: Failure = ['address_unreadable', 'The request cannot be read.', 'Go back, and try again.'];

/** @param frame of pages; without it, all answers are JSON. */
export function answerUnknown(frame?: Frame): RequestHandler {
  return (request, response) => answer(frame, request, response, 404, 'There is no such page.');
}

/** Replaces the handler of Express, which would show a stack trace. @param frame as for `answerUnknown`. */
export function answerError(log: Logger, frame?: Frame): ErrorRequestHandler {
  return async (error: Error & { readonly status?: number }, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const { status: given = 500 } = error;
    const status = given < 500 || given === 503 ? given : 500;
    if (status === 500) log.error({ error: error.message }, 'console');
    if (status === 503) response.set('retry-after', String(retrySeconds));
    const [code, text, cure] = failures.get(status) ?? unreadable;
    // A refusal of our own says why.
    const problem = error instanceof HttpProblem ? error : new HttpProblem(status, code, text, { cure });
    if (isForPrograms(request)) sendProblem(response, problem);
    else await answer(frame, request, response, status, sentence(capitalized(problem.message)), problem.cure);
  };
}

async function answer(
  frame: Frame | undefined,
  request: Request,
  response: Response,
  status: number,
  text: string,
  more = '',
): Promise<void> {
  const wantsPage = request.accepts(['json', 'html']) === 'html';
  if (frame === undefined || isForPrograms(request) || !wantsPage) {
    response.status(status).json({ error: [text, more].filter(Boolean).join(' ') });
    return;
  }
  const back = { to: '/campaigns', name: 'All campaigns' };
  await sendSaying(frame, response, status, { title: text.replace(/\.$/, ''), more, back });
}
