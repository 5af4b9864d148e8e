/**
 * Answers while Redis does not answer or takes no writes: 503 soon, instead of a page that loads for ever. Forms are refused at once, so
 * that none is carried out later, when nobody expects it. The page shows what was typed, and can send it once more.
 */

import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { unlessLate } from '../../app/runtime/patience.ts';
import { refusalOf } from '../../app/runtime/redis.ts';
import { capitalized } from '../../manifest/wording.ts';
import { html } from '../html.ts';
import { typedAgain } from '../pages/new/draft/draft-view.ts';
import { keptForm } from '../parts/kept-form.ts';
import { plainPage, questionMain } from '../parts/layout.ts';
import { isForPrograms, ownPath } from './callers.ts';
import { hasMoreNames, mostNamesOfAll, readStrangersForm } from './forms.ts';
import type { Gate } from './gate.ts';
import { HttpProblem, sendProblem } from './problem.ts';
import { type Frame, sendHtml, sendSaying } from './turn-away.ts';

const reloadSeconds = 5;

export class RedisAway extends Error {
  override readonly name = 'RedisAway';
  /** Whether a change may be under way, with an unknown outcome. */
  readonly begun: boolean;

  constructor(begun: boolean) {
    super('Redis does not answer');
    this.begun = begun;
  }
}

/** Refuses requests while authentication takes too long: each request begins with this look-up in Redis. */
export function refuseWhileAway(gate: Gate, patienceMs: number): RequestHandler {
  return async (request, _response, next) => {
    const admitted = gate.admit(request);
    const isAway = (await unlessLate(admitted, patienceMs)) === undefined;
    // The look-up ends when Redis is back; nobody waits for it then.
    if (isAway) admitted.catch(() => undefined);
    next(isAway ? new RedisAway(false) : undefined);
  };
}

export interface Patience {
  /** Whether Redis answers; it never rejects. */
  readonly answers: () => Promise<boolean>;
  /** Milliseconds between two calls of `answers` while a request is carried out. */
  readonly patienceMs: number;
}

/** @param late is told of work that went on after that, when Redis is back. @throws {RedisAway} as soon as Redis does not answer. */
export async function unlessAway<T>(
  work: Promise<T>,
  { answers, patienceMs }: Patience,
  late: { readonly drop: (answer: T) => unknown; readonly failed: (error: unknown) => void },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setInterval(async () => {
    if (!(await answers())) reject(new RedisAway(true));
  }, patienceMs);
  try {
    return await Promise.race([work, promise]);
  } catch (error) {
    if (error instanceof RedisAway) work.then(late.drop).catch(late.failed);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

interface Outage {
  readonly code: string;
  readonly title: string;
  readonly outcome: string;
  /** The outage ends without anybody's action. */
  readonly passes: boolean;
}

function outageOf(error: unknown, isChange: boolean): Outage | undefined {
  if (error instanceof RedisAway) {
    const outcome = !isChange
      ? 'Nothing is sent and nothing is lost.'
      : error.begun
        ? 'It is not known yet whether the change was made: check before you send it again.'
        : 'Nothing was changed.';
    return { code: 'redis_away', title: error.message, outcome, passes: true };
  }
  const refusal = refusalOf(error);
  if (refusal === undefined) return undefined;
  const lost = isChange
    ? 'Your change was not saved. If it covers many rows, some may be saved already. Submit it again to finish.'
    : 'Nothing is lost.';
  const outcome = `${capitalized(refusal.why)}. ${lost} ${refusal.fix}`;
  return { code: 'redis_refuses', title: 'Redis takes no writes', outcome, passes: false };
}

function isChange({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Answers requests that failed because Redis was away or refused to write. Other errors go on. */
export function answerOutages(frame: Frame, log: Logger): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const outage = outageOf(error, isChange(request));
    if (outage === undefined || response.headersSent) {
      next(error);
      return;
    }
    // The owner of the connections warns.
    if (!outage.passes) log.debug({ path: request.path, error: String(error) }, 'redis takes no writes');
    await answerOutage(frame, request, response, outage);
  };
}

async function answerOutage(frame: Frame, request: Request, response: Response, told: Outage): Promise<void> {
  const { code, title, outcome } = told;
  response.set('retry-after', String(reloadSeconds));
  if (isForPrograms(request, frame.base))
    sendProblem(response, new HttpProblem(503, code, `${outcome} Ask again in a moment.`));
  else if (request.get('hx-request') === 'true') {
    // Requests of htmx also accept a stream, so this case comes first.
    const back = html`<p class="actions"><a class="button bare" href="" data-back>Back</a></p>`;
    await sendHtml(response, 503, questionMain(title, html`<p>${outcome} Try again in a moment.</p>${back}`));
  } else if (request.get('accept')?.includes('text/event-stream')) response.status(503).end();
  else if (isChange(request)) await answerForm(frame, request, response, told);
  else {
    const more = `${outcome} This page reloads automatically.`;
    await sendSaying(frame, response, 503, { title, more, reloadSeconds });
  }
}

async function answerForm(
  frame: Frame,
  request: Request,
  response: Response,
  { title, outcome, passes }: Outage,
): Promise<void> {
  const text = await readStrangersForm(request, response);
  const fields = new URLSearchParams(hasMoreNames(text, mostNamesOfAll) ? '' : text);
  // Passwords and files are not sent back: the browser still has them on the previous page.
  const isWhole = fields.size > 0 && !fields.has('password');
  if (!isWhole) {
    const more = `${outcome} Go back, and send it again in a moment.`;
    await sendSaying(frame, response, 503, { title, more });
    return;
  }
  const { files, base } = frame;
  const to = ownPath(request.originalUrl.slice(base.length));
  const back = passes ? typedAgain(to) : undefined;
  const said = `${outcome} This is what you typed:`;
  const body = keptForm({ link: (path) => `${base}${path}`, to, title, said, fields, back });
  await sendHtml(response, 503, plainPage(files, title, body, { script: back && 'comes-back.js' }));
}
