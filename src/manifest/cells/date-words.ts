/** Names of months and weekdays, in the languages of headers. */

const languages = ['en', 'de', 'fr', 'es', 'id', 'pt', 'it', 'ms', 'th', 'vi'];

type NamedNumber = readonly [name: string, number: number];

/** In Vietnamese, it has two words. */
const leadingWeekday = /^((?:thứ|chủ) \p{L}{2,4}|[\p{L}\p{M}]{2,16})\.?,? (?=[\p{L}\d])/iu;

/** `Saturday, December 4, 2027` without its beginning. */
export function withoutWeekday(text: string): string {
  const [whole = '', name = ''] = leadingWeekday.exec(text) ?? [];
  return name !== '' && weekdaysOf(name).length > 0 ? text.slice(whole.length) : text;
}

/** Whether the weekday that a text begins with is that of a date; undefined if it begins with none. */
export function isOnWeekday(
  text: string,
  { year, month, day }: Record<'year' | 'month' | 'day', number>,
): boolean | undefined {
  const [, name = ''] = leadingWeekday.exec(text.trim()) ?? [];
  const found = name === '' ? [] : weekdaysOf(name);
  return found.length === 0
    ? undefined
    : found.includes(new Date(Date.UTC(year, month - 1, day)).getUTCDay());
}

/** `Thursday`. */
export function weekdayOf({ year, month, day }: Record<'year' | 'month' | 'day', number>): string {
  const format = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
  return format.format(Date.UTC(year, month - 1, day));
}

/** From 0 for Sunday. A short name may be of several: of one in each language. */
let weekdays: ReadonlyMap<string, readonly NamedNumber[]> | undefined;

function weekdaysOf(name: string): readonly number[] {
  weekdays ??= Map.groupBy(languages.flatMap(weekdaysIn), ([each]) => each);
  return (weekdays.get(foldWord(name)) ?? []).map(([, weekday]) => weekday);
}

function weekdaysIn(language: string): readonly NamedNumber[] {
  return (['long', 'short'] as const).flatMap((weekday) => {
    const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
    // 2 January 2000 was a Sunday.
    return Array.from(
      { length: 7 },
      (_, day) => [foldWord(format.format(Date.UTC(2000, 0, 2 + day))), day] as const,
    );
  });
}

let months: ReadonlyMap<string, number> | undefined;

export function monthOf(name = ''): string {
  months ??= new Map(languages.flatMap(monthsIn));
  return String(months.get(foldWord(name)) ?? 0);
}

function monthsIn(language: string): readonly NamedNumber[] {
  return (['long', 'short'] as const).flatMap((month) => {
    const format = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, index) => {
      const parts = format.formatToParts(Date.UTC(2000, index, 1));
      return [foldWord(parts.find(({ type }) => type === 'month')?.value ?? ''), index + 1] as const;
    });
  });
}

/** Accents of Latin letters are left out; in Thai, only its marks tell March from January. */
function foldWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.]/g, '')
    .toLowerCase()
    .replace(/^(?:sept|tues|weds|thurs?)$/, (long) => long.slice(0, 3))
    .replace(/ที่$/, '');
}
