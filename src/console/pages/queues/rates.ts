/** Rates in words, and in the fields of a form. */
import type { RateLimitStatus } from '../../../queues/rate-limit-book.ts';

const units = [
  { unit: 'second', short: 's', perSecond: 1 },
  { unit: 'minute', short: 'min', perSecond: 1 / 60 },
  { unit: 'hour', short: 'h', perSecond: 1 / 3600 },
] as const;

export const rateUnits = units.map(({ unit, short }) => ({ unit, short }));

export interface ShownRate {
  /** Calls per unit, with one decimal at most. */
  readonly calls: string;
  readonly unit: (typeof units)[number]['unit'];
}

/** Converts a rate to the smallest unit in which it is at least one call. */
export function rateOf(perSecond: number): ShownRate {
  const fitting = units.find((each) => perSecond / each.perSecond >= 0.9995) ?? units[2];
  return { calls: inUnit(perSecond, fitting.unit), unit: fitting.unit };
}

/** Calls per unit, with one decimal at most. */
function inUnit(perSecond: number, unit: ShownRate['unit']): string {
  const found = units.find((each) => each.unit === unit) ?? units[0];
  const calls = perSecond / found.perSecond;
  return String(Number(calls.toFixed(calls < 100 ? 1 : 0)));
}

/** `20 a minute`. */
export function describeRate(perSecond: number): string {
  const { calls, unit } = rateOf(perSecond);
  return `${calls} ${unit === 'hour' ? 'an' : 'a'} ${unit}`;
}

type Use = Pick<RateLimitStatus, 'rateLimit' | 'usedPerSecond'>;

/** Share of a rate limit in use, in percent. */
export function shareInUse({ rateLimit, usedPerSecond }: Use): number {
  return Math.min(100, (usedPerSecond / rateLimit.perSecond) * 100);
}

/** `18 of 20 a minute`. */
export function usedOf({ rateLimit, usedPerSecond }: Use): string {
  const { unit } = rateOf(rateLimit.perSecond);
  return `${inUnit(usedPerSecond, unit)} of ${describeRate(rateLimit.perSecond)}`;
}
