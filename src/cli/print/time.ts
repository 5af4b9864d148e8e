/** Times for people: in the zone of the sheet, whose name stands behind them. */

/**
 * `Sat 28 Nov, 02:00 (Asia/Shanghai)`, with the year if it is not the present one.
 * @param at Unix epoch, milliseconds. @param zone of the sheet, or of the settings; null for UTC.
 */
export function timeText(at: number, zone: string | null, now: number = Date.now()): string {
  return `${shortTime(at, zone, now)} (${zone ?? 'UTC'})`;
}

/** As `timeText`, where the zone is said elsewhere. */
export function shortTime(
  at: number,
  zone: string | null,
  now: number = Date.now(),
  more: Intl.DateTimeFormatOptions = {},
): string {
  const format = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone ?? 'UTC', ...options }).format(time);
  const year = { year: 'numeric' } as const;
  const isThisYear = format(at, year) === format(now, year);
  const options = { weekday: 'short', day: 'numeric', month: 'short', ...(isThisYear ? {} : year) } as const;
  return format(at, { ...options, hour: '2-digit', minute: '2-digit', ...more }).replace(/^(\w+),/, '$1');
}
