/** Figures of videos: short numbers, gains and sparklines. */
import { html } from 'hono/html';
import type { Amount } from '../../../ledger/videos/amount.ts';
import type { Html } from '../../html.ts';
import { number } from './numbers.ts';

const units = [
  { size: 1e12, name: 'T' },
  { size: 1e9, name: 'B' },
  { size: 1e6, name: 'M' },
  { size: 1e3, name: 'k' },
] as const;
/** Smaller numbers are shown in full. */
const leastShort = 10_000;

/** `38.4 M`, `118 k`, `4,120`: three digits from ten thousand on. */
export function short(value: number | bigint): string {
  const amount = Math.abs(Number(value));
  if (amount < leastShort) return number(value);
  const sign = value < 0 ? '−' : '';
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

function threeDigits(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value.toFixed(value >= 9.995 ? 1 : 2);
}

/** `+4.69 M`, in color; "unknown" for undefined. @param show writes the number. */
export function gain(value: Amount | undefined, show: (value: Amount) => string = short): Html {
  if (value === undefined) return html`<span class="none">unknown</span>`;
  if (value < 0) return html`<span>−${show(-value)}</span>`;
  return value <= 0 ? html`<span class="none">0</span>` : html`<span class="up">+${show(value)}</span>`;
}

/** About one point for each pixel. */
const sparkPoints = 48;

/** Gains by day as a small line, without figures. */
export function spark(daily: ArrayLike<number | bigint>): Html {
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
