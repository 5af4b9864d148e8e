/** Sums of the videos that match the filter: totals with sparklines, and gains by day. */

import { html } from 'hono/html';
import { capitalized } from '../../../runtime/wording.ts';
import type { Overview } from '../../../videos/overview.ts';
import type { Html } from '../../html.ts';
import { gain, short, spark } from '../../parts/numbers/figures.ts';
import { count, dayOfMonth, isoDay, longDay, number } from '../../parts/numbers/numbers.ts';
import { plot } from '../../parts/numbers/plot.ts';
import type { PageRequest } from '../../request.ts';
import { type Asked, addressOf, type FigureName, figureNames } from './query.ts';

export function titleOfFigure(name: FigureName): string {
  return capitalized(name);
}

export function totalFigures({ totals }: Overview): Html {
  return html`<dl class="figures">${figureNames.map((name, each) => {
    const total = totals.counts[each] ?? 0;
    return html`<div><dt>${titleOfFigure(name)}</dt><dd><b title="${number(total)}">${short(total)}</b> ${gain(totals.growths[0]?.[each] ?? 0)}${spark(totals.daily[each] ?? [])}</dd></div>`;
  })}</dl>`;
}

/** Most days with a label of their own. */
const mostLabels = 15;

export function gainedSection(
  request: PageRequest,
  { figure, span }: Asked,
  { totals, days }: Overview,
): Html {
  const { zone } = request;
  const title = titleOfFigure(figure);
  const values = (totals.daily[figureNames.indexOf(figure)] ?? []).map(Number);
  const times = days.starts;
  const every = Math.ceil(span / mostLabels);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const dates =
    first === last
      ? longDay(last * 1000, zone)
      : `${longDay(first * 1000, zone)} to ${longDay(last * 1000, zone)}`;
  const most = Math.max(...values);
  const best = times[values.indexOf(most)] ?? last;
  const sentence =
    most > 0
      ? `${title} gained a day, ${dates}: at most ${short(most)}, on ${longDay(best * 1000, zone)}`
      : `${title} gained a day, ${dates}: none`;
  return html`<section aria-labelledby="gained">
    <div class="section"><h2 id="gained">${title} gained a day</h2><nav class="tabs" aria-label="Figure">${figureNames.map(
      (name) =>
        html`<a href="${addressOf(request, { figure: name === 'plays' ? '' : name }, 'gained')}"${name === figure ? html` aria-current="page"` : ''}>${titleOfFigure(name)}</a>`,
    )}</nav></div>
    ${plot({
      kind: 'columns',
      series: { label: title, times, values },
      labels: times.map((at, index) =>
        (times.length - 1 - index) % every === 0 ? dayOfMonth(at * 1000, zone) : '',
      ),
      sentence,
      zone,
      caption: `${sentence}.`,
    })}
    <details><summary>The figures of ${count(span, 'day')}</summary>
    <div class="scroller" role="group" aria-label="${title} gained a day" tabindex="0"><table>
      <thead><tr><th scope="col">Day</th>${figureNames.map((name) => html`<th scope="col" class="n">${titleOfFigure(name)}</th>`)}</tr></thead>
      <tbody>${times.map((at, day) => html`<tr><th scope="row"><time datetime="${isoDay(at * 1000, zone)}">${longDay(at * 1000, zone)}</time></th>${figureNames.map((_name, each) => html`<td class="n">${number(totals.daily[each]?.[day] ?? 0)}</td>`)}</tr>`)}</tbody>
    </table></div></details>
  </section>`;
}
