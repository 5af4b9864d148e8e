/**
 * Rows that lack what most rows have: a time, or their status or channel, without which they may not be ready, or not be meant for these
 * accounts. And words without `#` in a column of hashtags: they would be posted as they are.
 */
import { readBoolean } from '../../manifest/cells/scalars.ts';
import { isNoTime, lacksTime } from '../../manifest/cells/time-faults.ts';
import { type ColumnIndexes, type Header, meaningsOf } from '../../manifest/headers/header.ts';
import {
  isApprovedHeader,
  isChannelHeader,
  isPostedHeader,
  isRemarkHeader,
  isStatusHeader,
} from '../../manifest/headers/own-headers.ts';
import { detached } from '../../manifest/printable.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { Candidate } from './candidate.ts';
import type { RowEdits, UsualFacts } from './checked-row.ts';
import { foldState, isReleased } from './own-status.ts';

/** Fewer rows show nothing usual. */
const leastUsual = 4;
/** More columns of states and channels than a plan has: a hostile sheet may have a thousand. */
const mostColumns = 20;
/** More different texts than a status or channel has. */
const mostWords = 100;
const longestText = 200;

/** What a cell says: a channel may name several, as in `Shop + Reels`. */
interface Said {
  readonly text: string;
  /** The text, folded. */
  readonly word: string;
  /** Whether it is a status that lets its row go. */
  readonly isFree: boolean;
}

class OwnColumn {
  readonly position: number;
  readonly name: string;
  readonly #isChannel: boolean;
  readonly isNamed: boolean;
  readonly #isOfApprovals: boolean;
  /** By the texts of cells: few are different. */
  readonly #read = new Map<string, readonly Said[]>();
  /** Number of rows by word, with what says so first. */
  readonly #words = new Map<string, { readonly said: Said; rows: number }>();
  #rows = 0;
  /** `null` until it is asked for. */
  #usual: Said | undefined | null = null;

  /** @param isNamed whether its header tells that it is of states or channels. Else what most rows say must be a status. */
  constructor(position: number, name: string, { isChannel = false, isNamed = true, isOfApprovals = false }) {
    this.position = position;
    this.name = name;
    this.#isChannel = isChannel;
    this.isNamed = isNamed;
    this.#isOfApprovals = isOfApprovals;
  }

