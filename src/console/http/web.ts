/** Cookies, notices that survive one redirect, and paths to go back to. */
import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';
import { longestHome, longestList } from '../pages/approvals/posts.ts';
import type { Notice } from '../request.ts';

export interface CookieScope {
  /** Base path of the console; empty for the root. */
  readonly base: string;
  /** Origin that browsers see behind a reverse proxy. */
  readonly origin?: string | undefined;
}

const flashCookie = 'notice';
/** Longest notice that a cookie carries, in characters. */
const maxFlash = 300;

/** Forms that take a change back. A cookie may come from somebody else, and must not make a button of any other form. */
const undoing =
  /^\/(?:campaigns\/[\w-]+\/(?:pause|resume)|queues\/[\w-]+\/resume|review\/undo|approvals\/withdraw|campaigns\/new\/[0-9a-f]{16}\/undo)$/;

const flashSchema = z.strictObject({
  state: z.enum(['done', 'failed', 'warning', 'paused', 'running']),
  text: z.string().max(maxFlash),
  more: z.string().max(maxFlash).optional(),
  undo: z
    .strictObject({
      label: z.string().max(30),
      path: z.string().regex(undoing),
      form: z.literal('draft').optional(),
      fields: z
        .union([
          z.strictObject({ campaign: z.string().max(100), key: z.string().max(maxFlash) }),
          z.strictObject({ posts: z.string().max(longestList), home: z.string().max(longestHome) }),
        ])
        .optional(),
    })
    .optional(),
});

/** Behind TLS it has a prefix, by which browsers take it neither from a page without TLS nor (`__Host-`) from another name. */
export function ownName(name: string, { base, origin }: CookieScope, request: Request): string {
  if (!isSecure(origin, request)) return name;
  return `${base === '' ? '__Host-' : '__Secure-'}${name}`;
}

/** The value of a cookie of ours, as `cookie`. */
export function ownCookie(request: Request, name: string, scope: CookieScope): string | undefined {
  return cookie(request, ownName(name, scope, request));
}

/** The value of a cookie; undefined if it is missing or cannot be decoded. */
export function cookie(request: Request, name: string): string | undefined {
  for (const pair of (request.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Shared, because creating an error captures a stack trace. */
const gone = new Error('the reader has left');

/** One for each answer: many parts of the console ask for it, and Node warns of more than ten listeners. */
const signals = new WeakMap<Response, AbortSignal>();

/** @returns a signal that aborts when the answer is complete or the caller has left. */
export function leftSignal(response: Response): AbortSignal {
  const known = signals.get(response);
  if (known !== undefined) return known;
  const left = new AbortController();
  if (response.closed) left.abort(gone);
  else response.once('close', () => left.abort(gone));
  signals.set(response, left.signal);
  return left.signal;
}

/** Whether a page may be the answer: not to what loads a picture, an event or a change. */
export function mayBePage({ method, headers: { accept = '' } }: Request): boolean {
  return method === 'GET' && (accept.includes('text/html') || accept === '*/*');
}

export function flash(response: Response, notice: Notice, scope: CookieScope): void {
  const cut = (text: string) => text.slice(0, maxFlash);
  const kept = { ...notice, text: cut(notice.text), ...(notice.more && { more: cut(notice.more) }) };
  response.cookie(ownName(flashCookie, scope, response.req), JSON.stringify(kept), {
    ...cookieOptions(scope, response.req),
    maxAge: 60_000,
  });
}

export function takeFlash(request: Request, response: Response, scope: CookieScope): Notice | undefined {
  const text = ownCookie(request, flashCookie, scope);
  if (text === undefined || request.get('hx-request') === 'true') return undefined;
  response.clearCookie(ownName(flashCookie, scope, request), cookieOptions(scope, request));
  try {
    return flashSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Options of a cookie that only the server reads. */
export function cookieOptions({ base, origin }: CookieScope, request: Request): CookieOptions {
  const path = base === '' ? '/' : base;
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(origin, request), path };
}

/** Whether browsers reach the console over TLS, so that they must not send its cookies without. @param origin as in `CookieScope`. */
export function isSecure(origin: string | undefined, { secure }: Pick<Request, 'secure'>): boolean {
  return secure || origin?.startsWith('https:') === true;
}

/** Value of `Content-Disposition` of a file to save. */
export function attachment(fileName: string): string {
  // Half a surrogate cannot be encoded. The thin spaces of a title are in the way of whoever types the name.
  return `attachment; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed().replaceAll(/\s/g, ' '))}`;
}

/** Whether a request comes from a program, or a script of Bull Board, which gets a document and no page. @param base as in `CookieScope`. */
export function isForPrograms({ path, baseUrl }: Request, base: string): boolean {
  return /^\/(?:(?:board\/)?api(?:\/|$)|metrics$)/.test(`${baseUrl}${path}`.slice(base.length));
}

/** Longest path that the sign-in redirects to, in characters. */
const longest = 2000;

const origin = 'http://console.invalid';
const anyBase = '/base';

/** Browsers read `//host` and `/\host` as other sites, skip line breaks and tabs, and resolve `..`. @param path without the base. */
export function isOwnPath(path: string): boolean {
  if (path.length > longest || !/^\/(?![/\\])/.test(path) || !/^[\x21-\x7e]*$/.test(path)) return false;
  const url = URL.parse(path, origin);
  if (url?.origin !== origin || /^\/sign-(?:in|out)(?:\/|$)/.test(url.pathname)) return false;
  // A path with more `..` than folders leads out of the base.
  return URL.parse(`${anyBase}${path}`, origin)?.pathname === `${anyBase}${url.pathname}`;
}

/** @returns the path if it is a path of the console, else the path of the first page. */
export function ownPath(path: string | null | undefined): string {
  return path !== null && path !== undefined && isOwnPath(path) ? path : '/campaigns';
}
