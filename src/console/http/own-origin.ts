/**
 * Refuses requests from other sites. A page of any site can make the operator's browser send requests here: by a form or `fetch` (seen
 * in `Origin`), or under a name of its own that resolves to our address (DNS rebinding, seen in `Host`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { isForPrograms } from './callers.ts';
import type { CookieScope } from './cookies.ts';
import { HttpProblem, sendProblem } from './problem.ts';

/** With any port, because a tunnel (`ssh -L`) may use another one. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const readingMethods = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a server that listens on `host` (a name or an address) is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return isLoopbackName(host.includes(':') ? `[${host}]` : host);
}

/** @param host as in a URL, with or without its port. */
export function isLoopbackName(host: string): boolean {
  return loopbackHost.test(host);
}

/** Answers 403 unless a request names our host, and is of our pages or a program. */
export function refuseForeign({ base, origin }: CookieScope): RequestHandler {
  return (request, response, next) => {
    const refusal = foreignness(request.method, withoutNull(request), origin);
    if (refusal === undefined) next();
    else if (isForPrograms(request, base))
      sendProblem(response, new HttpProblem(403, 'foreign_request', refusal));
    else response.status(403).json({ error: refusal });
  };
}

/** The page of a client link sends no referrer, and so `null` as its origin: the proof in its form stands for it. */
function withoutNull({ path, headers }: Request): IncomingHttpHeaders {
  if (headers.origin !== 'null' || !path.startsWith('/shared/')) return headers;
  const { origin: _origin, 'sec-fetch-site': _site, ...others } = headers;
  return others;
}

/** Why a request is refused; undefined if it is allowed. @param ours origin that browsers see behind a reverse proxy. */
export function foreignness(method: string, headers: IncomingHttpHeaders, ours?: string): string | undefined {
  const { host = '', origin } = headers;
  const isLocal = isLoopbackName(host);
  if (!isLocal && !isHostOf(host, ours)) {
    const names = ours === undefined ? '' : `, ${new URL(ours).host}`;
    return `The host must be localhost, 127.0.0.1${names}, not "${host}". CONSOLE_ORIGIN sets another one.`;
  }
  if (readingMethods.includes(method)) {
    return isEmbedded(headers) ? 'Pages of other sites may only link here.' : undefined;
  }
  if (origin !== undefined) {
    const given = origin.toLowerCase();
    // A proxy may send another `Host`, so only the origin counts.
    return given === ours || (isLocal && given === `http://${host.toLowerCase()}`)
      ? undefined
      : `Pages of "${origin}" may not change anything here.`;
  }
  const site = headers['sec-fetch-site'];
  // Programs such as curl send neither header.
  return site === undefined || site === 'same-origin'
    ? undefined
    : 'Pages of other sites may not change anything here.';
}

/** Another site's image or frame: it does not see the answer, but we have the work. Browsers tell; programs send no such header. */
function isEmbedded(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': kind = 'document' } = headers;
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return mode !== 'navigate' || kind !== 'document';
}

/** Whether a host is that of an origin. The default port may be missing. */
function isHostOf(host: string, origin: string | undefined): boolean {
  if (origin === undefined) return false;
  const { protocol } = new URL(origin);
  const url = /^[\w.[\]:-]+$/.test(host) ? URL.parse(`${protocol}//${host}`) : null;
  return url?.origin === origin;
}
