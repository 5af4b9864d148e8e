/** Shows what was typed into a form that was refused. Nothing is sent until the person presses the button. */
import { shortened } from '../../manifest/printable.ts';
import { type Html, html, words } from '../html.ts';
import { csrfField, hiddenFields } from './form.ts';

export interface KeptForm {
  readonly link: (path: string) => string;
  readonly to: string;
  readonly title: string;
  readonly said: Html | string;
  readonly fields: URLSearchParams;
  /** The page of the form, and the path that fills what was typed into its fields again. A script goes there after the outage. */
  readonly back?: { readonly page: string; readonly typed: string } | undefined;
}

const mostShown = 20;
const longestShown = 500;

export function keptForm({ link, to, title, said, fields, back }: KeptForm): Html {
  const typed = [...fields].flatMap(([name, value]) => shownField(name, value));
  const shown = typed.slice(0, mostShown);
  const rest = typed.length - shown.length;
  return html`<form class="card question" method="post" action="${link(to)}"${back === undefined ? '' : html` data-page="${link(back.page)}" data-typed="${link(back.typed)}"`}>
  <h1 id="question-title">${title}</h1>
  <p>${said}</p>
  <dl class="facts kept">${shown.map(([name, value]) => html`<dt>${words(name)}</dt><dd>${words(shortened(value, longestShown))}</dd>`)}</dl>
  ${rest > 0 ? html`<p class="note">And ${rest === 1 ? '1 more field' : `${rest} more fields`}.</p>` : ''}
  <p class="note">It goes to <code>${words(to)}</code></p>
  ${hiddenFields(fields)}
  <p class="actions"><a class="button bare" href="${link('/campaigns')}" data-back>Back</a> <button class="primary">Send it</button></p>
</form>`;
}

/** Fields that no person typed. */
const untyped: readonly string[] = [
  ...[csrfField, 'revision', 'version', 'rows', 'page', 'posts'],
  ...['row-campaign', 'row-key', 'from', 'group', 'band'],
];

const decisions: Readonly<Record<string, string>> = {
  'posted-other': 'posted',
  'generated-other': 'generated',
  'not-posted': 'not posted',
  'not-generated': 'not generated',
};

type KeptField = readonly [name: string, value: string];

function shownField(name: string, value: string): readonly KeptField[] {
  if (value.trim() === '' || untyped.includes(name)) return [];
  const [, campaign, position] = /^[di]\.([^.]+)\.(\d+)\./.exec(name) ?? [];
  if (campaign === undefined) return [[fieldName(name), value]];
  const row = `${campaign}, ${belowHeader(Number(position) + 1)}`;
  return name.startsWith('i.') ? [[`${row}, its ID`, value]] : [[row, decisions[value] ?? value]];
}

/** A row by its number: its line in the file is not known here, and pages name rows by that. */
function belowHeader(number: number): string {
  return `row ${number} below the header`;
}

/** Names a cell of a draft, all rows with a problem, or a column of a row; else the name in the form. */
function fieldName(name: string): string {
  const [, row, position] = /^c\.(\d+)\.(\d+)$/.exec(name) ?? [];
  if (row !== undefined) return `${belowHeader(Number(row))}, column ${Number(position) + 1}`;
  const [, column] = /^col\.(\d+)$/.exec(name) ?? [];
  if (column !== undefined) return `meaning of column ${Number(column) + 1}`;
  return name.startsWith('text.') ? 'all rows of the problem' : name.replace(/^c\./, '');
}
