/**
 * Converts local times of an IANA time zone to instants, fast enough for a million rows. Finds zones of a fixed offset whose names people
 * take for something else: `EST` for the clock of New York, which is an hour ahead in summer; `Etc/GMT+8` for UTC+8, which is UTC-8.
 */
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { timeZoneName } from '../../service/contract/time-zone.ts';
import { ComparingWork, guessesKept, NearestNames } from '../edit-distance.ts';
import { detached } from '../printable.ts';

const dayMs = 86_400_000;
/** Days with a remembered offset: about twenty years of one zone. */
const daysKept = 8192;
const zonesKept = 1024;
/** Far longer than the name of any zone. */
const longestName = 64;
/** Most letters to compare for the unknown names of a sheet: some milliseconds in all. */
const mostCompared = 1_000_000;

/** A local time is an instant, does not exist (`gap`), or exists twice (`overlap`). */
type LocalTime =
  | { readonly kind: 'instant'; readonly at: number }
  | { readonly kind: 'gap' }
  | { readonly kind: 'overlap' };

/** One time zone. Computes the offset of a day without a clock change once; only days near a change need more work. */
export class Zone {
  /** As in the time zone database. */
  readonly name: string;
  /** Offset in milliseconds by day since the epoch; NaN for a day near a clock change. */
  readonly #offsets = new Map<number, number>();

  constructor(name: string) {
    this.name = name;
  }

  /** @param local the local time as if it were UTC, in milliseconds since the epoch. */
  resolve(local: number): LocalTime {
    const offset = this.#offsetOfDay(Math.floor(local / dayMs));
    if (!Number.isNaN(offset)) return { kind: 'instant', at: local - offset };
    return this.#resolveNearChange(local);
  }

  #offsetOfDay(day: number): number {
    const known = this.#offsets.get(day);
    if (known !== undefined) return known;
    // Wide enough to contain every local time of the day, whatever the offset.
    const before = this.#offsetAt((day - 1) * dayMs);
    const after = this.#offsetAt((day + 2) * dayMs);
    const offset = before === after ? before : Number.NaN;
    if (this.#offsets.size >= daysKept) this.#offsets.clear();
    this.#offsets.set(day, offset);
    return offset;
  }

  #offsetAt(instant: number): number {
    const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(this.name);
    return zoned.offsetNanoseconds / 1e6;
  }

  #resolveNearChange(local: number): LocalTime {
    const wall = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC').toPlainDateTime();
    const earlier = wall.toZonedDateTime(this.name, { disambiguation: 'earlier' });
    const later = wall.toZonedDateTime(this.name, { disambiguation: 'later' });
    if (earlier.epochMilliseconds === later.epochMilliseconds) {
      return { kind: 'instant', at: earlier.epochMilliseconds };
    }
    return earlier.toPlainDateTime().equals(wall) ? { kind: 'overlap' } : { kind: 'gap' };
  }
}

/** Finds zones by name, and keeps a bounded number of them. */
export class Zones {
  readonly #zones = new Map<string, Zone | null>();
  /** Empty if there is none. */
  readonly #guesses: LRUCache<string, string>;

  constructor() {
    const work = new ComparingWork(mostCompared);
    const memoMethod = (name: string) => guessZone(foldName(name), work) ?? '';
    this.#guesses = new LRUCache({ max: guessesKept, memoMethod });
  }

  /** Finds a zone by name, in any case; `null` if there is none. */
  find(name: string): Zone | null {
    if (name.length > longestName) return null;
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    const canonical = timeZoneName(name);
    const zone = canonical === undefined ? null : new Zone(canonical);
    if (this.#zones.size >= zonesKept) this.#zones.clear();
    this.#zones.set(detached(name), zone);
    return zone;
  }

  /** The name of a zone that an unknown name may be a misspelling of: its last part alone will do, such as `shanghai`. */
  nearest(name: string): string | undefined {
    return name.length > longestName ? undefined : this.#guesses.memo(detached(name)) || undefined;
  }
}

function foldName(name: string): string {
  return name.trim().toLowerCase().replaceAll(' ', '_');
}

interface ZoneNames {
  readonly byFolded: ReadonlyMap<string, string>;
  /** The first zone of each last part. */
  readonly byLastPart: ReadonlyMap<string, string>;
  readonly nearest: NearestNames;
}

/** Made at the first unknown name. */
let zoneNames: ZoneNames | undefined;

function guessZone(wanted: string, work: ComparingWork): string | undefined {
  zoneNames ??= indexZones(Intl.supportedValuesOf('timeZone'));
  const { byFolded, byLastPart, nearest } = zoneNames;
  return byLastPart.get(wanted) ?? byFolded.get(nearest.find(wanted, work) ?? '');
}

function indexZones(names: readonly string[]): ZoneNames {
  const byFolded = new Map(names.map((name) => [foldName(name), name]));
  const lastPart = (name: string) => foldName(name.slice(name.lastIndexOf('/') + 1));
  const byLastPart = new Map(names.toReversed().map((name) => [lastPart(name), name]));
  return { byFolded, byLastPart, nearest: new NearestNames(byFolded.keys()) };
}

interface ZoneDoubt {
  readonly code: 'zone_without_summer' | 'zone_sign_reversed';
  readonly problem: string;
  readonly fix: string;
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

/** Whether a zone may be another one than is meant, at some times of the year. */
export function isDoubtful(zone: string): boolean {
  return followers.has(zone.toLowerCase()) || signed.test(zone);
}

/** @param zone that exists. @param at milliseconds since the epoch. @returns `null` if the zone is the one that is meant then. */
export function findZoneDoubt(zone: string, at: number): ZoneDoubt | null {
  const follower = followers.get(zone.toLowerCase());
  if (follower === undefined) return findReversed(zone);
  const [fixed, followed] = [offsetOf(zone, at), offsetOf(follower, at)];
  if (fixed === followed) return null;
  return {
    code: 'zone_without_summer',
    problem: `${zone} is ${asUtc(fixed)} all year, but clocks in ${placeOf(follower)} show ${asUtc(followed)} at this time`,
    fix: `If you mean the clock there, write ${follower}.`,
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
    fix: `If you mean UTC${other}${hours}, write Etc/GMT${real}${hours}, or the zone of a city, such as Asia/Shanghai.`,
  };
}

/** Whether two zones show the same time, in winter and in summer: Rome and Berlin do. */
export function haveSameClock(one: string, other: string): boolean {
  return [0, 6].every((month) => {
    const at = Date.UTC(2026, month, 1);
    return offsetOf(one, at) === offsetOf(other, at);
  });
}

/** The offset in minutes. */
function offsetOf(zone: string, at: number): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
}

function asUtc(minutes: number): string {
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${Math.abs(minutes) / 60}`;
}

function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
