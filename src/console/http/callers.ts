/** Who asks and what for: a browser or a program, and whether it still waits; and what a file to save is called. */
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
