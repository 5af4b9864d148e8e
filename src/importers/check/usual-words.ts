/** Rows whose own status or channel says something else than most rows: they may not be ready, or not be meant for these accounts. */
import { type Header, meaningsOf } from '../../manifest/headers/header.ts';
import {
  isApprovedHeader,
  isChannelHeader,
  isPostedHeader,
  isStatusHeader,
} from '../../manifest/headers/own-headers.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { Candidate } from './candidate.ts';
import type { RowEdits } from './checked-row.ts';
import { foldState, isReleased } from './own-status.ts';

/** Fewer rows show nothing usual. */
const leastUsual = 4;
/** More different texts than a status or channel has. */
const mostWords = 100;

interface OwnColumn {
  readonly position: number;
  readonly name: string;
  readonly isChannel: boolean;
  /** Number of rows and first text of each word, folded. */
  readonly words: Map<string, { readonly text: string; rows: number }>;
  rows: number;
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
      return isOwn ? [{ position, name, isChannel, words: new Map(), rows: 0 }] : [];
    });
  }

  count(cells: readonly string[]): void {
    for (const column of this.#columns) {
      const said = wordsOf(column, cells);
      if (said.length === 0) continue;
      column.rows += 1;
      for (const { word, text } of said) {
        const known = column.words.get(word);
        if (known !== undefined) known.rows += 1;
        else if (column.words.size < mostWords) column.words.set(word, { text, rows: 1 });
      }
    }
  }

  /** @param edits what a person typed is meant. */
  find({ number, cells, problems }: Candidate, edits: RowEdits | undefined): CellProblem | undefined {
    if (problems.some(({ code }) => code === 'own_status')) return undefined;
    for (const column of this.#columns) {
      if (edits?.isTyped(number, column.position)) continue;
      const found = this.#known === undefined ? this.#differs(column, cells) : this.#known(number);
      if (found?.column === showValue(column.name)) return found;
    }
    return undefined;
  }

  #differs(column: OwnColumn, cells: readonly string[]): CellProblem | undefined {
    const said = wordsOf(column, cells);
    const usual = said.length === 0 ? undefined : usualOf(column);
    const isUsual = said.some(({ word }) => word === usual?.word || (!column.isChannel && isReleased(word)));
    return usual === undefined || isUsual ? undefined : differs(column, cells, usual.text);
  }
}

/** A channel may name several: `Shop + Reels`. */
function wordsOf({ position, isChannel }: OwnColumn, cells: readonly string[]) {
  const texts = (cells[position] ?? '').slice(0, 200).split(isChannel ? /[+/,;&|]/ : '\n');
  const said = texts.map((text) => ({ text: text.trim(), word: foldState(text).trim() }));
  return said.filter(({ word }) => word !== '');
}

function usualOf({ words, rows, isChannel }: OwnColumn) {
  const byWord = [...words].map(([word, { text, rows: own }]) => ({ word, text, rows: own }));
  const [usual] = byWord.sort((one, other) => other.rows - one.rows);
  const released = byWord.filter(({ word }) => !isChannel && isReleased(word));
  const ready = released.reduce((sum, each) => sum + each.rows, 0);
  const best = ready > (usual?.rows ?? 0) ? released[0] : usual;
  const most = Math.max(ready, usual?.rows ?? 0);
  return best !== undefined && most >= leastUsual && 2 * most > rows ? best : undefined;
}

function differs({ name, position }: OwnColumn, cells: readonly string[], usual: string): CellProblem {
  const value = showValue((cells[position] ?? '').trim());
  return {
    column: showValue(name),
    code: 'row_differs',
    value,
    problem: `${showValue(name)} says "${value}", but most rows say "${showValue(usual)}"`,
    fix: 'Skip the row, or change what it says.',
    meant: usual,
  };
}
