/** Sends the answer of a page: HTML, a redirect, a stream, a file to save or to look at. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { pipeFile } from '../../platform/files/write-file.ts';
import { layout, questionMain, type Surroundings } from '../parts/layout.ts';
import type { Answer, Download, Page, PageRequest, Question, ShownFile, Stream } from '../request.ts';
import { attachment, mayBePage } from './callers.ts';
import type { HttpContext } from './context.ts';
import { flash, takeFlash } from './cookies.ts';
import { retrySeconds } from './problem.ts';

/** How often an open stream checks that its person is still signed in, and in the same role. Milliseconds. */
const askAgainMs = 10_000;

export function openStream(
  { gate, hub, tools: { runtime } }: HttpContext,
  { view }: Stream,
  request: Request,
  response: Response,
  person: PageRequest['person'],
): void {
  // In an open console, everybody has the same name.
  hub.open(view, response, request.get('last-event-id'), person.isAnybody ? undefined : person.name);
  if (response.closed) return;
  const timer = setInterval(async () => {
    try {
      if (!(await gate.isStill(person, request))) response.end();
    } catch (error) {
      runtime.log.warn({ error: String(error) }, 'session of a stream not looked up');
    }
  }, askAgainMs);
  response.once('close', () => clearInterval(timer));
}

export async function send(
  options: HttpContext,
  request: PageRequest,
  answer: Exclude<Answer, Stream | ShownFile>,
  around: Surroundings | undefined,
  response: Response,
): Promise<void> {
  switch (answer.kind) {
    case 'redirect':
      if (answer.notice) flash(response, answer.notice, options);
      // A question that needs no answer: the page goes on, not the dialog that waits for one.
      if (request.isPart) response.set('hx-redirect', request.link(answer.to)).end();
      else response.redirect(303, request.link(answer.to));
      return;
    case 'download':
      await sendDownload(response, answer, options.tools.runtime.log);
      return;
    default:
      await sendPage(options, request, answer, around, response);
  }
}

/** Sends a file to save. If it breaks off, the connection ends, so that the part does not look like a whole file. */
export async function sendDownload(
  response: Response,
  { fileName, contentType, write }: Omit<Download, 'kind'>,
  log: Logger,
): Promise<void> {
  response.set({
    'content-type': contentType,
    'content-disposition': attachment(fileName),
    'cache-control': 'no-store',
  });
  try {
    await write(response);
    response.end();
  } catch (error) {
    if (!response.headersSent && !response.destroyed) {
      response.removeHeader('content-disposition');
      throw error;
    }
    const hasLeft = response.destroyed;
    response.destroy();
    if (!hasLeft) log.warn({ file: fileName, error: String(error) }, 'download broke off');
  }
}

async function sendPage(
  options: HttpContext,
  request: PageRequest,
  answer: Page | Question,
  around: Surroundings | undefined,
  response: Response,
): Promise<void> {
  response
    .status(answer.status ?? 200)
    .set({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  if (answer.status === 503) response.set('retry-after', String(retrySeconds));
  if (around === undefined) {
    const part = answer.kind === 'page' ? answer.main : questionMain(answer.title, answer.body);
    response.end(String(await part));
    return;
  }
  const page: Page =
    answer.kind === 'page'
      ? answer
      : { ...answer, kind: 'page', main: questionMain(answer.title, answer.body) };
  // Only here: a request for a picture may come between a change and its page.
  const told = mayBePage(response.req) ? takeFlash(response.req, response, options) : undefined;
  // Not `send`, which would hash the page for an ETag that no request uses.
  response.end(String(await layout(request, page, around, told)));
}

/** No script, no form, no further file. Inline styles: browsers wrap an image or a video in a page of their own. */
const policy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Sends a file to look at, or the requested range of it. Such as the media of a row come from outside, so a browser may show them and do nothing else. */
export async function sendFile(request: Request, response: Response, file: ShownFile): Promise<void> {
  const { contentType, bytes } = file;
  response.set({
    'content-type': contentType,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
    'cache-control': cacheControlOf(file),
    'accept-ranges': 'bytes',
  });
  const etag = file.etag === undefined ? undefined : `"${file.etag}"`;
  if (etag !== undefined) response.set('etag', etag);
  if (etag !== undefined && request.get('if-none-match') === etag) {
    await file.close();
    response.removeHeader('content-type');
    response.status(304).end();
    return;
  }
  // The rest of a file that has changed would not fit.
  const isOther = request.get('if-range') !== undefined && request.get('if-range') !== etag;
  const range = isOther ? undefined : rangeOf(request, bytes);
  if (range === 'none') {
    await file.close();
    response.status(416).set('content-range', `bytes */${bytes}`).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  if (range !== undefined) response.status(206).set('content-range', `bytes ${start}-${end}/${bytes}`);
  response.set('content-length', String(end - start + 1));
  if (request.method === 'HEAD') {
    await file.close();
    response.end();
    return;
  }
  // If the browser leaves or the file is truncated meanwhile, the connection ends.
  await pipeFile(file.read(start, end), response).catch(() => response.destroy());
}

/** A week for what never changes: after that, it may be gone from here, too. */
function cacheControlOf({ etag, isLasting }: ShownFile): string {
  if (etag === undefined) return 'private, no-store';
  return isLasting ? 'private, max-age=604800, immutable' : 'private, no-cache';
}

/** @returns undefined for the whole file (also if several ranges are requested); `none` if the range does not exist. */
function rangeOf(
  request: Request,
  bytes: number,
): { readonly start: number; readonly end: number } | 'none' | undefined {
  const ranges = request.range(bytes, { combine: true });
  if (ranges === -1) return 'none';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1)
    return undefined;
  return ranges[0];
}
