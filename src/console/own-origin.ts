/**
 * Keeps other sites out. A page of any site can make the operator's browser send requests to loopback: by a form or `fetch`
 * (shown by `Origin`), or under its own name that resolves to 127.0.0.1 (DNS rebinding, shown by `Host`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';

/** Any port: a tunnel (`ssh -L`) may use another one. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const readingMethods = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a server that listens on `host` (a name or an address) is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return loopbackHost.test(host.includes(':') ? `[${host}]` : host);
}

/** Answers 403 unless a request comes from our own pages, or from a program on this machine. */
export function refuseForeign(): RequestHandler {
  return (request, response, next) => {
    const refusal = foreignness(request.method, request.headers);
    if (refusal === undefined) next();
    else response.status(403).json({ error: refusal });
  };
}

/** Why a request is refused; undefined if it is allowed. */
export function foreignness(method: string, headers: IncomingHttpHeaders): string | undefined {
  const { host = '', origin } = headers;
  if (!loopbackHost.test(host)) return `The host must be localhost or 127.0.0.1, not "${host}".`;
  if (readingMethods.includes(method)) return undefined;
  if (origin !== undefined) {
    return origin.toLowerCase() === `http://${host.toLowerCase()}`
      ? undefined
      : `Pages of "${origin}" may not change anything here.`;
  }
  const site = headers['sec-fetch-site'];
  // Programs such as curl send neither header.
  return site === undefined || site === 'same-origin'
    ? undefined
    : 'Pages of other sites may not change anything here.';
}
