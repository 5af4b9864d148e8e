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
    const axis = {
      stroke: token('--ink-3'),
      grid: { stroke: token('--line'), width: 1 },
      ticks: { show: false },
    };
    const strokes = [token('--ink'), token('--ink-3'), token('--busy')];
    const series = plot.series.map(({ label, dashed }, index) => ({
      label,
      stroke: dashed ? token('--ink-3') : strokes[index % strokes.length],
      width: 1.5,
      dash: dashed ? [4, 3] : undefined,
      points: { show: false },
    }));
    const options = {
      width: place.clientWidth,
      height: place.clientHeight || 176,
      legend: { show: false },
      cursor: { y: false },
      scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.05)] } },
      axes: [axis, { ...axis, size: 48 }],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), plot.zone),
      series: [{}, ...series],
      hooks: { drawClear: [(shown) => shade(shown, plot.bands ?? [])] },
    };
    drawn.set(figure, new uPlot(options, [plot.times, ...plot.series.map(({ values }) => values)], place));
    figure.classList.add('drawn');
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
