/** The columns of the sheet: what each one is, and the texts of its first rows. */
import { html } from 'hono/html';
import type { DraftColumn } from '../../../../../drafts/view.ts';
import { columns } from '../../../../../manifest/columns.ts';
import { noteMark } from '../../../../../manifest/headers/column-map.ts';
import { nearestColumn } from '../../../../../manifest/headers/header.ts';
import type { Html } from '../../../../html.ts';
import { mayChange } from '../../../../parts/form.ts';
import { words } from '../../../../parts/language.ts';
import { count } from '../../../../parts/numbers/numbers.ts';
import { action, type ShownDraft } from '../shown.ts';

const longestText = 60;
/** Most columns with a list to choose from. Others stay as matched. */
const mostColumns = 100;

export function columnsSection(shown: ShownDraft): Html | string {
  const { request, checked } = shown;
  const all = checked.columns;
  if (all.length === 0) return '';
  const shownOnes = [...all].sort((one, other) => rank(one) - rank(other)).slice(0, mostColumns);
  const rest = all.length - shownOnes.length;
  const notes = all.filter(({ column }) => column === noteMark).length;
  const open = all.filter(({ column }) => column === null).length;
  const matched = all.length - notes - open;
  const told = [
    `${matched} of ${all.length} matched`,
    ...(notes > 0 ? [`${count(notes, 'note')}`] : []),
    ...(open > 0 ? [`${open} not known`] : []),
  ].join(', ');
  const table = html`<div class="scroller" role="group" aria-labelledby="columns" tabindex="0">
    <table class="mapping">
      <thead><tr><th scope="col">Col.</th><th scope="col">Yours</th><th scope="col">is</th><th scope="col">First rows</th></tr></thead>
      <tbody>${inOrder(shownOnes).map((column) => line(shown, column, mayChange(request)))}</tbody>
    </table></div>${rest > 0 ? html`<p class="note">${count(rest, 'more column')} of the sheet ${rest === 1 ? 'is' : 'are'} not listed.</p>` : ''}`;
  const body = mayChange(request)
    ? html`${table}
        <p class="after"><label><input type="checkbox" name="remember" value="yes" checked> Remember this for sheets with these headers</label></p>
        <p class="actions"><button ${action(shown, '/columns')}>Use these columns</button></p>`
    : table;
  return html`<section aria-labelledby="columns"><div class="section"><h2 id="columns">Columns</h2><p>${told}</p></div>${body}</section>`;
}

/** Sorts known columns first, then unknown ones, then notes. */
function rank({ column }: DraftColumn): number {
  if (column === null) return 1;
  return column === noteMark ? 2 : 0;
}

function inOrder(columns: readonly DraftColumn[]): readonly DraftColumn[] {
  return [...columns].sort((one, other) => one.position - other.position);
}

function line(
  { typed }: ShownDraft,
  { position, letters, title, column, firstTexts }: DraftColumn,
  isForm: boolean,
): Html {
  const texts = firstTexts.filter((text) => text !== '').map((text) => text.slice(0, longestText));
  const said =
    texts.length === 0
      ? html`<span class="none">empty in the first rows</span>`
      : texts.map((text, index) => html`${index === 0 ? '' : ', '}${words(text)}`);
  const name = `col.${position}`;
  const chosen = typed?.get(name) ?? column ?? '';
  return html`<tr><td>${letters}</td><th scope="row">${words(title)}</th><td>${isForm && title !== '' ? select(name, title, chosen) : (column ?? '')}</td><td class="said">${said}</td></tr>`;
}

function select(name: string, title: string, chosen: string): Html {
  const guess = chosen === '' ? nearestColumn(title) : undefined;
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`;
  return html`<select name="${name}" aria-label="${title} is"${chosen === '' ? html` aria-invalid="true"` : ''}>
    ${chosen === '' ? option('', guess === undefined ? 'choose' : `choose: ${guess}?`) : ''}
    ${columns.map((column) => option(column.name, column.name))}
    ${option(noteMark, 'a note, kept as it is')}
  </select>`;
}
