/** Times (ISO 8601), and names of IANA time zones as `scheduledTz` takes them. */
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

/** No name of a zone in brackets, which is no ISO 8601, and no space. */
const timeCharacters = /^\d[\dTtZz:.,+-]{9,40}$/;

/** Extended or basic form, with or without seconds. @returns Unix epoch, ms; undefined for anything else, and without an offset. */
export function instantOf(text: string): number | undefined {
  if (!timeCharacters.test(text)) return undefined;
  // Every upload has such a time, nearly always in this form. `Date` takes a tenth of the time, but reads days that do not exist.
  const usual = Date.parse(text);
  if (usual >= 0) {
    const written = new Date(usual).toISOString();
    if (text === written || text === written.replace('.000Z', 'Z')) return usual;
  }
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** A time in a request. It is sent as written. */
export const isoTime = z
  .string()
  .refine(
    (text) => instantOf(text) !== undefined,
    'must be an ISO 8601 date and time with an offset, as in 2026-12-01T10:00:00Z',
  )
  .meta({ format: 'date-time' });

/** The zone's name in the case of the time zone database; undefined for no zone, an offset, and `CST`, which means several. */
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
