/** Counts, durations and rates in words, the same in every message. */

/** `12`, `1,200`. The first number in a language costs 10 ms: most counts are spared it. */
export function thousands(count: number): string {
  return Math.abs(count) < 1000 && Number.isInteger(count) ? String(count) : count.toLocaleString('en');
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${thousands(count)} ${count === 1 ? noun : many}`;
}

const mostNamed = 5;

/** The first five names, and how many more there are: `a, b, c, d, e and 3 more`. */
export function few(names: readonly (string | number)[]): string {
  const more = names.length - mostNamed;
  return names.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${thousands(more)} more` : '');
}

/** Adds a full stop if the text has none. Messages of the service often have none. */
export function sentence(text: string): string {
  return text === '' || /[.!?。！？]$/.test(text) ? text : `${text}.`;
}

/** The name of a campaign, row, creator or model is not capitalized. Others look like words: put a noun before them. */
const beginsWithName = /^[^\s:]*(?:[\d_@]|[-./]\w)/;

/** The text with a capital first letter, unless it begins with a name. */
export function capitalized(text: string): string {
  if (beginsWithName.test(text)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A message as a sentence of its own: capitalized, with a full stop. */
export function asSentence(message: string): string {
  return sentence(capitalized(message));
}

/** Shorter durations are shown in hours: `27 h`. */
const leastDays = 2;
/** From this many days on, hours do not matter. */
const roundDays = 10;

/** A duration for people: `350 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`, `4 days 3 h`, `109 days`. */
export function describeDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours >= leastDays * 24) return describeDays(hours);
  const rest = minutes % 60;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

function describeDays(hours: number): string {
  const days = Math.floor(hours / 24);
  const rest = hours % 24;
  return rest === 0 || days >= roundDays ? plural(days, 'day') : `${plural(days, 'day')} ${rest} h`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * `2026-12-01 10:00 (Asia/Shanghai)`: a time in what a check says, as it would stand in the sheet.
 * @param at milliseconds since the epoch. @param zone IANA name, of the sheet; null for UTC.
 */
export function sheetTime(at: number, zone: string | null): string {
  const timeZone = zone ?? 'UTC';
  const known = clocks.get(timeZone);
  // Making one takes far longer than using it.
  const clock = known ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  if (known === undefined) clocks.set(timeZone, clock);
  return `${clock.format(at)} (${timeZone})`;
}

/** How far a clock is from that of Redis: `1 h ahead of the clock of Redis`. @param aheadMs negative: behind. */
export function describeClock(aheadMs: number): string {
  return `${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of Redis`;
}

/** The age of something, without seconds from a minute on: `29 min`. */
export function describeAge(ms: number): string {
  const minute = 60_000;
  return describeDuration(ms < minute ? ms : Math.floor(ms / minute) * minute);
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A range of durations: `12 to 20 min`, `about 6 s`, `at least 3 h`. @param most undefined if unknown. */
export function describeRange(least: number, most: number | undefined): string {
  if (most !== undefined && most < 1000) return 'under a second';
  const [name, ms] = units.find(([, length]) => (most ?? least) >= 2 * length) ?? (['s', 1000] as const);
  const from = Math.max(ms === 1000 ? 1 : 0, Math.floor(least / ms));
  if (most === undefined) return `at least ${Math.max(1, from)} ${name}`;
  const to = Math.max(1, Math.ceil(most / ms));
  if (from === 0) return `up to ${to} ${name}`;
  return from >= to - 1 ? `about ${to} ${name}` : `${from} to ${to} ${name}`;
}

const seconds = { s: 1, sec: 1, second: 1, m: 60, min: 60, minute: 60, h: 3600, hour: 3600 } as const;

const rateForm = /^(?<calls>\d+(?:\.\d+)?)(?:\s*\/\s*(?:(?<many>\d+)\s*)?(?<unit>[a-z]+))?$/i;

/** Parses `20/s`, `300/min`, `100/10s` or `20` (per second) as calls per second; undefined for anything else. */
export function parseRate(text: string): number | undefined {
  const { calls, many = '1', unit = 's' } = rateForm.exec(text.trim())?.groups ?? {};
  const name = unit.toLowerCase() as keyof typeof seconds;
  if (calls === undefined || !Object.hasOwn(seconds, name)) return undefined;
  const perSecond = Number(calls) / (Number(many) * seconds[name]);
  return perSecond > 0 && Number.isFinite(perSecond) ? perSecond : undefined;
}

/** A rate in the smallest unit with at least one call: `5/s`, `30/min`, `2/h`. */
export function describeRate(perSecond: number): string {
  if (perSecond >= 1) return `${shortNumber(perSecond)}/s`;
  return perSecond * 60 >= 1 ? `${shortNumber(perSecond * 60)}/min` : `${shortNumber(perSecond * 3600)}/h`;
}

function shortNumber(value: number): string {
  return String(Number(value.toFixed(value < 100 ? 1 : 0)));
}

const mostWords = 10;

/** Whether a text has all words of the search, in any order, case and form of accents. */
export function wordsTest(search: string): (text: string) => boolean {
  const folded = (text: string) => text.normalize('NFC').toLowerCase();
  const words = folded(search).split(/\s/).filter(Boolean).slice(0, mostWords);
  return (text) => {
    const all = folded(text);
    return words.every((word) => all.includes(word));
  };
}
