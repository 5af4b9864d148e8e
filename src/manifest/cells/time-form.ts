/** A time in the form in which a planner wrote another one, so that her sheet has one form although a cell of it was edited. */
import { two } from './time-of-day.ts';
import { readWritten } from './written-time.ts';

/** Two numbers, such as `3.12.`, `03.12.2027` or `12/24`. */
const twoNumbers = /^(\d{1,2})([-/.])(\d{1,2})(?!\d)/;
const yearFirst = /^\d{4}-/;

/** @param old what stood in the cell. @returns the text as it is if it is no time, or could be read as another one in that form. */
export function inFormOf(old: string, text: string): string {
  const [, first = '', separator = '', second = ''] = twoNumbers.exec(old.trim()) ?? [];
  const [wanted] = yearFirst.test(text) ? readWritten(text) : [];
  if (first === '' || wanted?.year === undefined || wanted.time === undefined) return text;
  const { year, month, day, time } = wanted;
  const readings = readWritten(old);
  const meant = readings.find((each) => each.month === month && each.day === day) ?? readings[0];
  const isDayFirst = meant?.day === Number(first);
  const isPadded = first.length === 2 && second.length === 2;
  const numbers = isDayFirst ? [day, month] : [month, day];
  const date = [...numbers.map((number) => (isPadded ? two(number) : number)), year].join(separator);
  const written = `${date} ${time}`.trim();
  const [read, ...others] = readWritten(written);
  const isSame = read?.isPlain && read.year === year && read.month === month && read.day === day;
  return isSame && others.length === 0 && read.time === time ? written : text;
}
