/** The changes that a mended sheet makes in the rows of its campaign. */
import { html } from 'hono/html';
import type { ChangedCell, ChangedRow } from '../../../../importers/into/changed-cells.ts';
import type { Html } from '../../../html.ts';
import { words } from '../../../parts/language.ts';
import { count } from '../../../parts/numbers/numbers.ts';

const longestText = 300;

/** Old and new texts of the first rows. */
export function changesSection(changes: readonly ChangedRow[], all: number): Html | string {
  const shown = changes.filter(({ cells }) => cells.length > 0);
  if (shown.length === 0) return '';
  const left = all - shown.length;
  const line = (key: string, { column, was, is }: ChangedCell, rows: number | undefined) =>
    html`<tr>${rows === undefined ? '' : html`<th scope="row" rowspan="${rows}"><code>${key}</code></th>`}<td>${words(column)}</td><td>${textOf(was)}</td><td>${textOf(is)}</td></tr>`;
  return html`<section aria-labelledby="changes">
    <div class="section"><h2 id="changes">What changes</h2></div>
    <div class="scroller" role="group" aria-labelledby="changes" tabindex="0"><table>
      <thead><tr><th scope="col">Row</th><th scope="col">Column</th><th scope="col">Was</th><th scope="col">Is</th></tr></thead>
      <tbody>${shown.map(({ key, cells }) => cells.map((cell, index) => line(key, cell, index === 0 ? cells.length : undefined)))}</tbody>
    </table></div>
    ${left > 0 ? html`<p class="note">${count(left, 'more row')} ${left === 1 ? 'is' : 'are'} not listed.</p>` : ''}
  </section>`;
}

function textOf(text: string): Html | string {
  if (text === '') return html`<span class="none">empty</span>`;
  return text.length > longestText ? html`${words(text.slice(0, longestText))}…` : words(text);
}
