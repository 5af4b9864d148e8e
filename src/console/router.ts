/** Carries requests to pages: finds out who asks, checks forms, renders answers, turns errors of use cases into pages. */

import { type Request, type Response, Router } from 'express';
import { html } from 'hono/html';
import type { DraftDesk } from '../campaigns/drafts/desk.ts';
import type { ProgressReader } from '../campaigns/progress/reader.ts';
import type { RepairCosts } from '../campaigns/repair/repair-costs.ts';
import type { TextSearch } from '../campaigns/rows/text-search.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { capitalized, sentence } from '../runtime/wording.ts';
import type { OverviewReader } from '../videos/overview/reader.ts';
import { noteChange } from './audit.ts';
import { answerAway, unlessAway } from './away.ts';
import { cureFor } from './cures.ts';
import { statusOfError } from './error-status.ts';
import { sendFile } from './file.ts';
import { type FormBody, readForm, readSheetForm } from './form-body.ts';
import { type Admitted, addressOf, type Gate } from './gate.ts';
import type { LiveHub } from './live/hub.ts';
import { csrfField } from './parts/form.ts';
import { keptForm } from './parts/kept-form.ts';
import { layout, questionMain, type Surroundings } from './parts/layout.ts';
import { isZone } from './parts/numbers.ts';
import { empty } from './parts/points.ts';
import type { Answer, Download, Page, PageRequest, Question, Route, ShownFile, Stream } from './request.ts';
import { ownPath } from './sign-in/paths.ts';
import { type Frame, turnAway } from './sign-in/turn-away.ts';
import { cookie, flash, leftSignal, takeFlash } from './web.ts';

export interface RouterOptions extends Frame {
  readonly runtime: Runtime;
  readonly progress: () => ProgressReader;
  readonly videos: OverviewReader;
  readonly costs: RepairCosts;
  readonly texts: TextSearch;
  readonly drafts: DraftDesk;
  readonly gate: Gate;
  readonly routes: readonly Route[];
  readonly surroundings: () => Promise<Surroundings>;
  readonly hub: LiveHub;
  /** Whether Redis answers; it never rejects. */
  readonly answers: () => Promise<boolean>;
  /** How often that is asked while a page is made, in milliseconds. */
  readonly patienceMs: number;
}

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
    // What was typed is shown again after the sign-in; a file is not kept.
    if (!hasSheet(route, request)) await readForm(route, request, response);
    await turnAway(options, request, response);
    return;
  }
  // A form is read only of a person who may send it: it may be long.
  const isAllowed = route.role === 'viewer' || admitted.person.role === 'operator';
  const body = isAllowed ? await readBody(options, route, request, response, admitted) : undefined;
  const asked = readRequest(options, request, response, { ...admitted, body });
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
  if (answer.kind === 'stream') openStream(options, answer, request, response);
  else if (answer.kind === 'file') await sendFile(request, response, answer);
  else await send(options, asked, answer, around, response);
}

function hasSheet({ takesSheet }: Route, request: Request): boolean {
  return takesSheet === true && Boolean(request.is('multipart/form-data'));
}

function readBody(
  { runtime }: RouterOptions,
  route: Route,
  request: Request,
  response: Response,
  { isOurs }: Admitted,
): Promise<FormBody> {
  return hasSheet(route, request)
    ? readSheetForm(runtime, isOurs, request)
    : readForm(route, request, response);
}

/** A sheet that was not taken is answered as its use case would. */
function withoutRefused(route: Route, body: FormBody | undefined): Route {
  const { refused } = body ?? {};
  return refused === undefined ? route : { ...route, handle: () => Promise.reject(refused) };
}

interface Carried {
  readonly answer: Answer;
  /** For a page with its frame. */
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
  // Its error counts only if there is a page to frame.
  early?.catch(() => undefined);
  const answer = await answerOf(route, asked, admitted);
  await note(options, route, request, asked, answer);
  const hasFrame = answer.kind === 'page' || (answer.kind === 'question' && !asked.isPart);
  return { answer, around: hasFrame ? await (early ?? options.surroundings()) : undefined };
}

/** Whether the frame of the answer can be read at the same time. The frame of a change counts what it changed, and is read after it. */
function mayBePage({ method, headers: { accept = '' } }: Request): boolean {
  return method === 'GET' && (accept.includes('text/html') || accept === '*/*');
}

/** Nobody waits any more for what this answers. */
function dropLate({ runtime }: RouterOptions, { path }: Route, work: Promise<Carried>): void {
  work.then(
    ({ answer }) => (answer.kind === 'file' ? answer.close() : undefined),
    (error: unknown) => runtime.log.warn({ path, error: String(error) }, 'page not made'),
  );
}

async function answerOf(route: Route, asked: PageRequest, { isOurs }: Admitted): Promise<Answer> {
  if (route.role === 'operator' && asked.person.role !== 'operator') {
    return refusal(403, 'Only an operator can do this', 'Ask an operator, or sign in as one.');
  }
  if (route.method === 'post' && !isOurs(asked.form.get(csrfField) ?? '')) {
    return tooOld(asked);
  }
  try {
    return await route.handle(asked);
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    return refusal(statusOfError(error.code), sentence(capitalized(error.message)), error.cure);
  }
}

const tooOldTitle = 'This form is too old';

