/** The planner's texts, by column of the sheet. */
import { html } from 'hono/html';
import type { ReadRow } from '../../../campaigns/rows/show-row.ts';
import type { Html } from '../../html.ts';
import { words } from '../../parts/language.ts';

export function writtenSection({ cells }: ReadRow): Html {
  const filled = cells.filter(({ text }) => text.trim() !== '');
  return html`<section aria-labelledby="written">
    <div class="section"><h2 id="written">What was planned</h2></div>
    <dl class="facts">
      ${filled.map(
        ({ name, column, text }) =>
          html`<dt>${words(column === undefined ? name.replace(/^[_#] ?/, '') : name)}</dt><dd>${words(text)}${column === undefined ? ' (a note)' : ''}</dd>`,
      )}
    </dl>
  </section>`;
}
