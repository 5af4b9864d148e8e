/** Routes requests to pages: authenticates, checks forms, renders answers, turns errors of use cases into pages. */
import { type Request, type Response, Router } from 'express';
import { readSheetInTurn } from '../../campaigns/sheet-turns.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../runtime/wording.ts';
import { noteChange } from '../audit.ts';
import { statusOfError } from '../error-status.ts';
import { type Admitted, addressOf } from '../gate.ts';
import { csrfField } from '../parts/form.ts';
import type { Surroundings } from '../parts/layout.ts';
import type { Answer, PageRequest, Route } from '../request.ts';
import { turnAway } from '../sign-in/turn-away.ts';
import { answerAway, unlessAway } from './away.ts';
import { sendFile } from './file.ts';
import { type FormBody, readForm, readSheetForm, readStrangersForm } from './form-body.ts';
import { readPageRequest } from './page-request.ts';
import { refusal, tooOld } from './refusal.ts';
import type { RouterOptions } from './router-options.ts';
import { openStream, send } from './send.ts';

export function createRouter(options: RouterOptions): Router {
  const router = Router();
  for (const route of options.routes) {
    router[route.method](route.path, async (request, response) => {
      await serve(options, route, request, response);
    });
  }
  return router;
}

async function serve(
  options: RouterOptions,
  route: Route,
  request: Request,
  response: Response,
): Promise<void> {
  const admitted = await options.gate.admit(request);
  if (admitted.kind !== 'admitted') {
    // The fields are shown again after the sign-in; a file is not kept.
    const isKept = route.method === 'post' && !hasSheet(route, request);
    const form = isKept ? await readStrangersForm(request, response) : undefined;
    await turnAway(options, request, response, form);
    return;
  }
  // The form may be long, so it is read only if the person may send it.
  const isAllowed = route.role === 'viewer' || admitted.person.role === 'operator';
  const body = isAllowed ? await readBody(options, route, request, admitted) : undefined;
  const asked = readPageRequest(options, request, response, { ...admitted, body });
  const work = carryOut(options, withoutRefused(route, body), request, asked, admitted);
  let carried: Carried | undefined;
  try {
    carried = await unlessAway(work, options.answers, options.patienceMs);
  } catch (error) {
    if (error === asked.left.reason) return;
    throw error;
  }
  if (carried === undefined) {
    dropLate(options, route, work);
    await answerAway(options, request, response, { begun: true });
    return;
  }
  const { answer, around } = carried;
  if (answer.kind === 'stream') openStream(options, answer, request, response, asked.person);
  else if (answer.kind === 'file') await sendFile(request, response, answer);
  else await send(options, asked, answer, around, response);
}

function hasSheet({ takesSheet }: Route, request: Request): boolean {
  return takesSheet === true && Boolean(request.is('multipart/form-data'));
}

function readBody(
  { tools: { runtime } }: RouterOptions,
  route: Route,
  request: Request,
  { isOurs }: Admitted,
): Promise<FormBody> {
  return hasSheet(route, request) ? readSheetForm(runtime, isOurs, request) : readForm(route, request);
}

/** A route that answers the refusal of a sheet, as its use case would. */
function withoutRefused(route: Route, body: FormBody | undefined): Route {
  const { refused } = body ?? {};
  return refused === undefined ? route : { ...route, handle: () => Promise.reject(refused) };
}

interface Carried {
  readonly answer: Answer;
  /** The frame of a page. */
  readonly around: Surroundings | undefined;
}

async function carryOut(
  options: RouterOptions,
  route: Route,
  request: Request,
  asked: PageRequest,
  admitted: Admitted,
): Promise<Carried> {
  await using _sheet = asked.sheet;
  const early = mayBePage(request) && !asked.isPart ? options.surroundings() : undefined;
  // An error of the frame counts only if there is a page to frame.
  early?.catch(() => undefined);
  const answer = await answerOf(route, asked, admitted);
  await note(options, route, request, asked, answer);
  const hasFrame = answer.kind === 'page' || (answer.kind === 'question' && !asked.isPart);
  return { answer, around: hasFrame ? await (early ?? options.surroundings()) : undefined };
}

/** Whether the frame can be read at the same time as the page. After a change its counts differ, so it is read later. */
function mayBePage({ method, headers: { accept = '' } }: Request): boolean {
  return method === 'GET' && (accept.includes('text/html') || accept === '*/*');
}

/** Drops an answer that nobody waits for any more. */
function dropLate({ tools: { runtime } }: RouterOptions, { path }: Route, work: Promise<Carried>): void {
  work
    .then(({ answer }) => (answer.kind === 'file' ? answer.close() : undefined))
    .catch((error: unknown) => runtime.log.warn({ path, error: String(error) }, 'page not made'));
}

async function answerOf(route: Route, asked: PageRequest, { isOurs }: Admitted): Promise<Answer> {
  const isChange = route.method === 'post';
  if (route.role === 'operator' && asked.person.role !== 'operator') {
    const cure = 'Ask an operator, or sign in as one.';
    return refusal(asked, 403, 'This is for operators only', { cure, isChange });
  }
  if (isChange && !isOurs(asked.form.get(csrfField) ?? '')) {
    return tooOld(asked);
  }
  try {
    const answer = async () => route.handle(asked);
    return route.readsSheet ? await readSheetInTurn(asked.person.name, answer, asked.left) : await answer();
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    const { code, message, cure } = error;
    return refusal(asked, statusOfError(code), sentence(capitalized(message)), { cure, isChange });
  }
}

/** Notes a change in the audit. */
async function note(
  { tools: { runtime }, base }: RouterOptions,
  route: Route,
  request: Request,
  asked: PageRequest,
  answer: Answer,
): Promise<void> {
  if (route.method !== 'post') return;
  const notice = answer.kind === 'redirect' ? answer.notice : undefined;
  const isRefused = notice?.state === 'failed' || ('status' in answer && (answer.status ?? 200) >= 400);
  if (isRefused || (answer.kind !== 'redirect' && route.audit === undefined)) return;
  const what = route.audit?.(asked) ?? [notice?.text, notice?.more].filter(Boolean).join(' ');
  // The query is left out: it is only for this page.
  const [by = ''] = request.originalUrl.slice(base.length).split('?');
  await noteChange(runtime, { who: asked.person.name, from: addressOf(request), what, by });
}