  count(cells: readonly string[]): void {
    if (!this.isNamed && this.#words.size === mostWords) return;
    const all = this.#saidIn(cells);
    if (all.length === 0) return;
    this.#usual = null;
    this.#rows += 1;
    for (const said of all) {
      const known = this.#words.get(said.word);
      if (known !== undefined) known.rows += 1;
      else if (this.#words.size < mostWords) this.#words.set(said.word, { said, rows: 1 });
    }
  }

  /** `null` if most rows say different things. */
  get usual(): string | null {
    if (this.#usual === null) this.#usual = this.#findUsual();
    return this.#usual?.text ?? null;
  }

  set usual(text: string | null) {
    this.#usual = text === null ? undefined : { text, word: foldState(text).trim(), isFree: false };
  }

  find(cells: readonly string[]): CellProblem | undefined {
    const all = this.#saidIn(cells);
    if (this.#usual === null) this.#usual = this.#findUsual();
    const usual = this.#usual;
    if (all.length === 0 || usual === undefined) return undefined;
    if (all.some(({ word, isFree }) => isFree || word === usual.word)) return undefined;
    const [column, value] = [showValue(this.name), showValue((cells[this.position] ?? '').trim())];
    return {
      column,
      code: 'row_differs',
      value,
      problem: `${column} says "${value}", but most rows say "${showValue(usual.text)}"`,
      fix: 'Skip the row, or change what it says.',
      meant: usual.text,
    };
  }

  #saidIn(cells: readonly string[]): readonly Said[] {
    const cell = (cells[this.position] ?? '').slice(0, longestText);
    const known = this.#read.get(cell);
    if (known !== undefined) return known;
    const text = detached(cell);
    const parts = text
      .split(this.#isChannel ? /[+/,;&|]/ : '\n')
      .map((each) => ({ text: each.trim(), word: foldState(each).trim() }))
      .filter(({ word }) => word !== '')
      .map((each) => ({ ...each, isFree: !this.#isChannel && this.#isFree(each) }));
    // `Reels + reels` is one row that says so.
    const said = [...new Map(parts.map((each) => [each.word, each])).values()];
    if (this.#read.size < mostWords) this.#read.set(text, said);
    return said;
  }

  #isFree({ text, word }: Pick<Said, 'text' | 'word'>): boolean {
    return isReleased(word) || (this.#isOfApprovals && readBoolean(text) === true);
  }

  /** What more than half of the rows say. All statuses that let rows go are one. */
  #findUsual(): Said | undefined {
    const words = [...this.#words.values()].sort((one, other) => other.rows - one.rows);
    const free = words.filter(({ said }) => said.isFree);
    const ready = free.reduce((sum, { rows }) => sum + rows, 0);
    const [most] = words;
    const [usual, rows] = ready > (most?.rows ?? 0) ? [free[0], ready] : [most, most?.rows ?? 0];
    const isUsual = rows >= leastUsual && 2 * rows > this.#rows && (this.isNamed || usual?.said.isFree);
    return isUsual ? usual?.said : undefined;
  }
}

/** A column that is appended to the caption. */
class TagColumn {
  readonly position: number;
  readonly name: string;
  #tags = 0;
  #filled = 0;
  #known: string | null | undefined;

  constructor(position: number, name: string) {
    this.position = position;
    this.name = name;
  }

  count(cells: readonly string[]): void {
    const text = this.#textOf(cells);
    if (text !== '') this.#filled += 1;
    if (/^[#＃]/.test(text)) this.#tags += 1;
  }

  /** `#` if most rows have hashtags. */
  get usual(): string | null {
    if (this.#known !== undefined) return this.#known;
    return this.#tags >= leastUsual && 10 * this.#tags >= 8 * this.#filled ? '#' : null;
  }

  set usual(known: string | null) {
    this.#known = known;
  }

  find(cells: readonly string[]): CellProblem | undefined {
    const text = this.#textOf(cells);
    if (text === '' || /^[#＃]|@|:\/\//.test(text)) return undefined;
    if (this.usual === null) return undefined;
    const meant = isNoTime(text) ? undefined : asHashtags(text);
    return {
      column: showValue(this.name),
      code: 'no_hashtags',
      value: showValue(text),
      problem: 'other rows have hashtags here, but this text has no #, and would be posted as it is',
      fix: meant === undefined ? 'Write hashtags, or clear the cell.' : `If you mean ${meant}, write that.`,
      ...(meant === undefined ? {} : { meant }),
    };
  }

  #textOf(cells: readonly string[]): string {
    return (cells[this.position] ?? '').slice(0, longestText).trim();
  }
}

/** `lumina, adv` as `#lumina #adv`; undefined for a text that is no list of words. */
function asHashtags(text: string): string | undefined {
  const words = text
    .split(/[,;|·•、，]|\s[-–/]\s/)
    .map((word) => word.trim().replace(/^[#＃]/, ''))
    .filter(Boolean);
  const isList = words.length > 0 && words.every((word) => /^[\p{L}\p{M}\p{N}_]+$/u.test(word));
  return isList && /\p{L}/u.test(text) ? words.map((word) => `#${word}`).join(' ') : undefined;
}

export class UsualWords {
  readonly #columns: readonly (OwnColumn | TagColumn)[];
  readonly #isKnown: boolean;

  /** @param known `words`, where all rows of the sheet were judged before. */
  constructor(header: Header, known?: UsualFacts['words']) {
    const meant = meaningsOf(header);
    this.#isKnown = known !== undefined;
    const columns = header.names.flatMap((name, position): readonly (OwnColumn | TagColumn)[] => {
      if (header.moreCaption.includes(position)) return [new TagColumn(position, name)];
      const isOther = meant.has(position) || header.results.includes(position) || isRemarkHeader(name);
      if (isOther || isPostedHeader(name)) return [];
      const [isChannel, isOfApprovals] = [isChannelHeader(name), isApprovedHeader(name)];
      const isNamed = isChannel || isOfApprovals || isStatusHeader(name);
      return [new OwnColumn(position, name, { isChannel, isNamed, isOfApprovals })];
    });
    const [unnamed, named] = [false, true].map((is) =>
      columns.filter((each) => (each instanceof TagColumn || each.isNamed) === is),
    );
    this.#columns = [...(named ?? []), ...(unnamed ?? [])].slice(0, mostColumns);
    known?.forEach((text, at) => {
      const column = this.#columns[at];
      if (column !== undefined) column.usual = text;
    });
  }

  /** What most rows so far say, by column. */
  get words(): UsualFacts['words'] {
    return this.#columns.map(({ usual }) => usual);
  }

  count(cells: readonly string[]): void {
    if (this.#isKnown) return;
    for (const column of this.#columns) column.count(cells);
  }

  /** @param edits what a person typed is meant. */
  find({ number, cells, problems }: Candidate, edits: RowEdits | undefined): CellProblem | undefined {
    if (problems.some(({ code }) => code === 'own_status')) return undefined;
    for (const column of this.#columns) {
      if (edits?.isTyped(number, column.position)) continue;
      const found = column.find(cells);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Fewer rows with a time prove nothing. */
const leastTimes = 4;

/** Rows without a time where nearly all others have one: they would be posted at once. */
export class LackingTimes {
  readonly #positions: readonly number[];
  readonly #known: boolean | undefined;
  #with = 0;
  #without = 0;

  /** @param known `isUsual`, where all rows of the sheet were judged before. */
  constructor({ scheduled_at, scheduled_time }: ColumnIndexes, known: boolean | undefined) {
    this.#positions = [scheduled_at, scheduled_time].filter((position) => position >= 0);
    this.#known = known;
  }

  /** Whether nearly all rows so far have a time. */
  get isUsual(): boolean {
    return this.#known ?? (this.#with >= leastTimes && this.#with >= 4 * (this.#without - 1));
  }

  count(cells: readonly string[]): void {
    if (this.#hasTime(cells)) this.#with += 1;
    else this.#without += 1;
  }

  find(cells: readonly string[]): CellProblem | undefined {
    if (this.#positions.length === 0 || this.#hasTime(cells)) return undefined;
    if (!this.isUsual) return undefined;
    return {
      column: 'scheduled_at',
      code: 'time_lacking',
      value: '',
      problem: lacksTime,
      fix: 'Fill in the time. Without one, the post is sent as soon as it is ready.',
    };
  }

  #hasTime(cells: readonly string[]): boolean {
    return this.#positions.some((position) => (cells[position] ?? '').trim() !== '');
  }
}
