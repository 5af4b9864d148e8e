/**
 * Replaces the plots that the server drew by those of uPlot, which show the figure under the pointer. It is larger than all other files of a
 * page together, so it is loaded when somebody points at a plot. The figures are in the attribute `data-plot` as JSON, so that a plot can
 * be redrawn when the colors change.
 */
import uPlot from './uplot.js';

// A plot measures itself by the stylesheet.
const sheet = document.createElement('link');
const { promise: isStyled, resolve } = Promise.withResolvers();
sheet.addEventListener('load', resolve);
Object.assign(sheet, { rel: 'stylesheet', href: new URL('./uplot.css', import.meta.url) });
document.head.append(sheet);
await isStyled;

const drawn = new WeakMap();
const scheme = matchMedia('(prefers-color-scheme: dark)');

/** The color of a token in the present scheme, as `rgb(r, g, b)`: the token itself has both. */
function token(name) {
  const probe = document.createElement('i');
  probe.hidden = true;
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** @param share opacity, from 0 to 1. */
function faint(name, share) {
  return token(name).replace('rgb(', 'rgba(').replace(')', `, ${share})`);
}

function read(figure) {
  try {
    return JSON.parse(figure.dataset.plot ?? '');
  } catch {
    return undefined;
  }
}

function draw(figure) {
  const plot = read(figure);
  const place = figure.querySelector('.canvas');
  if (!plot || !place) return;
  drawn.get(figure)?.destroy();
  place.replaceChildren();
  figure.classList.add('drawn');
  // For screen readers, with the words of the server's plot.
  Object.assign(place, {
    role: 'img',
    ariaLabel: figure.querySelector('svg')?.ariaLabel ?? '',
    ariaHidden: null,
  });
  const axis = {
    stroke: token('--ink-3'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { show: false },
    gap: 8,
  };
  const days = (plot.times.at(-1) - plot.times[0]) / daySeconds;
  const series = plot.series.map(({ label, columns }) => ({
    label,
    ...(columns && { paths: uPlot.paths.bars({ size: [0.68, 100] }), fill: token('--good-fill') }),
    ...(!columns && { fill: faint('--ink', 0.07) }),
    stroke: token('--ink'),
    width: columns ? 0 : 1.5,
    points: { show: false },
  }));
  const options = {
    width: place.clientWidth,
    height: place.clientHeight || 176,
    padding: [8, plot.series.some(({ columns }) => columns) ? 0 : 16, 0, 0],
    legend: { show: false },
    cursor: { y: false },
    scales: {
      y: { range: () => [plot.steps.at(-1), plot.steps[0]] },
      ...(plot.series.some(({ columns }) => columns) && { x: { range: aroundColumns } }),
    },
    axes: [
      {
        ...axis,
        size: 24,
        grid: { show: false },
        incrs: days >= 2 ? steps.days : steps.minutes,
        values: (_plot, times) => timeLabels(times, plot.zone),
      },
      {
        ...axis,
        size: (_plot, labels) => 12 + 7 * Math.max(1, ...(labels ?? []).map((label) => label.length)),
        splits: () => plot.steps.toReversed(),
        values: (_plot, values) => values.map(short),
      },
    ],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), plot.zone),
    series: [{}, ...series],
    hooks: {
      setCursor: [(shown) => tell(shown, plot)],
    },
  };
  drawn.set(figure, new uPlot(options, [plot.times, ...plot.series.map(({ values }) => values)], place));
}

/** Shows the time and the figure that the pointer is at. */
function tell(shown, { zone, series }) {
  const said = shown.over.querySelector('.reading') ?? document.createElement('span');
  const { left, idx } = shown.cursor;
  const value = idx === null || idx === undefined ? undefined : series[0].values[idx];
  said.hidden = left < 0 || value === null || value === undefined;
  if (said.hidden) return;
  const parts = { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone };
  const isOfDay = series[0].columns;
  const time = new Intl.DateTimeFormat('en-GB', {
    ...parts,
    ...(!isOfDay && { hour: '2-digit', minute: '2-digit' }),
  });
  said.className = 'reading';
  said.textContent = `${time.format(shown.data[0][idx] * 1000)}: ${value.toLocaleString('en')}`;
  shown.over.append(said);
  const most = shown.over.clientWidth - said.offsetWidth;
  said.style.left = `${Math.max(0, Math.min(most, left - said.offsetWidth / 2))}px`;
}

const numbers = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

function short(value) {
  return value === null
    ? ''
    : numbers
        .format(value)
        .replace('K', ' k')
        .replace(/([MBT])$/, ' $1');
}

const daySeconds = 86_400;

/** Seconds between two labels. At least a minute, because labels show no seconds. */
const steps = {
  days: [1, 2, 7, 14, 28, 91, 182, 364].map((each) => each * daySeconds),
  minutes: [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((each) => each * 60),
};

/** The time; at midnight the day, with the month if it differs from the previous label. */
function timeLabels(times, timeZone) {
  const format = (parts) => {
    const formatter = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone });
    return (at) => formatter.format(at * 1000);
  };
  const [month, day, dayAndMonth, time] = [
    { month: 'short' },
    { day: 'numeric' },
    { day: 'numeric', month: 'short' },
    { hour: '2-digit', minute: '2-digit' },
  ].map(format);
  let before = '';
  return times.map((at) => {
    if (time(at) !== '00:00') return time(at);
    const isSameMonth = month(at) === before;
    before = month(at);
    return isSameMonth ? day(at) : dayAndMonth(at);
  });
}

/** Leaves room for the first and the last column. */
function aroundColumns(plot, least, most) {
  const times = plot.data[0];
  const half = times.length > 1 ? (times[1] - times[0]) / 2 : 43_200;
  return [least - half, most + half];
}

function drawAll(root = document) {
  for (const figure of root.querySelectorAll('figure.plot')) draw(figure);
}

drawAll();
scheme.addEventListener('change', () => drawAll());
addEventListener('resize', () => drawAll());
document.addEventListener('htmx:after:swap', () => drawAll());
