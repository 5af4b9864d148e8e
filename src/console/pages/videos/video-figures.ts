import { spanLengths } from '../../../app/videos/spans.ts';
import type { SpanOfVideo } from '../../../app/videos/watch-list.ts';
import { plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html } from '../../html.ts';
import { gain, plot } from '../../parts/figures.ts';
import { changedAddress, tabs } from '../../parts/list.ts';
import { dayAndMonth } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { rateOf } from './figures.ts';
import { figureNames, titleOfFigure } from './table.ts';

/** Empty if it is unknown. @param when `since yesterday`. */
function gained(value: number | undefined, when: string): Html | string {
  return value === undefined ? '' : html`${gain(value, thousands)} ${when}`;
}

const mostLabels = 7;

/** Of a video that no update has reached. */
const noFigures = html`<section aria-labelledby="plays"><div class="section"><h2 id="plays">Views</h2></div><p class="note">No figures yet. They come with the next update.</p></section>`;

/** The views: their latest count, what was gained, and their plot. */
export function viewsSection(request: PageRequest, figures: SpanOfVideo, more: Html | string = ''): Html {
  const { growth, yesterday, days } = figures;
  const latest = latestOf(figures, 0);
  if (latest === undefined) return noFigures;
  const inSpan = gained(growth[0], `in ${plural(days.starts.length, 'day')}`);
  return html`<section aria-labelledby="plays">
    <div class="section"><h2 id="plays">Views ${thousands(latest)}</h2><p>${gained(yesterday[0], 'since yesterday')}${yesterday[0] !== undefined && ' · '}${inSpan}</p></div>
    ${viewsPlot(request, figures)}
    ${falls(request, figures, 0)}${more}
  </section>`;
}

/** The other figures follow the views: how many come with 100 of them says more than a plot of each. */
export function otherFigures(request: PageRequest, figures: SpanOfVideo): Html | string {
  const plays = latestOf(figures, 0) ?? 0;
  if (figures.video.last_sampled_at === null) return '';
  const others = [1, 2, 3, 4] as const;
  return html`<ul class="figures after">${others.map((each) => {
    const latest = latestOf(figures, each);
    const total = latest === undefined ? html`<b>unknown</b>` : html`<b>${thousands(latest)}</b>`;
    return html`<li><span>${titleOfFigure(figureNames[each])}</span>${total}<span>${gained(figures.yesterday[each], 'since yesterday')}</span><small>${latest === undefined ? '' : rateOf(latest, plays)}</small></li>`;
  })}</ul>${others.map((each) => falls(request, figures, each))}`;
}

function latestOf(figures: SpanOfVideo, each: number): number | undefined {
  return pointsOf(figures, each).at(-1)?.value;
}

/** From its release on, the total; of an older video what it gained a day: beside the total, a span of days is a straight line. */
function viewsPlot(request: PageRequest, figures: SpanOfVideo): Html {
  const { zone, now } = request;
  const points = pointsOf(figures, 0);
  const { starts } = figures.days;
  if (points.length < 2)
    return html`<p class="note">Fewer than two snapshots in these ${plural(starts.length, 'day')}.</p>`;
  const day = (at: number) => dayAndMonth(at * 1000, zone, now);
  if (figures.before === undefined) {
    const labels = timeLabels(points[0]?.at ?? 0, points.at(-1)?.at ?? 0).map(day);
    return plot({
      kind: 'line',
      series: {
        label: 'Views',
        times: points.map(({ at }) => at),
        values: points.map(({ value }) => value),
      },
      sentence: `Views from ${labels[0]} to ${labels.at(-1)}, now ${thousands(points.at(-1)?.value ?? 0)}`,
      labels,
      zone,
    });
  }
  const every = Math.ceil(starts.length / mostLabels);
  return plot({
    kind: 'columns',
    series: { label: 'Views gained a day', times: starts, values: gainsByDay(points, starts) },
    sentence: `Views gained a day from ${day(starts[0] ?? 0)} to ${day(starts.at(-1) ?? 0)}`,
    labels: starts.map((at, index) => ((starts.length - 1 - index) % every === 0 ? day(at) : '')),
    zone,
    caption: 'Views gained a day.',
  });
}

/** Null for a day without a snapshot. @param starts of the days. */
function gainsByDay(
  points: readonly { readonly at: number; readonly value: number }[],
  starts: readonly number[],
): readonly (number | null)[] {
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const last = points.findLast(({ at }) => at < end);
    const before = points.findLast(({ at }) => at < start);
    return last === undefined || before === undefined || last.at < start ? null : last.value - before.value;
  });
}

function falls({ zone, now }: PageRequest, { samples }: SpanOfVideo, each: number): readonly Html[] {
  const fallen = samples.filter(({ fell }) => fell[each] !== undefined).slice(-3);
  return fallen.map(
    ({ at, fell }) =>
      html`<p class="note">${icon('warning')} ${dayAndMonth(at * 1000, zone, now)}: the count fell by ${thousands(fell[each] ?? 0)}. It is stored as the platform reported it.</p>`,
  );
}

export function leadSection(request: PageRequest, figures: SpanOfVideo, span: number): Html {
  const { growth, yesterday, days } = figures;
  const latest = latestOf(figures, 0);
  if (figures.video.last_sampled_at === null) return noFigures;
  const spans = spanLengths.map(
    (each) =>
      [
        plural(each, 'day'),
        changedAddress(request, `/videos/${figures.video.id}`, { span: String(each) }),
        each === span,
      ] as const,
  );
  return html`<section class="card" aria-labelledby="plays">
    <div class="hero">
      <h2 class="figure" id="plays">${latest === undefined ? 'Unknown' : thousands(latest)}<small>views</small></h2>
      <p class="eta">${yesterday[0] !== undefined && html`<b>${gain(yesterday[0], thousands)}</b> since yesterday · `}${gained(growth[0], `in ${plural(days.starts.length, 'day')}`)}</p>
    </div>
    <div class="section"><p>${figures.before === undefined ? 'Total views' : 'Views gained a day'}</p>${tabs('Span', spans)}</div>
    ${viewsPlot(request, figures)}
    ${falls(request, figures, 0)}
  </section>`;
}

/** Points of the plot, from the last sample before the span. A video released within the span begins with 0. */
function pointsOf({ before, samples, days, video }: SpanOfVideo, each: number) {
  const released = video.released_at === null ? undefined : Date.parse(video.released_at) / 1000;
  const start = days.starts[0] ?? 0;
  const beginning = released !== undefined && released >= start ? [{ at: released, value: 0 }] : [];
  const known = [...(before ? [before] : []), ...samples].flatMap(({ at, counts }) => {
    const value = counts[each];
    return value === undefined ? [] : [{ at, value }];
  });
  return before ? known : [...beginning, ...known];
}

/** Evenly spaced times from first to last, each on a different day. */
function timeLabels(first: number, last: number): readonly number[] {
  const days = Math.max(1, Math.round((last - first) / 86_400));
  const steps = Math.min(days, mostLabels - 1);
  return Array.from({ length: steps + 1 }, (_label, index) => first + ((last - first) / steps) * index);
}
