/** Answers unknown addresses and failed requests: a page for browsers, JSON for programs. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { html } from 'hono/html';
import type { Logger } from 'pino';
import { brand, plainPage } from '../parts/layout.ts';
import { type Frame, sendHtml } from '../sign-in/turn-away.ts';
import { isForPrograms, problem } from '../web.ts';

const retrySeconds = 10;

const failureTexts: ReadonlyMap<number, readonly [text: string, more: string]> = new Map([
  [500, ['The console failed.', 'Load the page again. If it fails again, see the log of the console.']],
  [503, ['The console is busy.', 'Go back, and try again in a moment.']],
  [414, ['The address has too many fields.', 'Choose less at once.']],
]);

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
    if (isForPrograms(request)) {
      const [code, title, detail] = problemTexts.get(status) ?? unreadable;
      problem(response, { status, code, title }, detail);
      return;
    }
    const [text, more] = failureTexts.get(status) ?? [
      'The request cannot be read.',
      'Go back, and try again.',
    ];
    await answer(frame, request, response, status, text, more);
  };
}

/** The same for programs. Express refuses an address that it cannot decode with 400. */
const problemTexts: ReadonlyMap<number, readonly [code: string, title: string, detail: string]> = new Map([
  [500, ['internal_error', 'Internal error', 'See the log of the console.']],
  [503, ['console_busy', 'Console busy', 'Send the request again in a moment.']],
  [414, ['address_too_long', 'Address too long', 'The address has too many fields.']],
]);
const unreadable = [
  'address_unreadable',
  'Address unreadable',
  'The percent-encoding of the address is broken.',
] as const;

async function answer(
  frame: Frame | undefined,
  request: Request,
  response: Response,
  status: number,
  error: string,
  more = '',
): Promise<void> {
  const wantsPage = request.accepts(['json', 'html']) === 'html';
  if (frame === undefined || isForPrograms(request) || !wantsPage) {
    response.status(status).json({ error: [error, more].filter(Boolean).join(' ') });
    return;
  }
  const title = error.replace(/\.$/, '');
  const back = html`<p class="actions"><a class="button" href="${frame.base}/campaigns">All campaigns</a></p>`;
  const body = html`<section class="card question">${brand()}<h1>${title}</h1>${more === '' ? '' : html`<p>${more}</p>`}${back}</section>`;
  await sendHtml(response, status, plainPage(frame.files, title, body));
}
