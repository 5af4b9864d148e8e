/** Points and notices: a fact, and what to do about it. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Notice } from '../request.ts';
import { icon } from './icons.ts';
import { words } from './language.ts';
import { iconOf, type ShownState } from './state.ts';

export interface Point {
  readonly state: ShownState;
  readonly what: Html | string;
  readonly more?: Html | string | undefined;
}

export function point({ state, what, more }: Point): Html {
  return html`<li data-state="${state}">${icon(iconOf(state))}<div>${what}${more === undefined ? '' : html` <small>${more}</small>`}</div></li>`;
}

/** @param action one form or link at most. */
export function notice({ state, text, more }: Notice, action: Html | string = ''): Html {
  const role = state === 'failed' ? 'alert' : 'status';
  return html`<div class="notice" data-state="${state}" role="${role}">
    <p>${icon(iconOf(state))}<span><b>${words(text)}</b>${more === undefined ? '' : html` <small>${words(more)}</small>`}</span></p>
    ${action}
  </div>`;
}

/** Stands in for an empty list. @param lead what belongs here, or the filter that nothing matches. */
export function empty(lead: Html | string, rest: Html | string = ''): Html {
  return html`<div class="empty"><p>${lead}</p>${rest}</div>`;
}