/** It stood open while its session ended or the console was restarted. What was typed goes on with a fresh proof, if somebody says so. */
function tooOld({ form, sheet, csrf, link, path }: PageRequest): Page {
  // A file is not sent back.
  if (sheet !== undefined || form.size === 0) {
    const cure = 'Nothing was changed. Go back, load the page again, and send it once more.';
    return refusal(403, tooOldTitle, cure);
  }
  const fields = new URLSearchParams(form);
  fields.delete('password');
  fields.set(csrfField, csrf);
  const said =
    'Somebody signed in or out, or the console was restarted, since its page was loaded. Nothing was changed. This is what you typed:';
  return {
    ...{ kind: 'page', title: tooOldTitle, section: '', status: 403 },
    main: keptForm({ link, to: path, title: tooOldTitle, said, fields }),
  };
}

/** Notes a change that was made. */
async function note(
  { runtime, base }: RouterOptions,
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
  const by = request.originalUrl.slice(base.length);
  await noteChange(runtime, { who: asked.person.name, from: addressOf(request), what, by });
}

/** So often, an open stream asks whether its person is still signed in. */
const askAgainMs = 60_000;

function openStream(
  { gate, hub, runtime }: RouterOptions,
  { view }: Stream,
  request: Request,
  response: Response,
): void {
  hub.open(view, response, request.get('last-event-id'));
  if (response.closed) return;
  const timer = setInterval(async () => {
    try {
      if (!(await gate.isStillAdmitted(request))) response.end();
    } catch (error) {
      runtime.log.warn({ error: String(error) }, 'session of a stream not looked up');
    }
  }, askAgainMs);
  response.once('close', () => clearInterval(timer));
}

function readRequest(
  { runtime, progress, videos, costs, texts, drafts, base }: RouterOptions,
  request: Request,
  response: Response,
  { person, csrf, body }: Pick<Admitted, 'person' | 'csrf'> & { readonly body: FormBody | undefined },
): PageRequest {
  const url = new URL(request.originalUrl, 'http://console');
  const zone = url.searchParams.get('zone');
  const usualZone = usualZoneOf(runtime, cookie(request, 'zone'));
  return {
    runtime,
    get progress() {
      return progress();
    },
    ...{ videos, costs, texts, drafts },
    left: leftSignal(response),
    person,
    params: request.params as Record<string, string>,
    query: url.searchParams,
    form: body?.fields ?? new URLSearchParams(),
    sheet: body?.sheet,
    csrf,
    link: (path) => `${base}${path}`,
    path: ownPath(request.originalUrl.slice(base.length)),
    zone: zone !== null && isZone(zone) ? zone : usualZone,
    usualZone,
    now: runtime.now(),
    notice: request.method === 'GET' ? takeFlash(request, response, base) : undefined,
    isPart: request.get('hx-request') === 'true',
  };
}

/** The zone of the settings, else that of the browser. */
function usualZoneOf({ settings }: Runtime, browser: string | undefined): string {
  if (settings.timezone !== null) return settings.timezone;
  return browser !== undefined && isZone(browser) ? browser : 'UTC';
}

async function send(
  options: RouterOptions,
  request: PageRequest,
  answer: Exclude<Answer, Stream | ShownFile>,
  around: Surroundings | undefined,
  response: Response,
): Promise<void> {
  switch (answer.kind) {
    case 'redirect':
      if (answer.notice) flash(response, answer.notice, options.base);
      response.redirect(303, request.link(answer.to));
      return;
    case 'download':
      response.set({
        'content-type': answer.contentType,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(answer.fileName)}`,
        'cache-control': 'no-store',
      });
      await sendDownload(options, answer, response);
      return;
    default:
      await sendPage(request, answer, around, response);
  }
}

/** A file that breaks off ends its connection: what has come must not look whole. */
async function sendDownload(
  { runtime }: RouterOptions,
  { fileName, write }: Download,
  response: Response,
): Promise<void> {
  try {
    await write(response);
    response.end();
  } catch (error) {
    const hasLeft = response.destroyed;
    response.destroy();
    if (!hasLeft) runtime.log.warn({ file: fileName, error: String(error) }, 'download broke off');
  }
}

async function sendPage(
  request: PageRequest,
  answer: Page | Question,
  around: Surroundings | undefined,
  response: Response,
): Promise<void> {
  response
    .status(answer.status ?? 200)
    .set({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  if (around === undefined) {
    const part = answer.kind === 'page' ? answer.main : questionMain(answer.title, answer.body);
    response.end(String(await part));
    return;
  }
  const page: Page =
    answer.kind === 'page'
      ? answer
      : { ...answer, kind: 'page', main: questionMain(answer.title, answer.body) };
  // Not by `send`: nothing asks again by the hash that it would make of the page.
  response.end(String(await layout(request, page, around)));
}

function refusal(status: number, what: string, cure: string | undefined): Page {
  const said = cure && cureFor('page', cure);
  const rest = said ? html`<p class="cure-text">${said}</p>` : '';
  return {
    kind: 'page',
    title: what,
    section: '',
    status,
    main: html`<h1>${headOf(status)}</h1>${empty(html`<b>${what}</b>`, rest)}`,
  };
}

function headOf(status: number): string {
  if (status === 404) return 'Not found';
  return status === 403 ? 'Not allowed' : 'Nothing was changed';
}
