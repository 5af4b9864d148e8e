/** Maps rows of a sheet to rows of its campaign. A later reading of the file could only guess that from the keys. */
import { z } from 'zod';
import { plainFix } from '../manifest/problems/hint.ts';
import type { Problem, RowPlace } from '../manifest/problems/problem.ts';
import { asSentence, plural, sentence } from '../manifest/wording.ts';

/** By worksheet (`''` for the only one), runs of lines that are consecutive rows: first line, row of the campaign, length, ... */
export const placeRuns = z.array(z.tuple([z.string(), z.array(z.int())]));
export type PlaceRuns = z.infer<typeof placeRuns>;

/** Why a row with problems was skipped, as sentences; of one that is in no campaign, also `new`, and codes of those that may end. */
type RefusedPlace = readonly [place: string, why: string, ...codes: string[]];

/** Problems that may end although its cells stay. */
const mayEnd = /^(?:creator|media|file|row)_|^(?:own_status|remark_holds|duplicate_key)$/;

/** Packs line and row into one number: a million take 8 MB, and are sorted at once. */
const mostRows = 2 ** 24;

/** Refused rows whose problems are remembered for people, and problems of each. */
const [mostRefused, mostProblems] = [10_000, 5];

const repeats: ReadonlySet<string> = new Set(['already_posted', 'post_repeats']);

/** Collects the places of rows while a sheet is imported. */
export class SheetPlaces {
  readonly #numbers = new Map<string, number[]>();
  readonly #skipped: (readonly [place: RowPlace, row: number | undefined])[] = [];
  readonly #refused: RefusedPlace[] = [];

  /** Adds a row of the campaign, in any order. */
  add({ line, worksheet = '' }: RowPlace, row: number): void {
    const numbers = this.#numbers.get(worksheet) ?? [];
    if (numbers.push(line * mostRows + row) === 1) this.#numbers.set(worksheet, numbers);
  }

  /** Adds a skipped row. @param row of the campaign that it is, unless another line of the sheet is added as that row. */
  skip(place: RowPlace, row?: number): void {
    this.#skipped.push([place, row]);
  }

  /** A new row that was refused as a repeat only counts as skipped: the row that it repeats may be edited, and would no longer be the same post. */
  refuse(place: RowPlace, problems: readonly Problem[], isNew = true): void {
    if (isNew && problems.every(({ code }) => repeats.has(code))) this.skip(place);
    const why = this.#refused.length < mostRefused ? describeProblems(problems) : 'This row had problems.';
    const codes = new Set(problems.map(({ code }) => code));
    // A copy of a row has its key, but is another row.
    const isOther = isNew || codes.has('duplicate_key');
    const kept = [...codes].filter((code) => mayEnd.test(code));
    this.#refused.push([placeName(place), why, ...(isOther ? ['new', ...kept] : [])]);
  }

  /** Everything added. Read it at the end. */
  get all(): {
    readonly rows: PlaceRuns;
    readonly skipped: readonly string[];
    readonly refused: readonly RefusedPlace[];
  } {
    const open = new Map(this.#skipped.map(([place, row]) => [row, place]));
    for (const numbers of this.#numbers.values())
      for (const number of numbers) open.delete(number % mostRows);
    for (const [row, place] of open) if (row !== undefined) this.add(place, row);
    return {
      rows: [...this.#numbers].map(([worksheet, numbers]) => [worksheet, runsOf(Float64Array.from(numbers))]),
      skipped: this.#skipped.map(([place]) => placeName(place)),
      refused: this.#refused,
    };
  }
}

function describeProblems(problems: readonly Problem[]): string {
  const more = problems.length - mostProblems;
  const named = problems.slice(0, mostProblems).map(({ column, problem, fix }) => {
    const isNamed = column !== null && problem.startsWith(column);
    const text =
      column === null ? asSentence(problem) : sentence(isNamed ? problem : `${column}: ${problem}`);
    return `${text} ${plainFix(fix)}`.trim();
  });
  return [...named, ...(more > 0 ? [`${plural(more, 'more problem')}.`] : [])].join(' ');
}

export function placeName({ line, worksheet = '' }: RowPlace): string {
  return `${line} ${worksheet}`;
}

function runsOf(numbers: Float64Array): number[] {
  const runs: { line: number; row: number; count: number }[] = [];
  for (const number of numbers.sort()) {
    const [line, row, last] = [Math.floor(number / mostRows), number % mostRows, runs.at(-1)];
    if (last && line - last.line === last.count && row - last.row === last.count) last.count += 1;
    else runs.push({ line, row, count: 1 });
  }
  return runs.flatMap(({ line, row, count }) => [line, row, count]);
}

/** Finds rows of a campaign by their places in a kept sheet. */
export class PlacedRows {
  readonly #runs: ReadonlyMap<string, readonly number[]>;

  constructor(runs: PlaceRuns) {
    this.#runs = new Map(runs);
  }

  at({ line, worksheet = '' }: RowPlace): number | undefined {
    const runs = this.#runs.get(worksheet) ?? [];
    let [low, high] = [0, runs.length / 3];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle * 3] ?? 0) <= line) low = middle + 1;
      else high = middle;
    }
    const [first = 0, row = 0, count = 0] = runs.slice(low * 3 - 3, low * 3);
    return line - first < count ? row + line - first : undefined;
  }

  /** Which of the campaign's `rows` rows the sheet lacks. */
  absent(rows: number): readonly number[] {
    const present = new Uint8Array(rows);
    for (const runs of this.#runs.values())
      for (let at = 0; at < runs.length; at += 3) {
        const [, row = 0, count = 0] = runs.slice(at, at + 3);
        present.fill(1, row, row + count);
      }
    return [...present.keys()].filter((row) => present[row] === 0);
  }
}
