/** Reads times of day as people write them. */

/** Longer texts are not times. */
export const longestTime = 60;

const weekday =
  /^(?:\((?:周|星期)?[一二三四五六日天月火水木金土](?:曜日?)?\)|(?:周|星期)[一二三四五六日天]|[日月火水木金土]曜日?|\(?[월화수목금토일](?:요일)?\)?(?= ))/;
const timeOfDay =
  /^(?:(um|at|à|às|a las|alle|alle ore|ore|h\.?|pukul|jam|lúc|เวลา) )?(上午|下午|午前|午後|오전|오후|am|pm)? ?(\d{1,2})(?:([:.h時时点點시]) ?(\d{1,2})?)?(?::(\d{1,2}))?[分분]? ?(am|pm|a\. ?m\.|p\. ?m\.|uhr|h|hrs?\.?|hs|horas?|heures?|giờ|น\.?)?(?: (\d{2}))? ?([zZ]|[+-]\d{2}:?\d{2})?$/i;

const noon =
  /^(?:(?:12 |at |à )?(?:noon|midday|midi)|(?:12 del |al )?mediod[ií]a|12 del d[ií]a|(?:12 do |ao )?meio[- ]dia|正午)$/i;
/** Parts of the day behind an hour, which mean a half of it from one hour to another. `12 de la noche` and `1 malam` are of another day. */
const partsOfDay = [
  {
    words: / (?:(?:de|por) la mañana|da manhã|du matin|di mattina|pagi|sáng)$/i,
    half: 'am',
    from: 4,
    to: 11,
  },
  {
    words: / (?:(?:de|por) la tarde|da tarde|de l['’]après-midi|del pomeriggio)$/i,
    half: 'pm',
    from: 1,
    to: 8,
  },
  { words: / (?:(?:de|por) la noche|da noite|du soir|di sera|malam|tối)$/i, half: 'pm', from: 6, to: 11 },
] as const;

/** A time of day in 24 hours; undefined if it cannot be read. `half`: it was written in 12. */
export function clockOf(
  text: string,
): { readonly time: string; readonly half: 'am' | 'pm' | undefined } | undefined {
  const rest = withOffset(
    text
      .replace(/^(?:[T,@]|[-–—|] )/, '')
      .trim()
      .replace(weekday, '')
      .trim(),
  );
  if (rest === '') return { time: '', half: undefined };
  if (noon.test(rest)) return { time: '12:00', half: 'pm' };
  const found = timeOfDay.exec(withHalf(rest));
  if (found === null) return undefined;
  const [, named, before, hours, mark, digits = '', seconds, after = '', late, offset = ''] = found;
  const half = halfOf(before ?? after);
  const isUnfinished = digits === '' && (mark === ':' || mark === '.');
  // `18` alone is no time, `18.5` no time of day, and only `9 Uhr 30` has its minutes last.
  // `at 7` may be in the evening.
  const isNamed = named !== undefined && (Number(hours) > 12 || /^(?:alle )?(?:ore|h\.?)$/i.test(named));
  const isMarked = mark !== undefined || isNamed || before !== undefined || after !== '';
  const isDecimal = mark === '.' && digits.length !== 2;
  if (isUnfinished || !isMarked || isDecimal) return undefined;
  if (late !== undefined && (digits !== '' || !/^(?:uhr|h|giờ)$/i.test(after))) return undefined;
  const hour = hourOf(Number(hours), half);
  const minute = Number(digits || (late ?? 0));
  if (hour === undefined || hour > 23 || minute > 59 || Number(seconds ?? 0) > 59) return undefined;
  const parts = [hour, minute, ...(seconds === undefined ? [] : [Number(seconds)])];
  return { time: parts.map(two).join(':') + offset, half };
}

/** `8 de la noche` as `8 pm`. */
function withHalf(text: string): string {
  const hour = Number.parseInt(text, 10);
  const part = partsOfDay.find(({ words, from, to }) => hour >= from && hour <= to && words.test(text));
  return part === undefined ? text : text.replace(part.words, ` ${part.half}`);
}

/** A time of day of 12 hours, such as `7 pm`, in 24; any other text as it is. */
export function inFullHours(text: string): string {
  // Nearly all have no letters.
  if (!/[a-z午오]/i.test(text) || text.length > longestTime) return text;
  const clock = clockOf(text.normalize('NFKC').trim());
  return clock?.half === undefined ? text : clock.time;
}

function halfOf(word: string): 'am' | 'pm' | undefined {
  const plain = word.toLowerCase().replace(/[. ]/g, '');
  if (/^(?:上午|午前|오전|am)$/.test(plain)) return 'am';
  return /^(?:下午|午後|오후|pm)$/.test(plain) ? 'pm' : undefined;
}

function hourOf(hour: number, half: 'am' | 'pm' | undefined): number | undefined {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

/** Zones that are meant by one name only, and have the same offset all year. */
const offsets: ReadonlyMap<string, string> = new Map(
  [
    ['Z', 'UTC'],
    ['+07:00', 'WIB ICT'],
    ['+08:00', 'WITA SGT MYT PHT HKT'],
    ['+09:00', 'WIT JST KST'],
  ].flatMap(([offset = '', names = '']) => names.split(' ').map((name) => [name, offset] as const)),
);

/** `18:30 (WIB)` and `18:30 GMT+7` with an offset in place of the zone. One that is behind UTC would look like a span of times. */
function withOffset(text: string): string {
  const [whole = '', name = '', hours, minutes = '00'] =
    /(?:^| )\(?([A-Z]{3,4})(?:\+(\d{1,2})(?::?(\d\d))?)?\)?$/.exec(text) ?? [];
  const isUtc = name === 'UTC' || name === 'GMT';
  const offset =
    hours === undefined ? offsets.get(name) : isUtc ? `+${hours.padStart(2, '0')}:${minutes}` : undefined;
  return offset === undefined ? text : text.slice(0, -whole.length) + offset;
}

/** `7` as `07`. */
export function two(number: number): string {
  return String(number).padStart(2, '0');
}
