/**
 * `/shared/TOKEN`: the posts of one campaign, or the plan of one draft, for people without an account. Nothing else can be reached from here. The token is in no
 * log, audit or referrer: errors are answered here, without the address.
 *
 *     GET  /shared/TOKEN                              the posts
 *     GET  /shared/TOKEN/logo                         of the settings
 *     GET  /shared/TOKEN/media/POSITION/COLUMN/INDEX  a picture or video of one of them
 *     POST /shared/TOKEN?do=approve, reject           decides one of a campaign, if the link may
 *     POST /shared/TOKEN?do=comment                   comments on one
 */
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import { sharedRowMedium } from '../../app/approvals/shared-posts.ts';
import { openShare } from '../../app/approvals/shares.ts';
import { type AskedMedium, findRowMedium, shownOrRefused } from '../../app/campaigns/rows/pictures.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import type { Depicted } from '../../service/media/pictures.ts';
import { readFormText, strangersShare } from '../http/body.ts';
import { leftSignal } from '../http/callers.ts';
import type { HttpContext } from '../http/context.ts';
import {
  type CookieScope,
  cookie,
  cookieOptions,
  flash,
  ownCookie,
  ownName,
  takeFlash,
} from '../http/cookies.ts';
import { maxKeptBytes, parseFields } from '../http/forms.ts';
import { addressOf, isProof, networkOf, proofOf } from '../http/gate.ts';
import { sendFile } from '../http/send.ts';
import { sendHtml, sendSaying } from '../http/turn-away.ts';
import { namedIn } from '../pages/approvals/posts.ts';
import { showLogo } from '../pages/videos/report-posts.ts';
import { csrfField } from '../parts/form.ts';
import { isZone } from '../parts/numbers.ts';
import { idOf } from './card.ts';
import { commentAsGuest, decideAsGuest, guestName, type OpenedShare, tooManyChanges } from './decide.ts';
import { placeIn, sharedPage } from './page.ts';

/** Most requests in a minute: of a link, whose pages have a hundred pictures; of a network; changes of a link; unknown links of a network. */
const most = { link: 1200, network: 2400, change: 60, unknown: 30 } as const;
const minuteMs = 60_000;
const mostCounted = 10_000;

class Counts {
  readonly #counts = new LRUCache<string, number>({ max: mostCounted, ttl: minuteMs, noUpdateTTL: true });

