/** Progress of reading a sheet. The page loads by itself at the end; without scripts, by its link. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { words } from './language.ts';
import { count } from './numbers/numbers.ts';

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
