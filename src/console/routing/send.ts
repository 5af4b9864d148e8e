/** Sends the answer of a page. */
import type { Request, Response } from 'express';
import { layout, questionMain, type Surroundings } from '../parts/layout.ts';
import type { Answer, Download, Page, PageRequest, Question, ShownFile, Stream } from '../request.ts';
import { attachment, flash } from '../web.ts';
import type { RouterOptions } from './router-options.ts';

const retrySeconds = 10;
/** How often an open stream checks that its person is still signed in, in milliseconds. */
const askAgainMs = 60_000;

export function openStream(
  { gate, hub, tools: { runtime } }: RouterOptions,
  { view }: Stream,
  request: Request,
  response: Response,
  { name, isAnybody }: PageRequest['person'],
): void {
  // In an open console, everybody has the same name.
  hub.open(view, response, request.get('last-event-id'), isAnybody ? undefined : name);
  if (response.closed) return;
  const timer = setInterval(async () => {
    try {
      if (!(await gate.isStillAdmitted(request))) response.end();
    } catch (error) {
      runtime.log.warn({ error: String(error) }, 'session of a stream not looked up');
    }
  }, askAgainMs);
  response.once('close', () => clearInterval(timer));
}

export async function send(
  options: RouterOptions,
  request: PageRequest,
  answer: Exclude<Answer, Stream | ShownFile>,
  around: Surroundings | undefined,
  response: Response,
): Promise<void> {
  switch (answer.kind) {
    case 'redirect':
      if (answer.notice) flash(response, answer.notice, options);
      response.redirect(303, request.link(answer.to));
      return;
    case 'download':
      response.set({
        'content-type': answer.contentType,
        'content-disposition': attachment(answer.fileName),
        'cache-control': 'no-store',
      });
      await sendDownload(options, answer, response);
      return;
    default:
      await sendPage(request, answer, around, response);
  }
}

/** Sends a file. If it breaks off, the connection ends, so that the part does not look like a whole file. */
async function sendDownload(
  { tools: { runtime } }: RouterOptions,
  { fileName, write }: Download,
  response: Response,
): Promise<void> {
  try {
    await write(response);
    response.end();
  } catch (error) {
    const hasLeft = response.destroyed;
    response.destroy();
    if (!hasLeft) runtime.log.warn({ file: fileName, error: String(error) }, 'download broke off');
  }
}

async function sendPage(
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
  // Not `send`, which would hash the page for an ETag that no request uses.
  response.end(String(await layout(request, page, around)));
}
