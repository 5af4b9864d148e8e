/** Routes requests to pages: authenticates, checks forms, renders answers, turns errors of use cases into pages. */
import { type Request, type Response, Router } from 'express';
import { lockedFor } from '../../app/access/credentials.ts';
import { mayDo } from '../../app/access/roles.ts';
import { readSheetWithPermit } from '../../app/campaigns/sheets-at-once.ts';
import { actorOf } from '../../app/operations/operation.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { csrfField } from '../parts/form.ts';
import type { Surroundings } from '../parts/layout.ts';
import { isZone } from '../parts/numbers.ts';
import type { Answer, PageRequest, Route } from '../request.ts';
import { isForPrograms, leftSignal, mayBePage, ownPath } from './callers.ts';
import type { HttpContext } from './context.ts';
import { cookie } from './cookies.ts';
import { refusalPage, unknownPage } from './failures.ts';
import { type FormBody, readForm, readSheetForm, readStrangersForm } from './forms.ts';
import { type Admitted, addressOf, masked, networkOf, requireProof, requireRight } from './gate.ts';
import { unlessAway } from './outages.ts';
import { openStream, send, sendFile } from './send.ts';
import { turnAway } from './turn-away.ts';

export interface PagesOptions extends HttpContext {
  readonly routes: readonly Route[];
  readonly surroundings: () => Promise<Surroundings>;
}

export function createPages(options: PagesOptions): Router {
  const router = Router();
  for (const route of options.routes) {
    router[route.method](route.path, async (request, response) => {
      await serve(options, route, request, response);
    });
  }
  // Strangers, programs and scripts get the short answer that follows the router.
  router.get('/{*path}', async (request, response, next) => {
    const isPage = !isForPrograms(request, options.base) && request.accepts(['json', 'html']) === 'html';
    if (isPage && (await options.gate.admit(request)).kind === 'admitted')
      await serve(options, unknown, request, response);
    else next();
  });
  return router;
}

const unknown: Route = { method: 'get', path: '', right: 'see', handle: unknownPage };

async function serve(
  options: PagesOptions,
  route: Route,
  request: Request,
  response: Response,
): Promise<void> {
  const admitted = await options.gate.admit(request);
  if (admitted.kind !== 'admitted') {
    // The fields are shown again after the sign-in; a file is not kept.
    const mayBeKept = route.method === 'post' && !hasSheet(route, request);
    const from = networkOf(addressOf(request));
    const isKept = mayBeKept && (await lockedFor(options.tools.runtime, from)) === 0;
    const form = isKept ? await readStrangersForm(request, response) : undefined;
    await turnAway(options, request, response, form);
    return;
  }
  // The form may be long, so it is read only if the person may send it.
  const body = mayDo(admitted, route.right) ? await readBody(options, route, request, admitted) : undefined;
  const asked = readPageRequest(options, request, response, admitted, body);
  const { log } = options.tools.runtime;
  try {
    const { answer, around } = await unlessAway(
      answerTo(options, withoutRefused(route, body), request, asked, admitted),
      options,
      {
        drop: (late) => (late.answer.kind === 'file' ? late.answer.close() : undefined),
        failed: (error) => log.warn({ path: route.path, error: String(error) }, 'page not made'),
      },
    );
    if (answer.kind === 'stream') openStream(options, answer, request, response, asked.person);
    else if (answer.kind === 'file') await sendFile(request, response, answer);
    else await send(options, asked, answer, around, response);
  } catch (error) {
    if (error !== asked.left.reason) throw error;
  }
}

function hasSheet({ takesSheet }: Route, request: Request): boolean {
  return takesSheet === true && Boolean(request.is('multipart/form-data'));
}

function readBody(
  { tools: { runtime } }: PagesOptions,
  route: Route,
  request: Request,
  admitted: Admitted,
): Promise<FormBody> {
  return hasSheet(route, request)
    ? readSheetForm(runtime, admitted, request, route.longestField)
    : readForm(route, request);
}

function readPageRequest(
  options: PagesOptions,
  request: Request,
  response: Response,
  { person, csrf }: Admitted,
  body: FormBody | undefined,
): PageRequest {
  const { tools, base } = options;
  const { runtime } = tools;
  const url = new URL(request.originalUrl, 'http://console');
  const zone = url.searchParams.get('zone');
  const browserZone = cookie(request, 'zone');
  const usualZone = usualZoneOf(runtime, browserZone);
  const [by = ''] = request.originalUrl.slice(base.length).split('?');
  const left = leftSignal(response);
  const context = { ...tools, person, source: { from: addressOf(request), by }, left };
  return {
    ...tools,
    ...actorOf(context),
    left,
    person,
    params: request.params as Record<string, string>,
    query: url.searchParams,
    form: body?.fields ?? new URLSearchParams(),
    sheet: body?.sheet,
    csrf: masked(csrf),
    streamCsrf: csrf,
    link: (path) => `${base}${path}`,
    path: ownPath(request.originalUrl.slice(base.length)),
    zone: zone !== null && isZone(zone) ? zone : usualZone,
    usualZone,
    isZoneOpen: runtime.settings.timezone === null && browserZone === undefined,
    now: runtime.now(),
    isPart: request.get('hx-request') === 'true',
  };
}

/** The zone of the settings, else the browser's. */
function usualZoneOf({ settings }: Runtime, browser: string | undefined): string {
  if (settings.timezone !== null) return settings.timezone;
  return browser !== undefined && isZone(browser) ? browser : 'UTC';
}

/** A route that answers the refusal of a sheet, as its use case would. */
function withoutRefused(route: Route, body: FormBody | undefined): Route {
  const { refused } = body ?? {};
  return refused === undefined ? route : { ...route, handle: () => Promise.reject(refused) };
}

interface FramedAnswer {
  readonly answer: Answer;
  readonly around: Surroundings | undefined;
}

async function answerTo(
  options: PagesOptions,
  route: Route,
  request: Request,
  asked: PageRequest,
  admitted: Admitted,
): Promise<FramedAnswer> {
  await using _sheet = asked.sheet;
  // After a change the counts of the frame differ, so it is read later.
  const early = mayBePage(request) && !asked.isPart ? options.surroundings() : undefined;
  // An error of the frame counts only if there is a page to frame.
  early?.catch(() => undefined);
  const answer = await answerOf(route, asked, admitted);
  const hasFrame = answer.kind === 'page' || (answer.kind === 'question' && !asked.isPart);
  return { answer, around: hasFrame ? await (early ?? options.surroundings()) : undefined };
}

async function answerOf(route: Route, asked: PageRequest, admitted: Admitted): Promise<Answer> {
  const isChange = route.method === 'post';
  try {
    requireRight(admitted, route.right);
    if (isChange) requireProof(admitted, asked.form.get(csrfField));
    const answer = async () => route.handle(asked);
    return route.readsSheet
      ? await readSheetWithPermit(asked.person.name, answer, asked.left)
      : await answer();
  } catch (error) {
    const page = refusalPage(asked, error, isChange);
    if (page === undefined) throw error;
    return page;
  }
}
