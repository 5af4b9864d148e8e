/**
 * Answers unknown addresses and failed requests: a page for browsers, JSON for programs. Refusals by a use case, for lack of rights, or
 * of a form that is too old have pages of their own.
 */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Fix } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { asSentence } from '../../manifest/wording.ts';
import { fixOnPage } from '../hints.ts';
import { html } from '../html.ts';
import { empty } from '../parts/blocks.ts';
import { csrfField } from '../parts/form.ts';
import { keptForm } from '../parts/kept-form.ts';
import { longestSearch } from '../parts/list.ts';
import { icon } from '../parts/state.ts';
import type { Page, PageRequest } from '../request.ts';
import { isForPrograms } from './callers.ts';
import { HttpProblem, retrySeconds, sendProblem, statusOfError } from './problem.ts';
import { type Frame, sendSaying } from './turn-away.ts';

const noSuchPage = 'There is no such page.';

/** @param frame of pages; without it, all answers are JSON. */
export function answerUnknown(frame?: Frame): RequestHandler {
  return (request, response) => answer(frame, request, response, 404, noSuchPage);
}

/** Replaces the handler of Express, which would show a stack trace. @param frame as for `answerUnknown`. */
export function answerError(log: Logger, frame?: Frame): ErrorRequestHandler {
  return async (error: Error & { readonly status?: number }, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = error instanceof HttpProblem ? error : unexplained(error.status);
    const { status } = problem;
    if (status === 500) log.error({ error: error.message }, 'console');
    if (status === 503) response.set('retry-after', String(retrySeconds));
    if (isForPrograms(request, frame?.base ?? '')) sendProblem(response, problem);
    else await answer(frame, request, response, status, asSentence(problem.message), problem.fix);
  };
}

/** @param status as Express refuses what it cannot decode; undefined for a defect or an outage. */
function unexplained(status = 500): HttpProblem {
  if (status < 500) {
    const fix = 'Go back, and try again.';
    return new HttpProblem(status, 'address_unreadable', 'the request cannot be read', { fix });
  }
  const fix = 'Load it again. If it fails again, see the log of the console.';
  return new HttpProblem(500, 'internal_error', 'the console failed', { fix });
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
  if (frame === undefined || isForPrograms(request, frame.base) || !wantsPage) {
    response.status(status).json({ error: [text, more].filter(Boolean).join(' ') });
    return;
  }
  const back = { to: '/campaigns', name: 'All campaigns' };
  await sendSaying(frame, response, status, { title: text.replace(/\.$/, ''), more, back });
}

/** @param isChange whether the request was to change something, not only to show a page. @returns undefined for a defect or an outage. */
export function refusalPage(request: PageRequest, error: unknown, isChange: boolean): Page | undefined {
  if (error instanceof HttpProblem) {
    if (error.code === 'proof_missing') return tooOld(request);
    return refusal(request, error.status, error.message, error.fix, isChange);
  }
  if (!(error instanceof UseCaseError)) return undefined;
  return refusal(request, statusOfError(error.code), error.message, error.fix, isChange);
}

/** An unknown address, where somebody is signed in. */
export function unknownPage(request: PageRequest): Page {
  return refusal(request, 404, noSuchPage, undefined, false);
}

function refusal(
  { link }: Pick<PageRequest, 'link'>,
  status: number,
  message: string,
  fix: Fix | undefined,
  isChange: boolean,
): Page {
  const what = asSentence(message);
  const said = fixOnPage(fix);
  const onward = isChange
    ? ''
    : html`<p class="actions"><a class="button primary" href="${link('/campaigns')}">All campaigns</a></p>`;
  const find =
    status === 404 &&
    html`<form class="seek" role="search" aria-label="What is here" action="${link('/campaigns')}">${icon('search')}<input type="search" name="q" maxlength="${longestSearch}" placeholder="Find campaigns and rows" aria-label="Find campaigns and rows"></form>`;
  const rest = html`${find}${said ? html`<p class="fix-text">${said}</p>` : ''}${onward}`;
  return {
    kind: 'page',
    title: what,
    status,
    main: html`<h1>${headOf(status, isChange)}</h1>${empty(html`<b>${what}</b>`, rest)}`,
  };
}

function headOf(status: number, isChange: boolean): string {
  if (status === 404) return 'Not found';
  if (status === 403) return 'Not allowed';
  return isChange ? 'Nothing was changed' : 'This cannot be shown';
}

const tooOldTitle = 'This form is too old';

/** A form that was open while its session ended or the console restarted. The page shows what was typed, with a fresh CSRF token. */
function tooOld(request: PageRequest): Page {
  const { form, sheet, csrf, link, path } = request;
  // A file is not sent back.
  if (sheet !== undefined || form.size === 0) {
    const fix = 'Nothing was changed. Go back, load the page again, and try again.';
    return refusal(request, 403, tooOldTitle, fix, true);
  }
  const fields = new URLSearchParams(form);
  fields.delete('password');
  fields.set(csrfField, csrf);
  const said =
    'You signed in or out, or the console was restarted, since this page was loaded. Nothing was changed. This is what you typed:';
  return {
    kind: 'page',
    title: tooOldTitle,
    status: 403,
    main: keptForm({ link, to: path, title: tooOldTitle, said, fields }),
  };
}
