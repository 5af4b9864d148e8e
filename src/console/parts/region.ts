/** Times in the region of a creator. For a region with several time zones no time is assumed. */
import { toTemporalInstant } from 'temporal-polyfill';
import { clock, day } from './numbers.ts';

/** Regions with one legal time, although the time zone database has several zones. */
const oneTime: Readonly<Record<string, string>> = { CN: 'Asia/Shanghai' };

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const zonesOf = new Map<string, readonly string[]>();

/** `Thu 12 Mar, 17:00 in Thailand`. @param region ISO 3166-1, two letters. @returns undefined for an unknown region. */
export function timeInRegion(at: number, region: string | undefined, now: number): string | undefined {
  const found = regionAt(at, region);
  if (found === undefined) return undefined;
  const { name, zone } = found;
  return zone === undefined
    ? `${name}, several time zones`
    : `${day(at, zone, now)}, ${clock(at, zone)} in ${name}`;
}

/** How far the clocks of a region are from those of a zone: `Thailand, 1 h earlier`; `Thailand, the same time`. */
export function aheadInRegion(at: number, region: string | undefined, zone: string): string | undefined {
  const found = regionAt(at, region);
  if (found === undefined) return undefined;
  if (found.zone === undefined) return `${found.name}, several time zones`;
  const minutes = (offsetAt(at, found.zone) - offsetAt(at, zone)) / 60_000;
  if (minutes === 0) return `${found.name}, the same time`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const parts = [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])];
  return `${found.name}, ${parts.join(' ')} ${minutes > 0 ? 'later' : 'earlier'}`;
}

/** The zone is undefined if clocks within the region differ at this moment. */
function regionAt(
  at: number,
  region: string | undefined,
): { readonly name: string; readonly zone: string | undefined } | undefined {
  const code = region?.trim().toUpperCase() ?? '';
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  const name = names.of(code);
  const [zone, ...others] = zonesIn(code);
  if (name === undefined || zone === undefined) return undefined;
  const isOne = others.every((other) => offsetAt(at, other) === offsetAt(at, zone));
  return { name, zone: isOne ? zone : undefined };
}

/** Cached: there are at most about 700 codes of two letters. */
function zonesIn(code: string): readonly string[] {
  let zones = zonesOf.get(code);
  if (zones === undefined) {
    const one = oneTime[code];
    const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & {
      getTimeZones?: () => string[] | undefined;
    };
    zones = one === undefined ? (locale.getTimeZones?.() ?? []) : [one];
    zonesOf.set(code, zones);
  }
  return zones;
}

/** Milliseconds that a zone is ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  return toTemporalInstant.call(new Date(at)).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}
