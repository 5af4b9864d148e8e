/** How long before its time a post is handed to the service: until then it waits here, and can still be changed. */
import type { Row } from './row.ts';

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Shorter, and the service might get the post too late. Milliseconds. */
const shortest = 5 * 60_000;
const longest = 366 * 86_400_000;

/** What a length of time is written as, for people: what `readLead` takes, but for `now`. */
export const termRule = '2d, 12h, 30m (5m to 366d)';
/** What `readLead` takes, for people. */
export const leadRule = `${termRule}, or now`;

/** @returns milliseconds; `null` for `now`: the service gets the post at once; undefined for a text that is none. */
export function readLead(text: string): number | null | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'now') return null;
  const [, digits, unit = ''] = /^(\d{1,6})\s?([mhd])$/.exec(word) ?? [];
  const ms = Number(digits) * (units[unit] ?? Number.NaN);
  return ms >= shortest && ms <= longest ? ms : undefined;
}

/** As `readLead` reads it. @param ms of whole minutes. */
export function writeLead(ms: number | null): string {
  if (ms === null) return 'now';
  const [unit = 'm', size = 1] = Object.entries(units).findLast(([, each]) => ms % each === 0) ?? [];
  return `${ms / size}${unit}`;
}

/** The next lead that people write: whole quarters of an hour, hours, or days. @param ms least. */
export function roundedLead(ms: number): number {
  const [quarter, hour, day] = [15 * 60_000, 3_600_000, 86_400_000];
  const unit = ms <= hour ? quarter : ms <= day ? hour : day;
  return Math.min(longest, Math.ceil(ms / unit) * unit);
}

/** When the service may get a row's post (Unix epoch, milliseconds); undefined for at once. @param usual lead of its campaign. */
export function handedOverAt(
  { schedule, lead }: Pick<Row, 'schedule' | 'lead'>,
  usual: number | null,
): number | undefined {
  const own = lead === undefined ? usual : lead;
  return schedule === undefined || own === null ? undefined : schedule.at - own;
}
