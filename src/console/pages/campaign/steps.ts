/** The five steps of a row, side by side, and the throughput. */

import { stepName } from '../../../campaigns/documents/campaign.ts';
import type { StepCount, StepCounts } from '../../../campaigns/progress/step-counts.ts';
import type { HeldTime, Throughput } from '../../../campaigns/progress/throughput.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import { type Step, stepFacts } from '../../../manifest/steps.ts';
import { type Html, html } from '../../html.ts';
import { section } from '../../parts/blocks.ts';
import { plot } from '../../parts/figures.ts';
import { moment, number } from '../../parts/numbers.ts';
import { bar } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { operationWord } from '../queues/rate-limits.ts';

/** @param steps undefined while a large sheet is read for the first time. */
export function lane(request: PageRequest, campaign: Campaign, steps: StepCounts | undefined): Html {
  const list =
    steps === undefined
      ? html`<p class="note">The rows of this large sheet are being counted by step.</p>`
      : html`<ol class="lane" aria-labelledby="steps">${stepName.options.map((step) => lanePart(request, campaign, step, steps[step]))}</ol>`;
  return html`<div id="campaign-steps"><h2 class="hidden" id="steps">Steps</h2>${list}</div>`;
}

function lanePart(
  { link }: PageRequest,
  { id, state }: Campaign,
  step: Step,
  { all, done, now, failed, review, toCome }: StepCount,
): Html {
  const rows = (at: 'failed' | 'review', text: string) =>
    html`<a href="${link(`/campaigns/${id}?${new URLSearchParams({ state: at, step })}#rows`)}">${text}</a>`;
  const said = [
    ...(now > 0 ? [html`${number(now)} now`] : []),
    ...(failed > 0 ? [rows('failed', `${number(failed)} failed`)] : []),
    ...(review > 0 ? [rows('review', `${number(review)} in review`)] : []),
    // Includes rows that failed or went to review at an earlier step.
    ...(toCome > 0 ? [html`${number(toCome)} ${state === 'ended' ? 'not reached' : 'to come'}`] : []),
  ];
  const parts = [
    ['posted', done],
    ['running', now],
    ['failed', failed],
    ['review', review],
  ] as const;
  const nothing = all === 0 ? 'no row needs it' : 'all done';
  const label = `${stepFacts[step].title}: ${number(done)} of ${number(all)} done`;
  return html`<li>
    <h3>${stepFacts[step].title} <span>${number(done)} / ${number(all)}</span></h3>
    ${bar(parts, all, label, 'thin')}
    <p>${said.length === 0 ? nothing : said.map((part, index) => html`${index > 0 ? ', ' : ''}${part}`)}</p>
  </li>`;
}

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
  return section(
    { part: 'campaign-throughput', id: 'throughput', title: 'Throughput' },
    plot({
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
    }),
  );
}

function reasonOf(why: HeldTime['why']): string {
  if (why.kind === 'silent') return 'no answers from the service';
  if (why.kind === 'throttled') return `429, too many requests (${operationWord(why.operation)})`;
  if (why.code === 'canary') return 'held after the canary';
  return why.code === 'paused' ? 'paused by a person' : `paused, ${why.code.replaceAll('_', ' ')}`;
}
