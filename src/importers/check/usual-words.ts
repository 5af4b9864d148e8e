/** Rows whose own status or channel says something else than most rows: they may not be ready, or not be meant for these accounts. */
import { type Header, meaningsOf } from '../../manifest/headers/header.ts';
import {
  isApprovedHeader,
  isChannelHeader,
  isPostedHeader,
  isStatusHeader,
} from '../../manifest/headers/own-headers.ts';
import { detached } from '../../manifest/printable.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { Candidate } from './candidate.ts';
import type { RowEdits } from './checked-row.ts';
import { foldState, isReleased } from './own-status.ts';

/** Fewer rows show nothing usual. */
const leastUsual = 4;
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
  /** By the texts of cells: few are different. */
  readonly #read = new Map<string, readonly Said[]>();
  /** Number of rows by word, with what says so first. */
  readonly #words = new Map<string, { readonly said: Said; rows: number }>();
  #rows = 0;
  /** `null` until it is asked for. */
  #usual: Said | undefined | null = null;

  constructor(position: number, name: string, isChannel: boolean) {
    this.position = position;
    this.name = name;
    this.#isChannel = isChannel;
  }

  count(cells: readonly string[]): void {
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
    const said = text
      .split(this.#isChannel ? /[+/,;&|]/ : '\n')
      .map((each) => ({ text: each.trim(), word: foldState(each).trim() }))
      .filter(({ word }) => word !== '')
      .map((each) => ({ ...each, isFree: !this.#isChannel && isReleased(each.word) }));
    if (this.#read.size < mostWords) this.#read.set(text, said);
    return said;
  }

  /** What more than half of the rows say. All statuses that let rows go are one. */
  #findUsual(): Said | undefined {
    const words = [...this.#words.values()].sort((one, other) => other.rows - one.rows);
    const free = words.filter(({ said }) => said.isFree);
    const ready = free.reduce((sum, { rows }) => sum + rows, 0);
    const [most] = words;
    const [usual, rows] = ready > (most?.rows ?? 0) ? [free[0], ready] : [most, most?.rows ?? 0];
    return rows >= leastUsual && 2 * rows > this.#rows ? usual?.said : undefined;
  }
}

export class UsualWords {
  readonly #columns: readonly OwnColumn[];
  readonly #known: ((number: number) => CellProblem | undefined) | undefined;

  /** @param known the problem that a row had where all rows of the sheet were judged before. */
  constructor(header: Header, known?: (number: number) => CellProblem | undefined) {
    const meant = meaningsOf(header);
    this.#known = known;
    this.#columns = header.names.flatMap((name, position): readonly OwnColumn[] => {
      const isChannel = isChannelHeader(name);
      const isStatus = isStatusHeader(name) && !isPostedHeader(name) && !isApprovedHeader(name);
      const isOwn = (isChannel || isStatus) && !meant.has(position) && !header.results.includes(position);
      return isOwn ? [new OwnColumn(position, name, isChannel)] : [];
    });
  }

  count(cells: readonly string[]): void {
    for (const column of this.#columns) column.count(cells);
  }

  /** @param edits what a person typed is meant. */
  find({ number, cells, problems }: Candidate, edits: RowEdits | undefined): CellProblem | undefined {
    if (problems.some(({ code }) => code === 'own_status')) return undefined;
    for (const column of this.#columns) {
      if (edits?.isTyped(number, column.position)) continue;
      const found = this.#known === undefined ? column.find(cells) : this.#known(number);
      if (found?.column === showValue(column.name)) return found;
    }
    return undefined;
  }
}
