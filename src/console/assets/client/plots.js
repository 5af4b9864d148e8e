/**
 * Draws plots with uPlot, in the place of the ones that the server drew. The figures are in the attribute
 * `data-plot` as JSON, so that a plot can be drawn anew when the colors change.
 */
(() => {
  const drawn = new WeakMap();
  const scheme = matchMedia('(prefers-color-scheme: dark)');

  function token(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
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
    if (!plot || !place || typeof uPlot === 'undefined') return;
    drawn.get(figure)?.destroy();
    place.replaceChildren();
    figure.classList.add('drawn');
    describe(place, figure.querySelector('svg')?.getAttribute('aria-label') ?? '');
    const axis = { stroke: token('--ink-3'), ticks: { show: false }, gap: 6 };
    const [first = 0, last = 0] = [plot.times[0], plot.times.at(-1)];
    const strokes = [token('--ink'), token('--ink-3'), token('--busy')];
    const series = plot.series.map(({ label, dashed, columns }, index) => ({
      label,
      ...(columns && { paths: uPlot.paths.bars({ size: [0.68, 100] }), fill: `${token('--ink-3')}8c` }),
      stroke: dashed ? token('--ink-3') : strokes[index % strokes.length],
      ...(!columns && !dashed && { fill: token('--sunk') }),
      width: columns ? 0 : 1.5,
      dash: dashed ? [4, 3] : undefined,
      points: { show: false },
    }));
    const options = {
      width: place.clientWidth,
      height: place.clientHeight || 176,
      legend: { show: false },
      cursor: { y: false },
      padding: [8, 20, 0, 0],
      scales: {
        y: { range: () => [plot.steps.at(-1), plot.steps[0]] },
        ...(plot.series.some(({ columns }) => columns) && { x: { range: aroundColumns } }),
      },
      axes: [
        {
          ...axis,
          size: 26,
          grid: { show: false },
          // Times of day would hide which day it is.
          ...(last - first > mostHours * 3600 && {
            incrs: [1, 2, 7, 14, 30, 90, 365].map((days) => days * daySeconds),
          }),
          values: (_plot, times, _axis, _space, apart) => times.map((at) => timeLabel(at, apart, plot.zone)),
        },
        {
          ...axis,
          size: 44,
          grid: { stroke: token('--line'), width: 1 },
          splits: () => [...plot.steps].reverse(),
          values: (_plot, values) => values.map(short),
        },
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), plot.zone),
      series: [{}, ...series],
      hooks: { drawClear: [(shown) => shade(shown, plot.bands ?? [])] },
    };
    drawn.set(figure, new uPlot(options, [plot.times, ...plot.series.map(({ values }) => values)], place));
  }

  /** What the plot of the server says in words. */
  function describe(place, words) {
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', words);
    place.removeAttribute('aria-hidden');
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
  /** Longer spans are told in days. */
  const mostHours = 48;

  /** The day and month in letters, or the time for times less than a day apart. */
  function timeLabel(at, apart, timeZone) {
    const parts =
      apart >= daySeconds ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' };
    return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(at * 1000);
  }

  /** Room for the first and the last column. */
  function aroundColumns(plot, least, most) {
    const times = plot.data[0];
    const half = times.length > 1 ? (times[1] - times[0]) / 2 : 43_200;
    return [least - half, most + half];
  }

  function shade(shown, bands) {
    const { ctx, bbox } = shown;
    ctx.save();
    ctx.fillStyle = token('--doubt-tint');
    for (const [from, to] of bands) {
      const left = shown.valToPos(from, 'x', true);
      ctx.fillRect(left, bbox.top, shown.valToPos(to, 'x', true) - left, bbox.height);
    }
    ctx.restore();
  }

  function drawAll(root = document) {
    for (const figure of root.querySelectorAll('figure.plot')) draw(figure);
  }

  drawAll();
  scheme.addEventListener('change', () => drawAll());
  addEventListener('resize', () => drawAll());
  document.addEventListener('htmx:after:swap', () => drawAll());
})();
