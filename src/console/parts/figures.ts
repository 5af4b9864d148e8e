/** Figures: short numbers, gains, sparklines, and plots over time as SVG. `plots.js` shows the figure that the pointer is at. */

import { thousands } from '../../manifest/wording.ts';
import { type Html, html } from '../html.ts';

const units = [
  { size: 1e12, name: 'T' },
  { size: 1e9, name: 'B' },
  { size: 1e6, name: 'M' },
  { size: 1e3, name: 'k' },
] as const;
/** Smaller numbers are shown in full. */
const leastShort = 10_000;

/** `38.4 M`, `118 k`, `4,120`: whole numbers, three digits from ten thousand on. */
export function short(value: number): string {
  const amount = Math.round(Math.abs(Number(value)));
  const sign = value < 0 ? '−' : '';
  if (amount < leastShort) return `${sign}${thousands(amount)}`;
  const most = units[0];
  for (const [index, unit] of units.entries()) {
    if (amount < unit.size) continue;
    const digits = threeDigits(amount / unit.size);
    const larger = units[index - 1];
    // 999,900 is 1.00 M.
    return digits === '1000' && larger ? `${sign}1.00 ${larger.name}` : `${sign}${digits} ${unit.name}`;
  }
  return `${sign}${threeDigits(amount / most.size)} ${most.name}`;
}

/** `4 M`, for the scale of a plot. */
function roundShort(value: number): string {
  return short(value)
    .replace(/\.00? /, ' ')
    .replace(/(\.\d)0 /, '$1 ');
}

function threeDigits(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value.toFixed(value >= 9.995 ? 1 : 2);
}

/** `+4.69 M`, in color; "unknown" for undefined. @param show writes the number. */
export function gain(value: number | undefined, show: (value: number) => string = short): Html {
  if (value === undefined) return html`<span class="none">unknown</span>`;
  if (value < 0) return html`<span class="down">−${show(-value)}</span>`;
  return value <= 0 ? html`<span class="none">0</span>` : html`<span class="up">+${show(value)}</span>`;
}

/** About one point for each pixel. */
const sparkPoints = 48;

/** Gains by day as a small line, without figures. */
export function spark(daily: ArrayLike<number>): Html {
  const values = Array.from(daily, Number).slice(-sparkPoints);
  const most = Math.max(0, ...values);
  const least = Math.min(0, ...values);
  const points = values.map((value, index) => {
    const x = values.length === 1 ? 100 : (index / (values.length - 1)) * 100;
    const y = most === least ? 22 : 22 - ((value - least) / (most - least)) * 20;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  if (points.length === 1) points.unshift(`0,${points[0]?.split(',')[1]}`);
  const line = points.join(' ');
  return html`<svg class="spark" width="96" height="22" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true"><polygon class="area" points="0,24 ${line} 100,24"/><polyline class="line" points="${line}"/></svg>`;
}

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
  readonly caption?: Html | string | undefined;
}

export function plot(options: PlotOptions): Html {
  const { kind, series, sentence, labels, zone, caption } = options;
  const scale = scaleOf(series.values, 4);
  const y = (value: number) => ((scale.top - value) / (scale.top - scale.bottom)) * 100;
  const data = JSON.stringify({
    times: series.times,
    series: [{ label: series.label, values: series.values, columns: kind === 'columns' }],
    steps: scale.steps,
    zone,
  });
  return html`<figure class="plot" data-plot="${data}">
    <ol class="y" aria-hidden="true">${scale.steps.map((step) => html`<li>${roundShort(step)}</li>`)}</ol>
    <svg height="176" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${sentence}">${scale.steps.map((step) => html`<path class="${step === 0 && scale.bottom < 0 ? 'rule zero' : 'rule'}" d="M0 ${y(step).toFixed(1)}H100"/>`)}${kind === 'columns' ? columns(series, y) : line(series, timeScale(series), y)}</svg>
    <ol class="${kind === 'columns' ? 'x cols' : 'x'}" aria-hidden="true">${labels.map((label) => html`<li>${label}</li>`)}</ol>
    ${caption && html`<figcaption>${caption}</figcaption>`}
  </figure>`;
}

export interface StepPlotOptions {
  /** Start of each interval; Unix epoch, milliseconds, ascending. */
  readonly times: readonly number[];
  /** One for each interval. */
  readonly values: readonly number[];
  /** End of the last interval. */
  readonly until: number;
  /** A dashed horizontal line. */
  readonly limit: number | undefined;
  /** Spans in which something held the campaign. */
  readonly bands: readonly (readonly [from: number, to: number])[];
  /** For people who cannot see the plot. */
  readonly sentence: string;
}

/** One low picture without a scale: each value holds for its whole interval. */
export function stepPlot({ times, values, until, limit, bands, sentence }: StepPlotOptions): Html {
  const first = times[0] ?? until;
  const most = Math.max(1, limit ?? 0, ...values);
  const x = (time: number) =>
    (Math.min(Math.max(0, (time - first) / Math.max(1, until - first)), 1) * 100).toFixed(1);
  const y = (value: number) => (100 - (value / most) * 94).toFixed(1);
  const points = values.flatMap((value, index) => [
    `${x(times[index] ?? until)},${y(value)}`,
    `${x(times[index + 1] ?? until)},${y(value)}`,
  ]);
  const gaps = bands.map(([from, to]) => {
    const width = Math.max(leastBand, Number(x(to)) - Number(x(from)));
    return html`<rect class="gap" x="${x(from)}" y="0" width="${width.toFixed(1)}" height="100"/>`;
  });
  const dashed = limit === undefined ? '' : html`<path class="limit" d="M0 ${y(limit)}H100"/>`;
  return html`<svg height="56" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${sentence}">${gaps}<polygon class="area" points="0,100 ${points.join(' ')} 100,100"/>${dashed}<polyline class="line" points="${points.join(' ')}"/></svg>`;
}

/** Narrower bands would be invisible. */
const leastBand = 0.3;

function columns({ values }: PlotSeries, y: (value: number) => number): readonly Html[] {
  const width = 100 / Math.max(1, values.length);
  return values.flatMap((value, index) => {
    if (value === null || value === 0) return [];
    const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
    return [
      html`<rect class="${value < 0 ? 'col down' : 'col'}" x="${((index + 0.16) * width).toFixed(2)}" width="${(width * 0.68).toFixed(2)}" y="${top.toFixed(1)}" height="${(bottom - top).toFixed(1)}"/>`,
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

/** Round numbers that enclose all values, from the top down, in about so many parts. */
function scaleOf(values: readonly (number | null)[], parts: number) {
  const known = values.map((value) => value ?? 0);
  const least = Math.min(0, ...known);
  const most = Math.max(least < 0 ? 0 : parts, ...known);
  const step = roundStep(Math.max(1, (most - least) / parts));
  const top = Math.ceil(most / step) * step;
  const bottom = -Math.ceil(-least / step) * step;
  const steps = Array.from(
    { length: Math.round((top - bottom) / step) + 1 },
    (_step, index) => top - index * step,
  );
  return { top, bottom, steps };
}

/** The next one of 1, 2, 5, 10, 20, 50 ... @param least from 1 on. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}
