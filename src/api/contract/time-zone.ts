/** Names of IANA time zones, as `scheduledTz` takes them. */
import { Temporal } from 'temporal-polyfill';

/**
 * The name in the case of the time zone database: `Asia/Kolkata` for `asia/kolkata`. Old names of zones stay as they are. Offsets such as
 * `+08:00` are no names, and `CST` means several zones.
 * @returns undefined where there is no such zone.
 */
export function timeZoneName(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

export function isTimeZone(name: string): boolean {
  return timeZoneName(name) !== undefined;
}
