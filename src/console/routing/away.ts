/**
 * Answers while Redis does not answer or takes no writes: 503 soon, instead of a page that loads for ever. Forms are refused at once, so
 * that none is carried out later, when nobody expects it. The page shows what was typed, and can send it once more.
 */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { html } from 'hono/html';
import type { Logger } from 'pino';
import { refusalOf } from '../../runtime/redis.ts';
import { capitalized } from '../../runtime/wording.ts';
import { hasMoreNames, mostNamesOfAll } from '../fields.ts';
import type { Gate } from '../gate.ts';
import { typedAgain } from '../pages/new/draft/address.ts';
import { keptForm } from '../parts/kept-form.ts';
import { brand, plainPage, questionMain } from '../parts/layout.ts';
import { ownPath } from '../sign-in/paths.ts';
import { type Frame, sendHtml } from '../sign-in/turn-away.ts';
import { isForPrograms, problem } from '../web.ts';
import { readStrangersForm } from './form-body.ts';

const awayTitle = 'Redis does not answer';
const reloadSeconds = 5;

/** Answers 503 if authentication takes too long: each request begins with this look-up in Redis. */
export function refuseWhileAway(gate: Gate, frame: Frame, patienceMs: number): RequestHandler {
  return async (request, response, next) => {
    const admitted = gate.admit(request);
    if ((await unlessLate(admitted, patienceMs)) !== undefined) {
      next();
      return;
    }
    // The look-up ends when Redis is back; nobody waits for it then.
    admitted.catch(() => undefined);
    await answerAway(frame, request, response, { begun: false });
  };
}

/** @returns undefined if it takes too long. */
async function unlessLate<T>(work: Promise<T>, patienceMs: number): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // After a pause of this process, timers fire before answers that have arrived are read. A second timer gives the answers a chance.
  const half = () => setTimeout(resolve, patienceMs / 2, undefined);
  let timer = setTimeout(() => {
    timer = half();
  }, patienceMs / 2);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for work that needs Redis.
 * @param answers whether Redis answers; called repeatedly, must never reject.
 * @returns undefined as soon as Redis does not answer. The work goes on when Redis is back.
 */
export async function unlessAway<T>(
  work: Promise<T>,
  answers: () => Promise<boolean>,
  everyMs: number,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setInterval(async () => {
    if (!(await answers())) resolve(undefined);
  }, everyMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearInterval(timer);
  }
}

/** @param begun whether a change may be under way, with an unknown outcome. */
export async function answerAway(
  frame: Frame,
  request: Request,
  response: Response,
  { begun }: { readonly begun: boolean },
): Promise<void> {
  const outcome = !isChange(request)
    ? 'Nothing is sent and nothing is lost.'
    : begun
      ? 'It is not known yet whether the change was made: check before you send it again.'
      : 'Nothing was changed.';
  const told = { code: 'redis_away', title: awayTitle, outcome, passes: true } as const;
  await answerOutage(frame, request, response, told);
}

const refusedTitle = 'Redis takes no writes';

/** Answers requests that failed because Redis refused to write. Other errors go on. */
export function answerRefusedWrites(frame: Frame, log: Logger): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const refusal = refusalOf(error);
    if (refusal === undefined || response.headersSent) {
      next(error);
      return;
    }
    // The owner of the connections warns.
    log.debug({ path: request.path, error: String(error) }, 'redis takes no writes');
    const { why, cure } = refusal;
    const lost = isChange(request)
      ? 'What you sent was not saved. If it changes many rows, a part of them may be saved: send it once more to do the rest.'
      : 'Nothing is lost.';
    const outcome = `${capitalized(why)}. ${lost} ${cure}`;
    await answerOutage(frame, request, response, { code: 'redis_refuses', title: refusedTitle, outcome });
  };
}

function isChange({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

interface Told {
  readonly code: string;
  readonly title: string;
  readonly outcome: string;
  /** The outage ends without anybody's action. */
  readonly passes?: true;
}

async function answerOutage(frame: Frame, request: Request, response: Response, told: Told): Promise<void> {
  const { code, title, outcome } = told;
  response.set('retry-after', String(reloadSeconds));
  if (isForPrograms(request))
    problem(response, { status: 503, code, title }, `${outcome} Ask again in a moment.`);
  else if (request.get('hx-request') === 'true') {
    // Requests of htmx also accept a stream, so this case comes first.
    const back = html`<p class="actions"><a class="button" href="" data-back>Back</a></p>`;
    await sendHtml(response, 503, questionMain(title, html`<p>${outcome} Try again in a moment.</p>${back}`));
  } else if (request.get('accept')?.includes('text/event-stream')) response.status(503).end();
  else if (isChange(request)) await answerForm(frame, request, response, told);
  else {
    const body = html`<section class="card question">${brand()}<h1>${title}</h1><p>${outcome} This page loads again by itself.</p></section>`;
    await sendHtml(response, 503, plainPage(frame.files, title, body, { reloadSeconds }));
  }
}

async function answerForm(
  { files, base }: Frame,
  request: Request,
  response: Response,
  { title, outcome, passes }: Told,
): Promise<void> {
  const text = await readStrangersForm(request, response);
  const fields = new URLSearchParams(hasMoreNames(text, mostNamesOfAll) ? '' : text);
  // Passwords and files are not sent back: the browser still has them on the previous page.
  const isWhole = fields.size > 0 && !fields.has('password');
  const said = `${outcome} ${isWhole ? 'This is what you typed:' : 'Go back, and send it once more in a moment.'}`;
  const to = ownPath(request.originalUrl.slice(base.length));
  const back = passes && isWhole ? typedAgain(to) : undefined;
  const body = isWhole
    ? keptForm({ link: (path) => `${base}${path}`, to, title, said, fields, back })
    : html`<section class="card question">${brand()}<h1>${title}</h1><p>${said}</p></section>`;
  await sendHtml(response, 503, plainPage(files, title, body, { script: back && files.comesBack }));
}
