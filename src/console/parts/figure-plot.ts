/** Plots of the figures of videos: columns by day, or a line through samples. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { short } from './figures.ts';

export interface PlotSeries {
  readonly label: string;
  /** Unix epoch, seconds. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

export interface PlotOptions {
  readonly series: PlotSeries;
  /** One sentence that tells what is to be seen. */
  readonly sentence: string;
  /** Labels below the plot, from left to right. */
  readonly labels: readonly string[];
  /** `columns`: a bar for each value; `line`: from value to value, in time. */
  readonly kind: 'columns' | 'line';
  readonly zone: string;
  readonly size?: 'low' | undefined;
  readonly caption?: Html | string | undefined;
}

/** A plot as the server draws it. A script draws the same figures in its place, if it may. */
export function figurePlot({ series, sentence, labels, kind, zone, size, caption }: PlotOptions): Html {
  const scale = scaleOf(series.values, size === 'low' ? 2 : 4);
  const y = (value: number) => ((scale.top - value) / (scale.top - scale.bottom)) * 100;
  const data = JSON.stringify({
    times: series.times,
    series: [{ label: series.label, values: series.values, columns: kind === 'columns' }],
    zone,
    least: scale.bottom,
  });
  return html`<figure class="plot${size === undefined ? '' : ` ${size}`}" data-plot="${data}">
    <ol class="y" aria-hidden="true">${scale.steps.map((step) => html`<li>${short(step)}</li>`)}</ol>
    <svg height="176" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${sentence}">${scale.steps.map((step) => html`<path class="rule" d="M0 ${y(step).toFixed(1)}H100"/>`)}${kind === 'columns' ? columns(series, y) : line(series, y)}</svg>
    <div class="canvas" aria-hidden="true"></div>
    <ol class="${kind === 'columns' ? 'x cols' : 'x'}" aria-hidden="true">${labels.map((label) => html`<li>${label}</li>`)}</ol>
    ${caption === undefined ? '' : html`<figcaption><span>${caption}</span></figcaption>`}
  </figure>`;
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

function line({ times, values }: PlotSeries, y: (value: number) => number): Html | string {
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 0) - first);
  const points = times.flatMap((at, index) => {
    const value = values[index];
    return value === null || value === undefined
      ? []
      : [`${(((at - first) / span) * 100).toFixed(1)},${y(value).toFixed(1)}`];
  });
  if (points.length < 2) return '';
  const [start = '', end = ''] = [points[0]?.split(',')[0], points.at(-1)?.split(',')[0]];
  return html`<polygon class="area" points="${start},100 ${points.join(' ')} ${end},100"/><polyline class="line" points="${points.join(' ')}"/>`;
}

/** Round numbers around all values, from the top down. */
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

/** The next of 1, 2, 2.5, 3, 4, 5, 6, 8, 10 ... that has whole parts. */
function roundUp(value: number, parts: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const fits = [1, 2, 2.5, 3, 4, 5, 6, 8, 10, 20].map((factor) => factor * power);
  return fits.find((each) => each >= value && (each / parts) % 1 === 0) ?? Math.ceil(value / parts) * parts;
}
