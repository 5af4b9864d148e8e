/** Live parts of pages: their stream, and the progress of reading a sheet, whose page loads by itself at the end (without scripts, by its link). */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { LiveParts } from '../live/hub.ts';
import type { PageRequest, Stream } from '../request.ts';
import { words } from './language.ts';
import { count } from './numbers/numbers.ts';

/**
 * The stream of live parts with forms, which carry the token of their session.
 * @param key what they show. @param readOwn reads what differs from stream to stream.
 */
export function liveStream(
  request: PageRequest,
  key: string,
  read: (at: PageRequest) => Promise<LiveParts>,
  readOwn?: () => Promise<LiveParts>,
): Stream {
  const { runtime, zone, person, csrf } = request;
  return {
    kind: 'stream',
    view: {
      key: `${key} ${zone} ${person.role} ${csrf}`,
      read: () => read({ ...request, now: runtime.now() }),
      readOwn,
    },
  };
}

interface Reading {
  /** Id of the element. */
  readonly id: string;
  /** What happens to the sheet, such as `is being checked`. */
  readonly doing: string;
  /** Name of the sheet. */
  readonly sheet: string;
  /** Rows so far, if known. */
  readonly rows: number | undefined;
  /** Path of the page that comes next. */
  readonly path: string;
}

/** A live part: replaced while the sheet is read. */
export function reading({ link }: PageRequest, { id, doing, sheet, rows, path }: Reading): Html {
  return html`<div id="${id}" role="status"><p><b>${words(sheet)} ${doing}.</b> ${rows === undefined ? '' : `${count(rows, 'row')} so far.`}</p><p class="note"><a href="${link(path)}">Look again</a></p></div>`;
}

/** Replaces `reading`, and loads the page. @param what has ended, such as `The check`. */
export function readingEnded(
  { link }: PageRequest,
  { id, path, what }: Pick<Reading, 'id' | 'path'> & { readonly what: string },
): Html {
  return html`<div id="${id}" hx-get="${link(path)}" hx-trigger="load" hx-target="#main" hx-select="#main" hx-swap="outerHTML"><p>${what} has ended. <a href="${link(path)}">Look at it</a></p></div>`;
}
