/**
 * Zones of a fixed offset whose names people take for something else: `EST` for the clock of New York, which is an hour ahead in summer;
 * `Etc/GMT+8` for UTC+8, which is UTC-8.
 */
import { Temporal } from 'temporal-polyfill';

export interface ZoneDoubt {
  readonly code: 'zone_without_summer' | 'zone_sign_reversed';
  readonly problem: string;
  readonly cure: string;
}

/** The zone that follows the clock, by the folded names of the one that does not. */
const followers: ReadonlyMap<string, string> = new Map(
  [
    ['America/New_York', 'est systemv/est5'],
    ['America/Chicago', 'systemv/cst6'],
    ['America/Denver', 'mst systemv/mst7'],
    ['America/Los_Angeles', 'systemv/pst8'],
    ['Europe/London', 'gmt gmt0 gmt+0 gmt-0 greenwich etc/gmt etc/gmt0 etc/gmt+0 etc/gmt-0 etc/greenwich'],
  ].flatMap(([follower = '', names = '']) => names.split(' ').map((name) => [name, follower] as const)),
);
const signed = /^etc\/gmt([+-])(\d{1,2})$/i;

/** @param zone that exists. @param at milliseconds since the epoch. @returns `null` if the zone is the one that is meant then. */
export function findZoneDoubt(zone: string, at: number): ZoneDoubt | null {
  const follower = followers.get(zone.toLowerCase());
  if (follower === undefined) return findReversed(zone);
  const [fixed, followed] = [offsetOf(zone, at), offsetOf(follower, at)];
  if (fixed === followed) return null;
  return {
    code: 'zone_without_summer',
    problem: `${zone} is ${asUtc(fixed)} all year, but clocks in ${placeOf(follower)} show ${asUtc(followed)} at this time`,
    cure: `If the clock there is meant, write ${follower}.`,
  };
}

/** The same for a time of day that comes again: whether it is in doubt within the year that begins at `now`. */
export function findYearlyDoubt(zone: string, now: number): ZoneDoubt | null {
  const months = Array.from({ length: 12 }, (_, month) => now + month * 30 * 86_400_000);
  return months.map((at) => findZoneDoubt(zone, at)).find((doubt) => doubt !== null) ?? null;
}

function findReversed(zone: string): ZoneDoubt | null {
  const [, sign, hours] = signed.exec(zone) ?? [];
  if (hours === undefined || Number(hours) === 0) return null;
  const [real, other] = sign === '+' ? ['-', '+'] : ['+', '-'];
  return {
    code: 'zone_sign_reversed',
    problem: `${zone} is UTC${real}${hours}: the signs of these names are reversed`,
    cure: `If UTC${other}${hours} is meant, write Etc/GMT${real}${hours}, or the zone of a city, such as Asia/Shanghai.`,
  };
}

/** In minutes. */
function offsetOf(zone: string, at: number): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
}

function asUtc(minutes: number): string {
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${Math.abs(minutes) / 60}`;
}

function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
