/** Writes what a check finds, in place of what an earlier one has found. Rows that it finds as before are not written. */
import { createHash } from 'node:crypto';
import { type HashWords, hashText } from '../../../importers/check/text-hashes.ts';
import { isOpenTime, noTime, yearMissing } from '../../../manifest/cells/time-faults.ts';
import { turn } from '../../../manifest/event-loop.ts';
import type { CellProblem } from '../../../manifest/problems/problem.ts';
import type { PlacedProblem } from '../view.ts';
import type { DraftDatabase } from './database.ts';
import { bits, kinds, type ProblemKind, type RowMark, type Uncounted } from './findings.ts';

/** Rows kept in detail, and how many characters their problems take. */
const mostRows = 20_000;
const mostCharacters = 24_000_000;
/** Names with a group of their own. A sheet may have a different name in each of a million rows: the rest share one group. */
const mostNames = 2000;
const rowsAtOnce = 200;

interface Found {
  key: number;
  marks: number;
  readonly problem: PlacedProblem[];
  readonly warning: PlacedProblem[];
}

interface StoredState {
  readonly number: number;
  readonly key: number;
  readonly marks: number;
}

export class FindingsWriter {
  readonly #database: DraftDatabase;
  readonly #positionOf: (column: string) => number;
  /** Groups with a name of their own. */
  readonly #groups: Set<string>;
  /** Rows that are not stored yet, by number. */
  readonly #open = new Map<number, Found>();
  readonly #uncounted = { problem: new Map<string, Counted>(), warning: new Map<string, Counted>() };
  #detailed: { rows: number; characters: number };

  /**
   * @param positionOf position of the column that a problem names; -1 if the sheet does not have it.
   * @param groups ids of the groups that there are.
   */
  constructor(
    database: DraftDatabase,
    positionOf: (column: string) => number,
    groups: Iterable<string> = [],
  ) {
    this.#database = database;
    this.#positionOf = positionOf;
    this.#groups = new Set(groups);
    const sql = 'SELECT count(DISTINCT number) AS rows, total(length(problem)) AS characters FROM problems';
    this.#detailed = { ...(database.get<{ rows: number; characters: number }>(sql) ?? none) };
  }

  /** Begins a row, as accepted. @param key its own key; undefined if it has none. */
  begin(number: number, key: string | undefined): void {
    this.#open.set(number, { key: hashOfKey(key), marks: 0, problem: [], warning: [] });
  }

  mark(number: number, mark: RowMark): void {
    this.#of(number).marks |= bits[mark];
  }

  refuse(number: number, problems: readonly CellProblem[]): void {
    this.mark(number, 'refused');
    this.#of(number).problem.push(...problems.map((problem) => this.#place(problem)));
  }

  warn(number: number, warnings: readonly CellProblem[]): void {
    if (warnings.length === 0) return;
    this.mark(number, 'warned');
    this.#of(number).warning.push(...warnings.map((warning) => this.#place(warning)));
  }

  /** Keeps warnings of an earlier check. */
  keep(number: number, warnings: readonly PlacedProblem[]): void {
    if (warnings.length === 0) return;
    this.mark(number, 'warned');
    this.#of(number).warning.push(...warnings);
  }

  /** Stores what was found in the rows so far, some at a time. */
  async flush(): Promise<void> {
    const rows = [...this.#open];
    this.#open.clear();
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      await turn.pause();
      await this.#database.write(() => this.#store(rows.slice(start, start + rowsAtOnce)));
    }
  }

  /** Ends a check of the whole sheet. Only within `DraftDatabase.write`. @param rows of the sheet: no others stay. */
  end(rows: number): void {
    this.#database.run('DELETE FROM states WHERE number > ?', rows);
    this.#database.run('DELETE FROM problems WHERE number > ?', rows);
    this.#database.setFact('uncounted', this.#uncounted satisfies Uncounted);
  }

