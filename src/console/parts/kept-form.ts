/** A form that could not be taken: shows what was typed. Nothing is sent before somebody says so. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { csrfField } from './form.ts';
import { words } from './language.ts';

export interface KeptForm {
  readonly link: (path: string) => string;
  /** Path that the form goes to. */
  readonly to: string;
  readonly title: string;
  readonly said: Html | string;
  readonly fields: URLSearchParams;
}

const mostShown = 20;
const longestShown = 500;

export function keptForm({ link, to, title, said, fields }: KeptForm): Html {
  const typed = [...fields].filter(([name, value]) => name !== csrfField && value.trim() !== '');
  const shown = typed.slice(0, mostShown);
  const rest = typed.length - shown.length;
  return html`<form class="card question" method="post" action="${link(to)}">
  <h1>${title}</h1>
  <p>${said}</p>
  <dl class="kept">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${words(value.slice(0, longestShown))}</dd>`)}</dl>
  ${rest > 0 ? html`<p class="note">And ${rest} more fields.</p>` : ''}
  ${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
  <p class="actions"><a class="button" href="${link('/campaigns')}">Leave it</a> <button class="primary">Send it</button></p>
</form>`;
}
