/** Spans of times, such as `10:00-12:00`: a post has one time, and the end of a span looks like an offset. */

export const span = {
  code: 'invalid_time',
  problem: 'this is a span of times',
  fix: 'Write one time, as in 18:30. If you mean an offset, add seconds, as in 18:30:00-05:00.',
  part: 'time',
} as const;

const clock = String.raw`\d{1,2}(?:[:.h时時点點]\d{0,2})?(?::\d{2})?分? ?(?:[ap]\.?m\.?|uhr|h)?`;
const between = '(?:[-–—~〜至到]|to|till|until|and|bis|und|à|a|et|hasta|y|até|e|sampai)';
const written = new RegExp(
  `^(?:(?:from|between|von|zwischen|de|entre|das|dari) )?(${clock}) ?${between} ?${clock}$`,
  'i',
);

/** The first of two times of day; undefined for any other text. @param text of at most some 60 characters. */
export function startOfSpan(text: string): string | undefined {
  return written.exec(text)?.[1]?.trim();
}

/** Whether a time such as `11:00-12:30` is probably a span. */
export function endsSpan(time: string): boolean {
  const [, hours, minutes, offset] = /^(\d\d):(\d\d)(-\d{2}:?\d{2})$/.exec(time) ?? [];
  return offset !== undefined && mayEndSpan(Number(hours) * 60 + Number(minutes), offset, false);
}

const evening = 18 * 60;

/**
 * Whether what follows a time without seconds may be the end of a span, although it has the form of an offset: so in `10:00-12:00`, and
 * over midnight in `22:00-02:00`, but not in `19:00-05:00`.
 * @param minutes of the time, since midnight. @param isOther whether the zone of the row is known, and has another offset then.
 */
export function mayEndSpan(minutes: number, offset: string, isOther: boolean): boolean {
  if (!offset.startsWith('-')) return false;
  const [hours = 0, more = 0] = offset.match(/\d{2}/g)?.map(Number) ?? [];
  return hours * 60 + more > minutes || (isOther && minutes >= evening && hours <= 6);
}