  /** Whether there were as many as may be. */
  isFull(kind: keyof typeof most, of: string): boolean {
    return (this.#counts.get(`${kind} ${of}`) ?? 0) >= most[kind];
  }

  /** Counts one. @returns whether there were as many as may be before. */
  isOver(kind: keyof typeof most, of: string): boolean {
    const key = `${kind} ${of}`;
    const isFull = this.isFull(kind, of);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return isFull;
  }
}

export function createShared(options: HttpContext): Router {
  const { tools } = options;
  const { log } = tools.runtime;
  const counts = new Counts();
  const router = Router();
  router.use('/shared/:token', openOrRefuse(options, counts));
  router.get('/shared/:token', (request, response) => show(options, request, response));
  router.get('/shared/:token/logo', async (request, response) =>
    sendFile(request, response, await showLogo(tools)),
  );
  router.get('/shared/:token/media/:position/:column/:index', (request, response) =>
    sendMedium(options, request, response),
  );
  router.post('/shared/:token', async (request, response) => {
    const { token, share, campaign } = openedOf(response);
    const { do: what, sure } = request.query;
    const decides = what === 'approve' || what === 'reject';
    // A draft still changes, and an approval is of exactly what is posted.
    const mayDecide = share.mayApprove && campaign !== undefined;
    if (decides ? !mayDecide : what !== 'comment') return refuse(options, response);
    const form = parseFields(await readFormText(request, maxKeptBytes, { share: strangersShare, response }));
    if (!isProof(form.get(csrfField) ?? '', proofOf(token))) return refuse(options, response);
    // The form may have taken half a minute: a link that was revoked meanwhile decides nothing.
    const opened = await openShare(tools.runtime, token);
    if (opened === undefined || (decides && opened.campaign === undefined)) return refuse(options, response);
    const name = guestName(form.get('name') ?? '');
    const by = { token, name, from: addressOf(request), left: leftSignal(response) };
    const notice = counts.isOver('change', share.id)
      ? tooManyChanges
      : decides && opened.campaign !== undefined
        ? await decideAsGuest(tools, { ...opened, ...by }, what, form, sure === 'yes')
        : await commentAsGuest(tools, { ...opened, ...by }, form);
    const scope = scopeOf(options, token);
    flash(response, notice, scope);
    response.cookie(ownName(nameCookie, scope, request), name, cookieOptions(scope, request));
    response.redirect(303, addressAfter(scope.base, request, form, notice.state === 'done'));
  });
  // Nothing further gets the address.
  router.use('/shared', (_request, response) => refuse(options, response));
  const failed: ErrorRequestHandler = async (
    error: Error & { readonly status?: number },
    _request,
    response,
    next,
  ) => {
    if (response.headersSent) return next(error);
    const { status = 500 } = error;
    if (error instanceof UseCaseError || status === 400) return refuse(options, response);
    if (status === 500) log.error({ error: error.message }, 'client link');
    await sendSaying(options, response, status < 500 ? status : 503, {
      title: 'This does not work now',
      more: 'Try again in a moment.',
    });
  };
  router.use('/shared', failed);
  return router;
}

const nameCookie = 'guest';

/** Cookies of a link go nowhere else: what came of the last change, and the name that was typed. */
function scopeOf({ base, origin }: HttpContext, token: string): CookieScope {
  return { base: `${base}/shared/${token}`, origin };
}

/** The page as it was, at the post that the change was about; at the next one if that has left the list. */
function addressAfter(own: string, request: Request, form: URLSearchParams, isDone: boolean): string {
  const query = queryOf(request);
  const [post] = namedIn(form);
  const next = query.get('next') ?? '';
  const decided = isDone && query.get('do') !== 'comment' && /^\d{1,9}$/.test(next);
  const place = placeIn(query);
  if (post === undefined) return place.size > 0 ? `${own}?${place}` : own;
  const at = decided ? Number(next) : post.position;
  place.set('at', String(at));
  return `${own}?${place}#${idOf(at)}`;
}

function queryOf(request: Request): URLSearchParams {
  return new URL(request.originalUrl, 'http://console').searchParams;
}

function openedOf(response: Response): OpenedShare {
  return response.locals.opened as OpenedShare;
}

function openOrRefuse(options: HttpContext, counts: Counts): RequestHandler<{ token: string }> {
  return async (request, response, next) => {
    const { token } = request.params;
    const network = networkOf(addressOf(request));
    response.set({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    });
    const isOver = counts.isOver('network', network) || counts.isFull('unknown', network);
    const opened = isOver ? undefined : await openShare(options.tools.runtime, token);
    if (isOver || (opened && counts.isOver('link', opened.share.id))) {
      response.set('retry-after', '60');
      await sendSaying(options, response, 429, {
        title: 'Too many requests',
        more: 'Try again in a minute.',
      });
    } else if (opened === undefined) {
      counts.isOver('unknown', network);
      await refuse(options, response);
    } else {
      response.locals.opened = { token, ...opened } satisfies OpenedShare;
      next();
    }
  };
}

/** The same for a link that is unknown, expired or revoked, and for whatever does not belong to it. */
function refuse(options: HttpContext, response: Response): Promise<void> {
  // Nobody reads the rest of a form.
  if (!response.req.complete) response.set('connection', 'close');
  const more = 'It may have expired. Ask the person who sent it for a new link.';
  return sendSaying(options, response, 404, { title: 'This link does not work', more });
}

async function show(options: HttpContext, request: Request, response: Response): Promise<void> {
  const opened = openedOf(response);
  const scope = scopeOf(options, opened.token);
  const told = takeFlash(request, response, scope);
  const name = guestName(ownCookie(request, nameCookie, scope) ?? '');
  // What the script of the page, or of the console, has told.
  const zone = cookie(request, 'zone');
  const ownZone = zone !== undefined && isZone(zone) ? zone : undefined;
  const asked = { ...opened, query: queryOf(request), ownZone };
  await sendHtml(response, 200, await sharedPage(options, asked, { told, name }));
}

async function sendMedium(options: HttpContext, request: Request, response: Response): Promise<void> {
  const { drafts, pictures } = options.tools;
  const opened = openedOf(response);
  const { position = '', column = '', index = '' } = request.params as Record<string, string>;
  const row = /^\d{1,9}$/.test(position) ? Number(position) : undefined;
  const asked = { column, index: Number(index) };
  if (row === undefined || (opened.campaign === undefined && column !== 'media'))
    return refuse(options, response);
  const medium =
    opened.campaign === undefined
      ? await sharedRowMedium(drafts, opened.draft, row, asked.index)
      : await campaignMedium(options, opened.campaign, row, asked);
  if (medium === undefined) return refuse(options, response);
  const { w } = request.query;
  const size = w === '240' ? 'small' : w === '96' ? 'tiny' : 'whole';
  const file = await shownOrRefused(() => pictures.open(medium, size));
  // Without a tag, no browser keeps it.
  await sendFile(request, response, { kind: 'file', ...file, etag: undefined });
}

async function campaignMedium(
  { tools: { runtime } }: HttpContext,
  campaign: Campaign,
  row: RowIndex,
  asked: AskedMedium,
): Promise<Depicted | undefined> {
  // What an AI got as a reference is not part of the post.
  if (row >= campaign.rows || asked.column === 'ai_references') return undefined;
  const [status] = await runtime.ledger.rows.statusesOf(campaign.id, [row]);
  if (status?.state === 'cancelled') return undefined;
  const key = await runtime.ledger.rowKeys.of(campaign, row);
  return findRowMedium(runtime, campaign.id, key, asked);
}
