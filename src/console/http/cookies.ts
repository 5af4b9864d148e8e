/** Cookies, and notices that survive one redirect. */
import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';
import { longestHome, longestList } from '../pages/approvals/posts.ts';
import { type Notice, noticeStates } from '../request.ts';

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
  state: z.enum(noticeStates),
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

export function flash(response: Response, notice: Notice, scope: CookieScope): void {
  response.cookie(ownName(flashCookie, scope, response.req), writeFlash(notice), {
    ...cookieOptions(scope, response.req),
    maxAge: 60_000,
  });
}

/** Browsers drop a cookie of more than 4,096 bytes, with its name, as it is encoded. */
const longestCookie = 4000;

/** Shortened until it fits: first the details, then without the button that takes the change back. */
function writeFlash({ text, more, undo, ...rest }: Notice): string {
  const short = { ...rest, text: text.slice(0, maxFlash) };
  const forms = [maxFlash, maxFlash / 5, 0].map((most) => ({
    ...short,
    more: more?.slice(0, most) || undefined,
    undo,
  }));
  const texts = [...forms, { ...short, more: more?.slice(0, maxFlash / 5) }].map((form) =>
    JSON.stringify(form),
  );
  return texts.find((each) => encodeURIComponent(each).length <= longestCookie) ?? JSON.stringify(short);
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

export function cookieOptions({ base, origin }: CookieScope, request: Request): CookieOptions {
  const path = base === '' ? '/' : base;
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(origin, request), path };
}

/** Whether browsers reach the console over TLS, so that they must not send its cookies without. @param origin as in `CookieScope`. */
export function isSecure(origin: string | undefined, { secure }: Pick<Request, 'secure'>): boolean {
  return secure || origin?.startsWith('https:') === true;
}
