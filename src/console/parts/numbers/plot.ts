/** Plots over time: SVG from the server. The script `plots.js` replaces it by uPlot with the same figures. */
import { html } from 'hono/html';
import type { Html } from '../../html.ts';
import { short } from './figures.ts';

export interface PlotSeries {
  readonly label: string;
  /** Unix epoch, seconds; ascending. */
  readonly times: readonly number[];
  /** One for each time. */
  readonly values: readonly (number | null)[];
}

export interface PlotOptions {
  /** `columns`: a bar for each value. `line`: from value to value, to scale in time. */
  readonly kind: 'columns' | 'line';
  readonly series: PlotSeries;
  /** One sentence for people who cannot see the plot. */
  readonly sentence: string;
  /** Labels below the plot, from left to right. */
  readonly labels: readonly string[];
  readonly zone: string;
  readonly size?: 'low' | undefined;
  /** A dashed horizontal line. */
  readonly limit?: { readonly label: string; readonly value: number } | undefined;
  /** Spans in which something held the campaign, in Unix seconds, and what held it. */
  readonly bands?: {
    readonly times: readonly (readonly [from: number, to: number])[];
    readonly label: string;
  };
  readonly caption?: Html | string | undefined;
}

const noBands = { times: [], label: '' };

export function plot(options: PlotOptions): Html {
  const { kind, series, sentence, labels, zone, size, limit, bands = noBands } = options;
  const scale = scaleOf([...series.values, limit?.value ?? 0], size === 'low' ? 2 : 4);
  const y = (value: number) => ((scale.top - value) / (scale.top - scale.bottom)) * 100;
  const x = timeScale(series);
  const [first = 0, last = 0] = [series.times[0], series.times.at(-1)];
  const held = bands.times
    .map(([from, to]) => [Math.max(from, first), Math.min(to, last)] as const)
    .filter(([from, to]) => to > from);
  const dashed = limit && {
    label: limit.label,
    values: series.times.map(() => limit.value),
    dashed: true,
  };
  const data = JSON.stringify({
    times: series.times,
    series: [
      { label: series.label, values: series.values, columns: kind === 'columns' },
      ...(dashed ? [dashed] : []),
    ],
    bands: held,
    steps: scale.steps,
    zone,
  });
  const gaps = held.map(
    ([from, to]) =>
      html`<rect class="gap" x="${x(from).toFixed(1)}" y="0" width="${Math.max(leastBand, x(to) - x(from)).toFixed(1)}" height="100"/>`,
  );
  return html`<figure class="plot${size === undefined ? '' : ` ${size}`}" data-plot="${data}">
    <ol class="y" aria-hidden="true">${scale.steps.map((step) => html`<li>${short(step)}</li>`)}</ol>
    <svg height="176" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${sentence}">${scale.steps.map((step) => html`<path class="rule" d="M0 ${y(step).toFixed(1)}H100"/>`)}${gaps}${limit ? html`<path class="limit" d="M0 ${y(limit.value).toFixed(1)}H100"/>` : ''}${kind === 'columns' ? columns(series, y) : line(series, x, y)}</svg>
    <div class="canvas" aria-hidden="true"></div>
    <ol class="${kind === 'columns' ? 'x cols' : 'x'}" aria-hidden="true">${labels.map((label) => html`<li>${label}</li>`)}</ol>
    ${caption(options)}
  </figure>`;
}

/** Narrower bands would be invisible. */
const leastBand = 0.3;

function caption({ series, limit, bands = noBands, caption: text }: PlotOptions): Html | string {
  const keys = limit
    ? html`${key(html`<path class="line" d="M0 6h20"/>`, series.label)}${key(html`<path class="limit" d="M0 6h20"/>`, limit.label)}`
    : '';
  const held = bands.label === '' ? '' : key(html`<rect class="gap" width="20" height="12"/>`, bands.label);
  const said = text === undefined ? '' : html`<span>${text}</span>`;
  if (keys === '' && held === '' && said === '') return '';
  return html`<figcaption>${keys}${held}${said}</figcaption>`;
}

function key(shape: Html, label: string): Html {
  return html`<span><svg class="key" width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">${shape}</svg>${label}</span>`;
}

function columns({ values }: PlotSeries, y: (value: number) => number): readonly Html[] {
  const width = 100 / Math.max(1, values.length);
  return values.flatMap((value, index) => {
    if (value === null || value === 0) return [];
    const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
    return [
      html`<rect class="col" x="${((index + 0.16) * width).toFixed(2)}" width="${(width * 0.68).toFixed(2)}" y="${top.toFixed(1)}" height="${(bottom - top).toFixed(1)}"/>`,
    ];
  });
}

function line(
  { times, values }: PlotSeries,
  x: (time: number) => number,
  y: (value: number) => number,
): Html | string {
  const points = times.flatMap((at, index) => {
    const value = values[index];
    return value === null || value === undefined ? [] : [`${x(at).toFixed(1)},${y(value).toFixed(1)}`];
  });
  if (points.length < 2) return '';
  const [start = '', end = ''] = [points[0]?.split(',')[0], points.at(-1)?.split(',')[0]];
  return html`<polygon class="area" points="${start},100 ${points.join(' ')} ${end},100"/><polyline class="line" points="${points.join(' ')}"/>`;
}

function timeScale({ times }: PlotSeries): (time: number) => number {
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 0) - first);
  return (time) => ((time - first) / span) * 100;
}

/** Round numbers that enclose all values, from the top down. */
function scaleOf(values: readonly (number | null)[], parts: number) {
  const known = values.map((value) => value ?? 0);
  const top = roundUp(Math.max(parts, ...known), parts);
  const step = top / parts;
  const bottom = -Math.ceil(Math.max(0, -Math.min(0, ...known)) / step) * step;
  const steps = Array.from(
    { length: Math.round((top - bottom) / step) + 1 },
    (_step, index) => top - index * step,
  );
  return { top, bottom, steps: steps.length > 2 * parts + 1 ? [top, 0, bottom] : steps };
}

/** Rounds up to 1, 2, 2.5, 3, 4, 5, 6, 8, 10 ..., whichever next one divides into whole parts. */
function roundUp(value: number, parts: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const fits = [1, 2, 2.5, 3, 4, 5, 6, 8, 10, 20].map((factor) => factor * power);
  return fits.find((each) => each >= value && (each / parts) % 1 === 0) ?? Math.ceil(value / parts) * parts;
}
