/** A plot over time: svg from the server, in whose place a script draws the same with uPlot. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { moment } from './numbers.ts';

export interface PlotLine {
  readonly label: string;
  /** One for each time. */
  readonly values: readonly number[];
}

export interface Plot {
  /** Seconds since 1970, in order; two at least. */
  readonly times: readonly number[];
  readonly line: PlotLine;
  /** A dashed line across. */
  readonly limit?: { readonly label: string; readonly value: number } | undefined;
  /** Times in which something held, in seconds since 1970. */
  readonly bands: readonly (readonly [from: number, to: number])[];
  /** What the bands mean; empty without any. */
  readonly bandsLabel: string;
  /** The plot in one sentence. */
  readonly label: string;
  readonly zone: string;
  /** Unix epoch, milliseconds. */
  readonly now: number;
}

const steps = 5;
const timesShown = 4;

export function plot({ times, line, limit, bands: held, bandsLabel, label, zone, now }: Plot): Html {
  const top = topOf(Math.max(...line.values, limit?.value ?? 0));
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  const bands = held
    .map(([from, to]) => [Math.max(from, first), Math.min(to, last)] as const)
    .filter(([from, to]) => to > from);
  const x = (time: number) => Math.min(100, Math.max(0, ((time - first) / Math.max(1, last - first)) * 100));
  const y = (value: number) => 100 - (value / top) * 100;
  const points = line.values.map(
    (value, index) => `${x(times[index] ?? 0).toFixed(1)},${y(value).toFixed(1)}`,
  );
  const marks = Array.from({ length: steps + 1 }, (_, step) => (top / steps) * (steps - step));
  const shown = Array.from(
    { length: timesShown },
    (_, at) => first + ((last - first) * at) / (timesShown - 1),
  );
  const data = {
    times,
    series: [
      line,
      ...(limit ? [{ label: limit.label, values: times.map(() => limit.value), dashed: true }] : []),
    ],
    bands,
    zone,
  };
  return html`<figure class="plot" data-plot="${JSON.stringify(data)}">
    <ol class="y" aria-hidden="true">${marks.map((mark) => html`<li>${String(Number(mark.toFixed(1)))}</li>`)}</ol>
    <svg height="176" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${label}">${marks.map((mark) => html`<path class="rule" d="M0 ${y(mark).toFixed(1)}H100"/>`)}${bands.map(([from, to]) => html`<rect class="gap" x="${x(from).toFixed(1)}" y="0" width="${Math.max(0.3, x(to) - x(from)).toFixed(1)}" height="100"/>`)}${limit ? html`<path class="limit" d="M0 ${y(limit.value).toFixed(1)}H100"/>` : ''}<polygon class="area" points="0,100 ${points.join(' ')} 100,100"/><polyline class="line" points="${points.join(' ')}"/></svg>
    <ol class="x" aria-hidden="true">${shown.map((time) => html`<li>${moment(time * 1000, zone, now)}</li>`)}</ol>
    <div class="canvas" aria-hidden="true"></div>
    <figcaption>${key(html`<path class="line" d="M0 6h20"/>`, line.label)}${limit ? key(html`<path class="limit" d="M0 6h20"/>`, limit.label) : ''}${bandsLabel === '' ? '' : key(html`<rect class="gap" width="20" height="12"/>`, bandsLabel)}</figcaption>
  </figure>`;
}

function key(shape: Html, label: string): Html {
  return html`<span><svg class="key" width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">${shape}</svg>${label}</span>`;
}

/** The next round number that divides well by five. */
function topOf(most: number): number {
  if (most <= 0) return steps;
  const size = 10 ** Math.floor(Math.log10(most));
  const fitting = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10].find((factor) => factor * size >= most) ?? 10;
  return fitting * size;
}
