/** Links to questions: a dialog, or a page of its own without scripts. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { PageRequest } from '../request.ts';

/** @param path of a page of kind `question`. @param label ends with `…`, because the question comes before any change. */
export function questionLink(
  { link }: PageRequest,
  path: string,
  label: Html | string,
  className = 'button',
): Html {
  return html`<a class="${className}" href="${link(path)}" hx-get="${link(path)}" hx-target="#question" hx-swap="innerHTML">${label}</a>`;
}

/** The way back from a question: closes the dialog, or leads to the page that asked. */
export function wayBack({ link }: PageRequest, path: string, label: string): Html {
  return html`<a class="button" href="${link(path)}" data-back>${label}</a>`;
}
