/** The canary by choice: which rows of a sheet go out first, and whether they tell anything soon. */
import type { Row } from '../../manifest/row.ts';
import { plural } from '../../runtime/wording.ts';

/**
 * Rows to begin with: the first so many; one of each kind (video, photos, AI video, AI photos); one of each creator; or rows by their numbers
 * in the sheet, from 1, without the header.
 */
export type CanaryChoice = number | 'kinds' | 'creators' | { readonly rows: number[] };

/** Most rows of a canary that are chosen by number, and most creators with a row of their own. */
export const mostCanaryRows = 1000;

/** An accepted row that may belong to the canary. */
interface CanaryRow {
  /** Position in the campaign, from 0. */
  readonly position: number;
  /** Number in the sheet, from 1. */
  readonly number: number;
  /** Planned time; undefined for at once. Unix epoch, milliseconds. */
  readonly at: number | undefined;
}

/** The rows that a canary may consist of. */
export interface CanaryRows {
  /** The first accepted rows: at most `mostCanaryRows`. */
  readonly first: readonly CanaryRow[];
  /** By number in the sheet, of those that were asked for. */
  readonly numbered: ReadonlyMap<number, CanaryRow>;
  /** The row that is due first, by kind. */
  readonly kinds: ReadonlyMap<string, CanaryRow>;
  /** The row that is due first, by creator. */
  readonly creators: ReadonlyMap<string, CanaryRow>;
}

/** Collects them while a sheet is checked. Its memory is bounded. */
export class CanaryTally {
  readonly #wanted: ReadonlySet<number>;
  readonly #first: CanaryRow[] = [];
  readonly #numbered = new Map<number, CanaryRow>();
  readonly #kinds = new Map<string, CanaryRow>();
  readonly #creators = new Map<string, CanaryRow>();
  #position = 0;

  /** @param wanted numbers of rows that somebody has chosen. */
  constructor(wanted: readonly number[] = []) {
    this.#wanted = new Set(wanted);
  }

  /** Takes the accepted rows in their order. */
  add(number: number, { mediaType, generation, creator, schedule }: Row): void {
    const row = { position: this.#position, number, at: schedule?.at };
    this.#position += 1;
    if (this.#first.length < mostCanaryRows) this.#first.push(row);
    if (this.#wanted.has(number)) this.#numbered.set(number, row);
    keepSooner(this.#kinds, `${mediaType} ${generation === undefined ? '' : 'AI'}`, row);
    if (this.#creators.has(creator) || this.#creators.size < mostCanaryRows)
      keepSooner(this.#creators, creator, row);
  }

  finish(): CanaryRows {
    return {
      first: this.#first,
      numbered: this.#numbered,
      kinds: this.#kinds,
      creators: this.#creators,
    };
  }
}

/** A row without a time is posted at once. */
function keepSooner(rows: Map<string, CanaryRow>, of: string, row: CanaryRow): void {
  const known = rows.get(of);
  if (known === undefined || (row.at ?? 0) < (known.at ?? 0)) rows.set(of, row);
}

/** The rows of a canary that are known, and how many it has. */
function canaryOf(rows: CanaryRows, choice: CanaryChoice, accepted: number) {
  if (typeof choice === 'number')
    return { size: Math.min(choice, accepted), rows: rows.first.slice(0, choice) };
  const chosen = typeof choice === 'object' ? numbered(rows, choice.rows) : [...rows[choice].values()];
  // Of a large sheet, rows that were chosen after its check are not known.
  const isKnown = typeof choice !== 'object' || accepted <= rows.first.length;
  return { size: isKnown ? chosen.length : choice.rows.length, rows: chosen };
}

function numbered({ first, numbered }: CanaryRows, numbers: readonly number[]): readonly CanaryRow[] {
  const wanted = new Set(numbers);
  const among = first.filter(({ number }) => wanted.has(number));
  return [...new Map([...among, ...numbered.values()].map((row) => [row.position, row])).values()];
}

/** @returns positions of chosen rows in the campaign; undefined if they are the first ones, which go first anyway. */
export function canaryPositions(rows: CanaryRows, choice: CanaryChoice): readonly number[] | undefined {
  if (typeof choice === 'number') return undefined;
  return canaryOf(rows, choice, 0).rows.map(({ position }) => position);
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
  const canary = canaryOf(rows, choice, accepted);
  const { size } = canary;
  if (size === 0) return 'None of the rows chosen as canary can be posted.';
  if (size >= accepted) return 'The canary covers every post; nothing will wait.';
  const first = `The first ${size === 1 ? 'post' : plural(size, 'post')} of the sheet ${size === 1 ? 'goes' : 'go'} out first.`;
  const chosen = `${plural(size, 'post')} ${size === 1 ? 'goes' : 'go'} out first${typeof choice === 'number' ? '' : `: ${whose(choice)}`}.`;
  const ahead = canary.rows.filter(({ at = 0 }) => at > now + soonMs).length;
  const some = `${ahead.toLocaleString('en')} of them ${ahead === 1 ? 'is' : 'are'}`;
  const all = ahead === 1 ? 'It is' : 'All of them are';
  const many = ahead === size ? all : some;
  const poor =
    ahead === 0
      ? ''
      : ` ${many} planned for more than 7 days ahead: a poor canary, because only later will you see ${ahead === 1 ? 'it' : 'them'} published.`;
  return `${typeof choice === 'number' ? first : chosen} Then the campaign pauses until an operator releases the rest.${poor}`;
}

function whose(choice: Exclude<CanaryChoice, number>): string {
  if (choice === 'kinds') return 'one of each kind (video, photos, AI)';
  return choice === 'creators' ? 'one of each creator' : 'the chosen rows';
}

/** The canary as a few words: `the first 10`. */
export function nameCanary(choice: CanaryChoice): string {
  if (typeof choice === 'number')
    return choice === 1 ? 'the first' : `the first ${choice.toLocaleString('en')}`;
  if (choice === 'kinds') return 'one of each kind';
  if (choice === 'creators') return 'one of each creator';
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
  'It must be a number of rows, 1 or more; kinds; creators; or rows:3,17 (numbers without the header).';
