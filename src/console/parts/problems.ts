/** Problems of a sheet as a table. */
import { html } from 'hono/html';
import type { Problem } from '../../manifest/problems/problem.ts';
import { sentence } from '../../runtime/wording.ts';
import { cureOnPage } from '../hints.ts';
import type { Html } from '../html.ts';
import { words } from './language.ts';
import { count, number } from './numbers/numbers.ts';

const problemsShown = 50;

/** @param kept the first ones. @param total how many there are. */
export function problemsTable(kept: readonly Problem[], total: number): Html {
  const shown = kept.slice(0, problemsShown);
  const left = total - shown.length;
  return html`<section aria-labelledby="problems">
    <div class="section"><h2 id="problems">${count(total, 'problem')}</h2><p>Mend them in the sheet, and hand it in again.</p></div>
    <div class="scroller" role="group" aria-labelledby="problems" tabindex="0"><table>
      <thead><tr><th scope="col" class="n">Line</th><th scope="col">Row</th><th scope="col">Column</th><th scope="col">Value</th><th scope="col">Problem and cure</th></tr></thead>
      <tbody>${shown.map(({ line, key, column, value, problem, cure }) => html`<tr><td class="n">${number(line)}</td><th scope="row"><code>${key ?? ''}</code></th><td>${words(column ?? '')}</td><td>${words(value)}</td><td>${words(sentence(problem))} ${words(sentence(cureOnPage(cure)))}</td></tr>`)}</tbody>
    </table></div>
    ${left > 0 ? html`<p class="note">${number(left)} more.</p>` : ''}
  </section>`;
}
