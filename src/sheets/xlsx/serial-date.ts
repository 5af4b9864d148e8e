/** Converts the dates of a workbook (numbers of days) to the text that `src/manifest/cells/time.ts` reads. */

const dayMs = 86_400_000;
/** Day 0 of workbooks that count from 1900. `lastDay`: 31 December 9999, the last day that Excel shows. */
const epoch1900 = Date.UTC(1899, 11, 30);
const lastDay = 2_958_465;
/** Day 0 of workbooks that count from 1904 has this number in the others. */
const daysTo1904 = 1462;
/** Day 60 is 29 February 1900, which never existed: the days before it are one too low. */
const phantomDay = 60;

/**
 * Converts a date, a time of day, or both.
 * @param serial days and a fraction of a day.
 * @param showsTime whether the cell shows a time of day: then midnight is written too.
 * @returns `2026-12-01` or `2026-12-01 10:00`, with seconds if not zero; `10:00` for less than a day; `null` if no such date exists.
 */
export function readSerialDate(serial: number, showsTime: boolean, from1904: boolean): string | null {
  const shifted = from1904 && serial >= 1 ? serial + daysTo1904 : serial;
  // Ten o'clock is stored as 0.41666666666666669, so round to the second.
  const seconds = Math.round(shifted * 86_400);
  const days = Math.floor(seconds / 86_400);
  if (!(days >= 0 && days <= lastDay)) return null;
  const ofDay = seconds - days * 86_400;
  if (days === 0) return clock(ofDay);
  const date = new Date(epoch1900 + (days < phantomDay ? days + 1 : days) * dayMs).toISOString().slice(0, 10);
  return showsTime || ofDay > 0 ? `${date} ${clock(ofDay)}` : date;
}

/** A duration in hours and minutes, such as `36:00`; `null` if negative. */
export function readElapsed(days: number): string | null {
  const seconds = Math.round(days * 86_400);
  return seconds >= 0 ? clock(seconds) : null;
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const parts = [Math.floor(minutes / 60), minutes % 60];
  if (seconds % 60 !== 0) parts.push(seconds % 60);
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
