/** Who asks and what for: a browser or a program, and whether it still waits; to which paths it may be sent on: none of another site; and what a file to save is called. */
import type { Request, Response } from 'express';

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
