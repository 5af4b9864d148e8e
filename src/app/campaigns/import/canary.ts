/** The canary by choice: which rows of a sheet go out first, and whether they tell anything soon. */
import {
  type CanaryChoice,
  type CanaryRows,
  minuteMs,
  mostCanaryRows,
} from '../../../importers/plan/canary.ts';
import { plural } from '../../../manifest/wording.ts';

export type { CanaryChoice };

/** @returns positions of chosen rows in the campaign; undefined if they are the first ones, which go first anyway. */
export function canaryPositions(rows: CanaryRows, choice: CanaryChoice): readonly number[] | undefined {
  if (typeof choice === 'number') return undefined;
  if (typeof choice !== 'object') return Array.from(rows[choice].values(), ({ row }) => row);
  const found = choice.rows.map((number) => positionOf(rows, number));
  return [...new Set(found.filter((position) => position !== undefined))];
}

/** Position in the campaign of a row by its number in the sheet; undefined if it is not accepted. */
function positionOf({ numbers }: CanaryRows, number: number): number | undefined {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number ? low : undefined;
}

/** Posts that are planned for later than this tell little, because nobody sees them published before the others are released. */
const soonMs = 7 * 24 * 3_600_000;

/**
 * What a canary consists of, and whether it is a poor one, in sentences.
 * @param accepted number of rows that would be posted. @param now Unix epoch, milliseconds.
 */
export function describeCanary(
  rows: CanaryRows,
  choice: CanaryChoice,
  { accepted, now }: { readonly accepted: number; readonly now: number },
): string {
  const positions = canaryPositions(rows, choice);
  const size = positions?.length ?? Math.min(Number(choice), accepted);
  if (size === 0) return 'None of the rows chosen as canary can be posted.';
  if (size >= accepted) return 'The canary covers every post; nothing will wait.';
  const first = `The first ${size === 1 ? 'post' : plural(size, 'post')} of the sheet ${size === 1 ? 'goes' : 'go'} out first.`;
  const chosen = `${plural(size, 'post')} ${size === 1 ? 'goes' : 'go'} out first${typeof choice === 'number' ? '' : `: ${whose(rows, choice)}`}.`;
  const soon = (now + soonMs) / minuteMs;
  const isAhead = (minute = 0) => minute > soon;
  const ahead = (
    positions?.filter((position) => isAhead(rows.minutes[position])) ??
    rows.minutes.subarray(0, size).filter(isAhead)
  ).length;
  const some = `${ahead.toLocaleString('en')} of the ${size.toLocaleString('en')} ${ahead === 1 ? 'is' : 'are'}`;
  const all = ahead === 1 ? 'It is' : 'All of them are';
  const many = ahead === size ? all : some;
  const poor =
    ahead === 0
      ? ''
      : ` ${many} planned for more than 7 days ahead: a poor canary, because you will not see ${ahead === 1 ? 'it' : 'them'} published until then.`;
  return `${typeof choice === 'number' ? first : chosen} Then the campaign pauses until an operator releases the rest.${poor}`;
}

const mostNamed = 6;

function whose(rows: CanaryRows, choice: Exclude<CanaryChoice, number>): string {
  if (typeof choice === 'object') return 'the chosen rows';
  const named = Array.from(rows[choice]).slice(0, mostNamed);
  const more = rows[choice].size - named.length;
  const each = named.map(([of, { row, key }]) => {
    const number = String(rows.numbers[row]);
    return `${key === number ? `row ${number}` : key} (${kindNames[of] ?? of})`;
  });
  return `one row of each ${choice === 'kinds' ? 'kind' : 'creator'}, ${each.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

/** Of the kinds of `CanaryRows`. A creator is named as in the sheet. */
const kindNames: Readonly<Record<string, string>> = {
  VIDEO: 'video',
  PHOTO: 'photos',
  'VIDEO AI': 'AI video',
  'PHOTO AI': 'AI photos',
};

/** The canary as a few words: `the first 10`. */
export function nameCanary(choice: CanaryChoice): string {
  if (typeof choice === 'number')
    return choice === 1 ? 'the first' : `the first ${choice.toLocaleString('en')}`;
  if (choice === 'kinds') return 'one row of each kind';
  if (choice === 'creators') return 'one row of each creator';
  return plural(choice.rows.length, 'chosen row');
}

/** `10`, `kinds`, `creators` or `rows:3,17`. @returns undefined for any other text. */
export function readCanary(text: string): CanaryChoice | undefined {
  if (text === 'kinds' || text === 'creators') return text;
  if (/^\d{1,10}$/.test(text)) return Number(text) >= 1 ? Number(text) : undefined;
  const list = text.startsWith('rows:') && text.length < 12_000 ? text.slice('rows:'.length).split(',') : [];
  const rows = list.map((each) => (/^\d{1,10}$/.test(each.trim()) ? Number(each) : 0));
  return rows.length > 0 && rows.length <= mostCanaryRows && rows.every((row) => row >= 1)
    ? { rows: [...new Set(rows)] }
    : undefined;
}

/** The text that `readCanary` reads. */
export function writeCanary(choice: CanaryChoice): string {
  return typeof choice === 'object' ? `rows:${choice.rows.join(',')}` : String(choice);
}

export const canaryRule =
  'Write a number of rows (1 or more), kinds, creators, or row numbers: rows:3,17. The header is not counted.';
