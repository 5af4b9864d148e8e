/** Problems of a sheet as a table. */
import { html } from 'hono/html';
import type { Problem } from '../../manifest/problems/problem.ts';
import { sentence } from '../../runtime/wording.ts';
import { cureOnPage } from '../hints.ts';
import type { Html } from '../html.ts';
import { words } from './language.ts';
import { count, number } from './numbers/numbers.ts';
import { n, section, table } from './table.ts';

const problemsShown = 50;

/** @param kept the first ones. @param total how many there are. */
export function problemsTable(kept: readonly Problem[], total: number): Html {
  const shown = kept.slice(0, problemsShown);
  const left = total - shown.length;
  const lines = shown.map(
    ({ line, key, column, value, problem, cure }) =>
      html`<tr><td class="n">${number(line)}</td><th scope="row"><code>${key ?? ''}</code></th><td>${words(column ?? '')}</td><td>${words(value)}</td><td>${words(sentence(problem))} ${words(sentence(cureOnPage(cure)))}</td></tr>`,
  );
  return section(
    {
      id: 'problems',
      title: count(total, 'problem'),
      note: 'Mend them in the sheet, and hand it in again.',
    },
    html`${table({ of: 'problems', heads: [n('Line'), 'Row', 'Column', 'Value', 'Problem and cure'], lines })}
    ${left > 0 && html`<p class="note">${number(left)} more.</p>`}`,
  );
}
