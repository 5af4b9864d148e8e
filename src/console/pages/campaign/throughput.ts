/** Rows posted a minute, with the budget and the times in which the campaign was paused. */
import { html } from 'hono/html';
import type { Throughput } from '../../../campaigns/progress/throughput.ts';
import type { Pause } from '../../../ledger/throughput.ts';
import type { Html } from '../../html.ts';
import { moment } from '../../parts/numbers.ts';
import { plot } from '../../parts/plot.ts';
import type { PageRequest } from '../../request.ts';

/** Fewer tell nothing. */
const fewestPoints = 3;
const pausesNamed = 3;

export function throughputSection({ zone, now }: PageRequest, throughput: Throughput): Html {
  const { times, perMinute, partMinutes, budget, pauses } = throughput;
  if (times.length < fewestPoints) return html`<div id="campaign-throughput"></div>`;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const rate = (value: number) => String(Number(value.toFixed(1)));
  const most = Math.max(...perMinute);
  const latest = rate(perMinute.at(-1) ?? 0);
  const end = (pause: Pause) => pause.to ?? now;
  const at = (ms: number) => moment(ms, zone, now);
  const named = pauses
    .slice(-pausesNamed)
    .map(
      (pause) =>
        `${pause.to === undefined ? `since ${at(pause.from)}` : `${at(pause.from)} to ${at(pause.to)}`}: ${reasonOf(pause)}`,
    );
  const span = `from ${at(first * 1000)} to ${at(last * 1000)}`;
  return html`<section id="campaign-throughput" aria-labelledby="throughput">
    <div class="section"><h2 id="throughput">Throughput</h2></div>
    ${plot({
      times,
      line: {
        label: `posted a minute, ${latest} at last${partMinutes > 1 ? `, over ${partMinutes} minutes each` : ''}`,
        values: perMinute,
      },
      limit: budget <= most * 4 ? { label: `budget of posts, ${rate(budget)}`, value: budget } : undefined,
      bands: pauses.map((pause) => [pause.from / 1000, end(pause) / 1000]),
      bandsLabel: named.join('. '),
      label: `Rows posted a minute ${span}: ${rate(most)} at most, ${latest} at last${named.length === 0 ? '' : `; paused ${named.join('; ')}`}`,
      ...{ zone, now },
    })}
  </section>`;
}

function reasonOf({ code }: Pause): string {
  if (code === 'canary') return 'held after the canary';
  return code === 'paused' ? 'paused by a person' : `paused, ${code.replaceAll('_', ' ')}`;
}
