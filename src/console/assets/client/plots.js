/**
 * Shows the figure of a plot that the pointer is at, and its time. The figures are in the attribute `data-plot` as JSON. Loaded when
 * somebody points at a plot.
 */
const reading = Object.assign(document.createElement('span'), { className: 'reading', ariaHidden: 'true' });
const pointed = document.createElementNS('http://www.w3.org/2000/svg', 'g');
pointed.classList.add('pointed');

function hide() {
  reading.remove();
  pointed.remove();
}

export function show({ target, clientX }) {
  const figure = target.closest?.('figure.plot');
  if (!figure) return hide();
  const svg = figure.querySelector('svg');
  const { left, width } = svg.getBoundingClientRect();
  const plot = JSON.parse(figure.dataset.plot);
  const at = nearest(plot, (clientX - left) / width);
  const value = plot.series[0].values[at];
  if (value === null || value === undefined) return hide();
  const x = shareOf(plot, at);
  const { steps } = plot;
  const y = ((steps[0] - value) / (steps[0] - steps.at(-1))) * 100;
  pointed.innerHTML = `<path class="limit" d="M${x * 100} 0V100"/><path class="dot" d="M${x * 100} ${y}h0"/>`;
  svg.append(pointed);
  reading.textContent = `${timeOf(plot, at)}: ${value.toLocaleString('en')}`;
  figure.append(reading);
  const before = left - figure.getBoundingClientRect().left;
  const most = width - reading.offsetWidth;
  const middle = x * width - reading.offsetWidth / 2;
  reading.style.left = `${before + Math.max(0, Math.min(most, middle))}px`;
}
document.addEventListener('pointermove', show);
document.documentElement.addEventListener('pointerleave', hide);

/** Where an entry stands, from 0 to 1. Columns are of one width; lines are to scale in time. */
function shareOf({ times, series }, at) {
  if (series[0].columns) return (at + 0.5) / times.length;
  return (times[at] - times[0]) / Math.max(1, times.at(-1) - times[0]);
}

function nearest(plot, share) {
  const distances = plot.times.map((_time, at) => Math.abs(shareOf(plot, at) - share));
  return distances.indexOf(Math.min(...distances));
}

function timeOf({ times, series, zone }, at) {
  const hour = !series[0].columns && { hour: '2-digit', minute: '2-digit' };
  const parts = { weekday: 'short', day: 'numeric', month: 'short', ...hour, timeZone: zone };
  return new Intl.DateTimeFormat('en-GB', parts).format(times[at] * 1000);
}
