/** Local times of an IANA time zone as instants, quick enough for a million rows. */
import { Temporal } from 'temporal-polyfill';

const dayMs = 86_400_000;
/** Days whose offset is remembered: twenty years of one zone. */
const daysKept = 8192;
const zonesKept = 1024;

/** What a local time is in a zone: an instant, or a time that does not exist (`gap`) or exists twice (`overlap`). */
export type LocalTime =
  | { readonly kind: 'instant'; readonly at: number }
  | { readonly kind: 'gap' }
  | { readonly kind: 'overlap' };

/** One time zone. The offset of a day without a change of clocks is computed once; only the other days are looked at closely. */
export class Zone {
  /** The name to hand on: in the case of the time zone database. */
  readonly name: string;
  /** Offset in milliseconds by day since the epoch; NaN for a day near a change of clocks. */
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
    // Wide enough that every local time of the day lies between the two, whatever the offset.
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

/** Finds zones by name and keeps them, a bounded number. */
export class Zones {
  readonly #zones = new Map<string, Zone | null>();

  /** The zone of that name, in any case; `null` where there is none. */
  find(name: string): Zone | null {
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    const canonical = zoneName(name);
    const zone = canonical === null ? null : new Zone(canonical);
    if (this.#zones.size >= zonesKept) this.#zones.clear();
    this.#zones.set(name, zone);
    return zone;
  }
}

/**
 * The name in the case of the time zone database. An old name of a zone stays what was written: `asia/kolkata` is `Asia/Kolkata`.
 * An offset such as `+08:00` is refused although it is taken for a zone elsewhere: it is not the name of one. So are names such as `CST`,
 * which stand for several zones.
 */
function zoneName(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}
