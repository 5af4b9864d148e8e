/** Questions before changes: a dialog, or a page of its own without scripts. And the redirect after a change. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Answer, Notice, PageRequest, Question, Redirect, Route } from '../request.ts';
import { form } from './form.ts';

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

interface Confirmation {
  readonly fields?: Html | string | readonly Html[];
  /** A box without which a change that cannot be undone is not sent; its field is `sure`. */
  readonly sure?: Html | string;
  /** Label of the way back. */
  readonly back?: string;
  /** Label of the button; undefined if there is nothing to confirm. */
  readonly button: Html | string | undefined;
  readonly isDangerous?: boolean;
  readonly isUpload?: boolean;
}

/** A form with a way back and one button. @param path that it goes to. @param home path that the way back leads to. */
export function confirmForm(
  request: PageRequest,
  path: string,
  home: string,
  { fields = '', sure, back = 'Leave it', button, isDangerous, isUpload }: Confirmation,
): Html {
  const send = button && html`<button class="primary${isDangerous ? ' danger' : ''}">${button}</button>`;
  const box = sure && html`<p><label>${sureBox} ${sure}</label></p>`;
  const body = html`${fields}${box}<p class="actions">${wayBack(request, home, back)} ${send}</p>`;
  return form(request, { path, isUpload, body });
}

const sureBox = html`<input type="checkbox" name="sure" value="yes" required>`;

export interface Asked extends Confirmation {
  readonly title: string;
  /** What the change does. */
  readonly text: Html | string;
}

/** The outcome of a change: a notice on the page where it leads, or its text alone. */
type Outcome = string | Notice | Answer;

export interface Change {
  /** Pattern of the path of both. */
  readonly path: string;
  /** Path of the entry of the main menu. */
  readonly section: string;
  /** Path of the page that asks, and comes after the change. */
  readonly home: (request: PageRequest) => string;
  readonly ask: (request: PageRequest) => Asked | Promise<Asked>;
  readonly carryOut: (request: PageRequest) => Outcome | Promise<Outcome>;
  /** Whether the box of the question must be ticked; else the question is asked again. */
  readonly needsBox?: true;
  readonly takesSheet?: true;
  readonly readsSheet?: true;
  readonly audit?: NonNullable<Route['audit']>;
}

/** The routes of a change that asks first: GET shows the question, POST carries the change out. */
export function asksFirst(change: Change): readonly Route[] {
  const { section: _section, home: _home, ask: _ask, needsBox: _needsBox, ...route } = change;
  return [
    { path: change.path, method: 'get', role: 'operator', handle: (request) => ask(request, change) },
    { ...route, method: 'post', role: 'operator', handle: (request) => carryOut(request, change) },
  ];
}

/** The question about a change. */
export async function ask(request: PageRequest, change: Change): Promise<Question> {
  const asked = await change.ask(request);
  const path = change.path.replaceAll(/:(\w+)/g, (_part, name) =>
    encodeURIComponent(request.params[name] ?? ''),
  );
  const confirm = confirmForm(request, path, change.home(request), asked);
  return {
    kind: 'question',
    title: asked.title,
    section: change.section,
    body: html`${asked.text}${confirm}`,
  };
}

async function carryOut(request: PageRequest, change: Change): Promise<Answer> {
  if (change.needsBox && request.form.get('sure') !== 'yes') return ask(request, change);
  const outcome = await change.carryOut(request);
  if (typeof outcome !== 'string' && 'kind' in outcome) return outcome;
  const notice = typeof outcome === 'string' ? ({ state: 'done', text: outcome } as const) : outcome;
  return { kind: 'redirect', to: change.home(request), notice };
}

/** Redirects after a change, with a notice of what came of it. @param more what to do or to know. */
export function done(
  to: string,
  text: string,
  more?: string | undefined,
  state: Notice['state'] = 'done',
): Redirect {
  return { kind: 'redirect', to, notice: { state, text, more } };
}
