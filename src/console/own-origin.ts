/**
 * Keeps other sites out. A page of any site can make the operator's browser send requests here: by a form or `fetch` (shown by
 * `Origin`), or under its own name that resolves to our address (DNS rebinding, shown by `Host`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';

/** Any port: a tunnel (`ssh -L`) may use another one. */
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

/**
 * Answers 403 unless a request comes from our own pages, or from a program, under a name of ours.
 * @param origin that browsers see behind a reverse proxy.
 */
export function refuseForeign(origin?: string): RequestHandler {
  return (request, response, next) => {
    const refusal = foreignness(request.method, request.headers, origin);
    if (refusal === undefined) next();
    else response.status(403).json({ error: refusal });
  };
}

/** Why a request is refused; undefined if it is allowed. @param ours origin that browsers see behind a reverse proxy. */
export function foreignness(method: string, headers: IncomingHttpHeaders, ours?: string): string | undefined {
  const { host = '', origin } = headers;
  const isLocal = isLoopbackName(host);
  if (!isLocal && !isHostOf(host, ours)) {
    const names = ours === undefined ? '' : `, ${new URL(ours).host}`;
    return `The host must be localhost, 127.0.0.1${names}, not "${host}". CONSOLE_ORIGIN sets another one.`;
  }
  if (readingMethods.includes(method)) return undefined;
  if (origin !== undefined) {
    const given = origin.toLowerCase();
    // A proxy may send its own name for us as the host, so the origin alone decides.
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

/** The port of `http` and `https` may be left out. */
function isHostOf(host: string, origin: string | undefined): boolean {
  if (origin === undefined) return false;
  const { protocol } = new URL(origin);
  const url = /^[\w.[\]:-]+$/.test(host) ? URL.parse(`${protocol}//${host}`) : null;
  return url?.origin === origin;
}