  #store(rows: readonly (readonly [number, Found])[]): void {
    const numbers = rows.map(([number]) => number);
    const stored = this.#database.all<StoredState>(
      'SELECT number, key, marks FROM states WHERE number BETWEEN ? AND ?',
      Math.min(...numbers),
      Math.max(...numbers),
    );
    const states = new Map(stored.map((state) => [state.number, state]));
    const described = bits.refused | bits.warned;
    for (const [number, found] of rows) {
      const before = states.get(number);
      if (((before?.marks ?? 0) & described) !== 0) this.#forget(number);
      if (before?.marks !== found.marks || before.key !== found.key)
        this.#database.run('INSERT OR REPLACE INTO states VALUES (?, ?, ?)', number, found.key, found.marks);
      this.#describe(number, found);
    }
  }

  #forget(number: number): void {
    const sql = 'SELECT total(length(problem)) AS characters FROM problems WHERE number = ?';
    const { characters = 0 } = this.#database.get<{ characters: number }>(sql, number) ?? {};
    if (characters === 0) return;
    this.#detailed.rows -= 1;
    this.#detailed.characters -= characters;
    this.#database.run('DELETE FROM problems WHERE number = ?', number);
  }

  #describe(number: number, found: Found): void {
    if (found.problem.length + found.warning.length === 0) return;
    const isKept = this.#detailed.rows < mostRows && this.#detailed.characters < mostCharacters;
    if (isKept) this.#detailed.rows += 1;
    for (const kind of ['problem', 'warning'] as const) {
      for (const [place, problem] of found[kind].entries()) {
        if (isKept) this.#keep(number, kind, place, problem);
        else this.#count(kind, problem);
      }
    }
  }

  #keep(number: number, kind: ProblemKind, place: number, problem: PlacedProblem): void {
    const json = JSON.stringify(problem);
    this.#detailed.characters += json.length;
    const { group, value } = problem;
    const sql = 'INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?)';
    this.#database.run(sql, number, kinds[kind], place, group, value, json);
  }

  #count(kind: ProblemKind, problem: PlacedProblem): void {
    const counted = this.#uncounted[kind].get(problem.group);
    if (counted === undefined) this.#uncounted[kind].set(problem.group, { problem, count: 1 });
    else counted.count += 1;
  }

  /** What was found in a row. One that is stored already is read: its warning comes late. */
  #of(number: number): Found {
    const open = this.#open.get(number);
    if (open !== undefined) return open;
    const state = this.#database.get<StoredState>('SELECT * FROM states WHERE number = ?', number);
    const sql = 'SELECT kind, problem FROM problems WHERE number = ? ORDER BY place';
    const stored = this.#database.all<{ kind: number; problem: string }>(sql, number);
    const of = (kind: ProblemKind) =>
      stored
        .filter((each) => each.kind === kinds[kind])
        .map(({ problem }) => JSON.parse(problem) as PlacedProblem);
    const { key = 0, marks = 0 } = state ?? {};
    const found = { key, marks, problem: of('problem'), warning: of('warning') };
    this.#open.set(number, found);
    return found;
  }

  #place({ column, code, value, problem, fix, meant }: CellProblem): PlacedProblem {
    const position = column === null ? -1 : this.#positionOf(column);
    const group = this.#groupOf({ column, code, value, problem });
    return { column, code, value, problem, fix, meant, position, group };
  }

  #groupOf({ column, ...found }: Pick<CellProblem, 'code' | 'column' | 'value' | 'problem'>): string {
    // Of date, of time of day, or of neither: they are all held in the same way.
    if (isOpenTime(found.problem)) return digestOf('open time');
    const ofColumn = [found.code, column ?? ''].join('\0');
    const own = digestOf([ofColumn, kindOf(found)].join('\0'));
    if (!this.#groups.has(own) && this.#groups.size >= mostNames) return digestOf(`${ofColumn}\0`);
    this.#groups.add(own);
    return own;
  }
}

interface Counted {
  readonly problem: PlacedProblem;
  count: number;
}

const none = { rows: 0, characters: 0 };

function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12);
}

/** Problems are grouped whatever their value, unless they need fixes of their own: each creator at fault, a missing year, a row without media. */
function kindOf({ code, value, problem }: Pick<CellProblem, 'code' | 'value' | 'problem'>): string {
  if (code.startsWith('creator_') && code !== 'creator_unknown') return value;
  if (problem === yearMissing || problem === noTime) return problem;
  return code === 'media_missing' && value === '' ? 'none' : '';
}

const words: HashWords = new Uint32Array(2);

/** @returns 52 bits; 0 for a row without a key of its own. */
export function hashOfKey(key: string | undefined): number {
  if (key === undefined) return 0;
  hashText(words, key);
  return ((words[0] ?? 0) >>> 1) * 2 ** 21 + ((words[1] ?? 0) >>> 11) || 1;
}
