/** Cookies, and notices that survive one redirect. */
import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';
import type { Notice } from './request.ts';

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
export function flash(response: Response, notice: Notice, base: string): void {
  const cut = (text: string) => text.slice(0, maxFlash);
  const kept = { ...notice, text: cut(notice.text), ...(notice.more && { more: cut(notice.more) }) };
  response.cookie(flashCookie, JSON.stringify(kept), { ...flashOptions(base), maxAge: 60_000 });
}

export function takeFlash(request: Request, response: Response, base: string): Notice | undefined {
  const text = cookie(request, flashCookie);
  if (text === undefined || request.get('hx-request') === 'true') return undefined;
  response.clearCookie(flashCookie, flashOptions(base));
  try {
    return flashSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function flashOptions(base: string): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', path: cookiePath(base) };
}

/** @param base path of the console; empty for the root. */
export function cookiePath(base: string): string {
  return base === '' ? '/' : base;
}
