/** Forms and their fields; questions before changes, in a dialog or on a page of their own; what a change takes, and the redirect after it. */

import { printable } from '../../manifest/printable.ts';
import { plural, thousands } from '../../manifest/wording.ts';
import { type Html, html } from '../html.ts';
import type { Answer, Notice, PageRequest, Question, Redirect, Route, Undo } from '../request.ts';

export const csrfField = '_csrf';

/** A form for POST, with its CSRF token. @param path within the console. */
export function form(
  request: PageRequest,
  {
    path,
    body,
    className = '',
    id,
    isUpload = false,
    along,
    asks = false,
  }: {
    readonly path: string;
    readonly body: Html;
    readonly className?: string;
    readonly id?: string;
    readonly isUpload?: boolean | undefined;
    /** Id of a form of the page: its fields are sent along if this form is in a dialog. */
    readonly along?: string;
    /** Whether it leads to a question, and changes nothing by itself. */
    readonly asks?: boolean;
  },
): Html {
  return html`<form method="post" action="${request.link(path)}"${id === undefined ? '' : html` id="${id}"`}${isUpload ? html` enctype="multipart/form-data"` : ''}${along === undefined ? '' : html` data-along="${along}"`}${asks && html` data-asks`} class="${className}">${hidden(csrfField, request.csrf)}${body}</form>`;
}

export function hidden(name: string, value: string | number | null | undefined): Html | string {
  return value === undefined || value === null
    ? ''
    : html`<input type="hidden" name="${name}" value="${value}">`;
}

/** All fields of a form or an address, hidden. */
export function hiddenFields(fields: Iterable<readonly [name: string, value: string]>): readonly Html[] {
  return Array.from(fields, ([name, value]) => html`${hidden(name, value)}`);
}

/** A value with its label, or one that is its own label. */
type Option = string | readonly [value: string, label: string];

/** The choices of a `select`. @param chosen value of the one that is selected. */
export function options(of: readonly Option[], chosen: string | undefined): readonly Html[] {
  return of.map((option) => {
    const [value, label] = typeof option === 'string' ? [option, option] : option;
    return html`<option value="${value}"${value === chosen ? html` selected` : ''}>${printable(label)}</option>`;
  });
}

/** A labelled choice. Put `['', 'All']` first for a filter. */
export function select(
  label: string,
  name: string,
  of: readonly Option[],
  chosen: string | undefined = '',
): Html {
  return html`<label>${label} <select name="${name}">${options(of, chosen)}</select></label>`;
}

/** The choices of a list of time zones. @param chosen stands first if it is none of them. */
export function zoneChoices(chosen: string): readonly string[] {
  const names = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
  return names.includes(chosen) ? names : [chosen, ...names];
}

/** The zone of a row's time: its own, or none. @param attributes of the list. */
export function zoneField(attributes: Html, chosen: string): Html {
  const own = zoneChoices(chosen).filter(Boolean);
  return html`<select${attributes}>${options([['', 'Same as the sheet'], ...own], chosen)}</select>`;
}

export function sheetField({ isRequired = true } = {}): Html {
  return html`<p><label>Sheet: CSV, Excel or JSON<input type="file" name="sheet" accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl"${isRequired ? html` required` : ''}></label></p>`;
}

/** @param path of a page of kind `question`. @param label ends with `…`, because the question comes before any change. */
export function questionLink(
  { link }: PageRequest,
  path: string,
  label: Html | string,
  className = 'button',
): Html {
  return html`<a class="${className}" href="${link(path)}" hx-get="${link(path)}" hx-target="#question" hx-swap="innerHTML">${label}</a>`;
}

/** The way back from a question: closes the dialog, or leads to the page that asked. @param isFirst whether it has the focus. */
export function wayBack({ link }: PageRequest, path: string, label: string, isFirst = false): Html {
  return html`<a class="button" href="${link(path)}" data-back${isFirst && html` autofocus`}>${label}</a>`;
}

interface Confirmation {
  readonly fields?: Html | string | readonly Html[];
  /** A box without which a change that cannot be undone is not sent; its field is `sure`. */
  readonly sure?: Html | string;
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
  { fields = '', sure, back = 'Back', button, isDangerous, isUpload }: Confirmation,
): Html {
  const send = button && html`<button class="primary${isDangerous ? ' danger' : ''}">${button}</button>`;
  const box = sure && html`<p><label>${sureBox} ${sure}</label></p>`;
  const body = html`${fields}${box}<p class="actions">${wayBack(request, home, back, isDangerous && fields === '')} ${send}</p>`;
  return form(request, { path, isUpload, body });
}

