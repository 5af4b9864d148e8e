/** Rates and estimates in words. */

const seconds = { s: 1, sec: 1, second: 1, m: 60, min: 60, minute: 60, h: 3600, hour: 3600 } as const;

const form = /^(?<calls>\d+(?:\.\d+)?)(?:\s*\/\s*(?<many>\d+)?\s*(?<unit>[a-z]+))?$/i;

/** Reads `20/s`, `300/min`, `100/10s`, or just `20` (a second), as calls a second; undefined for anything else. */
export function parseRate(text: string): number | undefined {
  const { calls, many = '1', unit = 's' } = form.exec(text.trim())?.groups ?? {};
  const name = unit.toLowerCase() as keyof typeof seconds;
  if (calls === undefined || !Object.hasOwn(seconds, name)) return undefined;
  const perSecond = Number(calls) / (Number(many) * seconds[name]);
  return perSecond > 0 && Number.isFinite(perSecond) ? perSecond : undefined;
}

/** In the smallest unit that makes it one or more: `5/s`, `30/min`, `2/h`. */
export function describeRate(perSecond: number): string {
  if (perSecond >= 1) return `${shortNumber(perSecond)}/s`;
  return perSecond * 60 >= 1 ? `${shortNumber(perSecond * 60)}/min` : `${shortNumber(perSecond * 3600)}/h`;
}

function shortNumber(value: number): string {
  return String(Number(value.toFixed(value < 100 ? 1 : 0)));
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A range of durations: `12 to 20 min`, `about 6 s`, `at least 3 h`. @param most undefined where there is no end in sight. */
export function describeRange(least: number, most: number | undefined): string {
  const [name, ms] = units.find(([, length]) => (most ?? least) >= 2 * length) ?? (['s', 1000] as const);
  const from = Math.max(ms === 1000 ? 1 : 0, Math.floor(least / ms));
  if (most === undefined) return `at least ${Math.max(1, from)} ${name}`;
  const to = Math.max(1, Math.ceil(most / ms));
  if (from === 0) return `up to ${to} ${name}`;
  return from >= to - 1 ? `about ${to} ${name}` : `${from} to ${to} ${name}`;
}
