/** Cookies, notices that survive one redirect, and answers for programs. */
import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';
import type { Notice } from './request.ts';

/** Where cookies belong to. */
export interface CookieScope {
  /** Base path of the console; empty for the root. */
  readonly base: string;
  /** Origin that browsers see behind a reverse proxy. */
  readonly origin?: string | undefined;
}

const flashCookie = 'notice';
/** Longest notice that a cookie carries, in characters. */
const maxFlash = 300;

const flashSchema = z.strictObject({
  state: z.enum(['done', 'failed', 'warning', 'paused', 'running']),
  text: z.string().max(maxFlash),
  more: z.string().max(maxFlash).optional(),
});

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
const gone = new Error('nobody waits for the answer any more');

/** @returns a signal that aborts when the answer is complete or the caller has left. */
export function leftSignal(response: Response): AbortSignal {
  const left = new AbortController();
  if (response.closed) left.abort(gone);
  else response.once('close', () => left.abort(gone));
  return left.signal;
}

/** Shows a notice on the next page. */
export function flash(response: Response, notice: Notice, scope: CookieScope): void {
  const cut = (text: string) => text.slice(0, maxFlash);
  const kept = { ...notice, text: cut(notice.text), ...(notice.more && { more: cut(notice.more) }) };
  response.cookie(flashCookie, JSON.stringify(kept), {
    ...cookieOptions(scope, response.req),
    maxAge: 60_000,
  });
}

export function takeFlash(request: Request, response: Response, scope: CookieScope): Notice | undefined {
  const text = cookie(request, flashCookie);
  if (text === undefined || request.get('hx-request') === 'true') return undefined;
  response.clearCookie(flashCookie, cookieOptions(scope, request));
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
  // Half a surrogate cannot be encoded.
  return `attachment; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed())}`;
}

/** Whether a request comes from a program, which gets a document and no page. */
export function isForPrograms({ path, baseUrl }: Request): boolean {
  return /\/api(?:\/|$)/.test(`${baseUrl}${path}`) || /\/metrics$/.test(path);
}

/** A problem document (RFC 9457). */
export function problem(
  response: Response,
  { status, code, title }: { readonly status: number; readonly code: string; readonly title: string },
  detail: string,
): void {
  response
    .status(status)
    .set({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ type: `urn:campaign-runner:problem:${code}`, title, status, detail, code }));
}