const sureBox = html`<input type="checkbox" name="sure" value="yes" required>`;

export interface QuestionText extends Confirmation {
  readonly title: string;
  readonly text: Html | string;
}

/** The outcome of a change: a notice on the page where it leads, or its text alone. */
type Outcome = string | Notice | Answer;

/** Its path and right are those of both routes. */
export interface Change extends Pick<Route, 'path' | 'right' | 'takesSheet' | 'longestField' | 'readsSheet'> {
  /** Path of the page that asks, and comes after the change. */
  readonly home: (request: PageRequest) => string;
  readonly ask: (request: PageRequest) => QuestionText | Promise<QuestionText>;
  readonly carryOut: (request: PageRequest) => Outcome | Promise<Outcome>;
  /** Whether the box of the question must be ticked; else the question is asked again. */
  readonly needsBox?: true;
}

/** The routes of a change that asks first: GET shows the question, POST carries the change out. */
export function asksFirst(change: Change): readonly Route[] {
  const { home: _home, ask: _ask, needsBox: _needsBox, ...route } = change;
  const { path, right } = change;
  return [
    { path, right, method: 'get', handle: (request) => ask(request, change) },
    { ...route, method: 'post', handle: (request) => carryOut(request, change) },
  ];
}

export async function ask(request: PageRequest, change: Omit<Change, 'right'>): Promise<Question> {
  const asked = await change.ask(request);
  const path = change.path.replaceAll(/:(\w+)/g, (_part, name) =>
    encodeURIComponent(request.params[name] ?? ''),
  );
  const confirm = confirmForm(request, path, change.home(request), asked);
  return {
    kind: 'question',
    title: asked.title,
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
  undo?: Undo | undefined,
): Redirect {
  return { kind: 'redirect', to, notice: { state, text, more, undo } };
}

interface Cost {
  readonly calls: number;
  readonly outputs: number;
  /** Of these, outputs that were paid for before. */
  readonly paidBefore: number;
}

/** The sums of a plan; none without a plan. */
export function costOf(
  plan:
    | {
        readonly calls: Readonly<Record<string, number>>;
        readonly aiOutputs: number;
        readonly paidBefore?: number;
      }
    | null
    | undefined,
): Cost {
  const calls = Object.values(plan?.calls ?? {}).reduce((sum, many) => sum + many, 0);
  return { calls, outputs: plan?.aiOutputs ?? 0, paidBefore: plan?.paidBefore ?? 0 };
}

/** `At least 5 calls, pays for 1 AI output again.` */
export function takes(cost: Cost): Html {
  return html`<p><b>${costLine(cost)}</b> ${again}</p>`;
}

/** The same without a word about steps that are done, for a row that waits. */
export function costLine({ calls, ...outputs }: Cost): string {
  return `At least ${plural(calls, 'call')}, ${ofOutputs(outputs)}.`;
}

/** The same for several rows, as a list. */
export function takesOfRows(rows: number, cost: Cost): Html {
  const { calls, outputs, paidBefore } = cost;
  if (rows === 1) return takes(cost);
  const line = (what: string, many: number) =>
    html`<tr><th scope="row">${what}</th><td class="n">${thousands(many)}</td></tr>`;
  return html`<table><tbody>
    ${line('Rows to retry', rows)}${line('Calls, at least', calls)}${line(outputs === 0 ? 'AI outputs' : 'AI outputs to pay for', outputs)}${paidBefore > 0 && line('Of them, paid for again', paidBefore)}
  </tbody></table><p class="note">${again}</p>`;
}

const again = 'Finished steps are kept: uploaded files, products in the showcase.';

/** `pays for 3 AI outputs, 1 of them again`. */
export function ofOutputs({ outputs, paidBefore }: Omit<Cost, 'calls'>): string {
  if (outputs === 0) return 'no AI outputs';
  const paid = `pays for ${plural(outputs, 'AI output')}`;
  if (paidBefore === 0) return paid;
  return paidBefore === outputs ? `${paid} again` : `${paid}, ${thousands(paidBefore)} of them again`;
}
