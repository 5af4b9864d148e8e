/** Plot of rows posted a minute, with the rate limit and the times when something held the campaign. */
import { html } from 'hono/html';
import type { HeldTime, Throughput } from '../../../campaigns/progress/throughput.ts';
import type { Html } from '../../html.ts';
import { moment, number } from '../../parts/numbers/numbers.ts';
import { plot } from '../../parts/numbers/plot.ts';
import type { PageRequest } from '../../request.ts';
import { operationWord } from '../queues/names.ts';

/** Fewer points make no useful plot. */
const fewestPoints = 3;
const timesNamed = 3;
/** Positions of the time labels, as shares of the width. */
const labels = [0, 1 / 3, 2 / 3, 1];

export function throughputSection({ zone, now }: PageRequest, throughput: Throughput): Html {
  const { times, perMinute, partMinutes, rateLimit, held } = throughput;
  if (times.length < fewestPoints) return html`<div id="campaign-throughput"></div>`;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const rate = (value: number) => String(Number(value.toFixed(1)));
  const most = Math.max(...perMinute);
  const latest = rate(perMinute.at(-1) ?? 0);
  const at = (ms: number) => moment(ms, zone, now);
  const named = held
    .slice(-timesNamed)
    .map(({ from, to, why }) =>
      to === undefined ? `since ${at(from)}: ${reasonOf(why)}` : `${at(from)} to ${at(to)}: ${reasonOf(why)}`,
    );
  const more = held.length > named.length ? [`${number(held.length - named.length)} before`] : [];
  const span = `from ${at(first * 1000)} to ${at(last * 1000)}`;
  return html`<section id="campaign-throughput" aria-labelledby="throughput">
    <div class="section"><h2 id="throughput">Throughput</h2></div>
    ${plot({
      kind: 'line',
      series: {
        label: `posted a minute, lately ${latest}${partMinutes > 1 ? `, over ${partMinutes} minutes each` : ''}`,
        times,
        values: perMinute,
      },
      labels: labels.map((part) => at((first + (last - first) * part) * 1000)),
      limit:
        rateLimit <= most * 4
          ? { label: `rate limit of posts, ${rate(rateLimit)}`, value: rateLimit }
          : undefined,
      bands: {
        times: held.map(({ from, to = now }) => [from / 1000, to / 1000] as const),
        label: [...more, ...named].join('. '),
      },
      sentence: `Rows posted a minute ${span}: at most ${rate(most)}, lately ${latest}${named.length === 0 ? '' : `; held ${named.join('; ')}`}`,
      zone,
    })}
  </section>`;
}

function reasonOf(why: HeldTime['why']): string {
  if (why.kind === 'silent') return 'no answers from the service';
  if (why.kind === 'throttled') return `429, too many requests (${operationWord(why.operation)})`;
  if (why.code === 'canary') return 'held after the canary';
  return why.code === 'paused' ? 'paused by a person' : `paused, ${why.code.replaceAll('_', ' ')}`;
}
