/** What the last check found, row by row: the state of each row, its problems and warnings, and these by group. */
import { turn } from '../../../manifest/event-loop.ts';
import type { PlacedProblem, ProblemGroup } from '../view.ts';
import type { DraftDatabase } from './database.ts';

/** `unchanged`: the campaign that the sheet updates leaves the row alone. */
export type RowMark = 'refused' | 'leftOut' | 'warned' | 'unchanged';

/** As the column `marks` has them. */
export const bits: Readonly<Record<RowMark, number>> = { refused: 1, leftOut: 2, warned: 4, unchanged: 8 };

const notPosted = bits.refused | bits.leftOut | bits.unchanged;

/** As the column `kind` has them. */
export const kinds = { problem: 0, warning: 1 } as const;
export type ProblemKind = keyof typeof kinds;

/** Problems of rows that are not kept in detail, because very many rows have some: by kind and group. */
export type Uncounted = Readonly<
  Record<ProblemKind, ReadonlyMap<string, { readonly problem: PlacedProblem; readonly count: number }>>
>;

interface StoredGroup {
  readonly in_group: string;
  /** JSON: an array. */
  readonly numbers: string;
  readonly different: number;
  /** Of its first row: JSON. */
  readonly problem: string;
  readonly place: number;
}

const groupsOfKind = `
  SELECT found.in_group, numbers, different, problem, min(place) AS place FROM (
    SELECT in_group, json_group_array(DISTINCT number ORDER BY number) AS numbers, min(number) AS first,
      count(DISTINCT value) AS different
    FROM problems WHERE kind = ?1 GROUP BY in_group
  ) AS found
  JOIN problems ON problems.kind = ?1 AND problems.number = first AND problems.in_group = found.in_group
  GROUP BY found.in_group ORDER BY first, place`;

/** Rows whose keys are compared in one piece. */
const scannedAtOnce = 20_000;

export class StoredFindings {
  readonly #database: DraftDatabase;
  #known:
    | { readonly version: string; readonly groups: Map<ProblemKind, readonly ProblemGroup[]> }
    | undefined;

  constructor(database: DraftDatabase) {
    this.#database = database;
  }

  /** Number of the last row that was checked. */
  get rows(): number {
    return this.#database.get<{ last: number | null }>('SELECT max(number) AS last FROM states')?.last ?? 0;
  }

  /** How many rows have the mark; `accepted`: those that can be posted. */
  count(mark: RowMark | 'accepted'): number {
    if (mark === 'accepted')
      return this.rows - this.count('refused') - this.count('leftOut') - this.count('unchanged');
    const sql = `SELECT count(*) AS rows FROM states WHERE marks & ${bits[mark]}`;
    return this.#database.get<{ rows: number }>(sql)?.rows ?? 0;
  }

  marksOf(number: number): ReadonlySet<RowMark> {
    const found = this.#database.get<{ marks: number }>('SELECT marks FROM states WHERE number = ?', number);
    const marks = Object.keys(bits) as RowMark[];
    return new Set(marks.filter((mark) => ((found?.marks ?? 0) & bits[mark]) !== 0));
  }

  /** Numbers of the rows with the mark, in order. @param from number of such rows to skip. @param most rows to return. */
  list(mark: RowMark | 'accepted', from: number, most: number): readonly number[] {
    const found = mark === 'accepted' ? `marks & ${notPosted} = 0` : `marks & ${bits[mark]}`;
    const sql = `SELECT number FROM states WHERE ${found} ORDER BY number LIMIT ? OFFSET ?`;
    return this.#database.all<{ number: number }>(sql, most, from).map(({ number }) => number);
  }

  /** The hash of the row's own key; 0 without one. */
  keyHash(number: number): number {
    return this.#database.get<{ key: number }>('SELECT key FROM states WHERE number = ?', number)?.key ?? 0;
  }

  /** Numbers of the rows whose keys have these hashes, in order; of a key that very many rows have, not all. */
  async withKeys(hashes: ReadonlySet<number>): Promise<readonly number[]> {
    const found: number[] = [];
    const sought = JSON.stringify([...hashes].filter((hash) => hash !== 0));
    const sql =
      'SELECT number FROM states WHERE number BETWEEN ? AND ? AND key IN (SELECT value FROM json_each(?)) LIMIT 1000';
    for (let from = 1; from <= this.rows; from += scannedAtOnce) {
      await turn.pause();
      const rows = this.#database.all<{ number: number }>(sql, from, from + scannedAtOnce - 1, sought);
      for (const { number } of rows) found.push(number);
    }
    return found;
  }

  /** Whether a row has a problem with the code. Its group may have another one first. */
  has(code: string): boolean {
    const sql = `SELECT 1 FROM problems WHERE kind = ${kinds.problem} AND problem ->> '$.code' = ? LIMIT 1`;
    return this.#database.get(sql, code) !== undefined;
  }

  get groupIds(): readonly string[] {
    return [...this.groups('problem'), ...this.groups('warning')].map(({ id }) => id);
  }

  /** Empty also if they are not kept, because very many rows have some. */
  problemsOf(number: number, kind: ProblemKind): readonly PlacedProblem[] {
    const sql = 'SELECT problem FROM problems WHERE number = ? AND kind = ? ORDER BY place';
    const found = this.#database.all<{ problem: string }>(sql, number, kinds[kind]);
    return found.map(({ problem }) => JSON.parse(problem) as PlacedProblem);
  }

  /** The largest groups first. */
  groups(kind: ProblemKind): readonly ProblemGroup[] {
    const { version } = this.#database;
    if (this.#known?.version !== version) this.#known = { version, groups: new Map() };
    const known = this.#known.groups.get(kind) ?? this.#group(kind);
    this.#known.groups.set(kind, known);
    return known;
  }

  find(id: string): { readonly kind: ProblemKind; readonly group: ProblemGroup } | undefined {
    for (const kind of ['problem', 'warning'] as const) {
      const group = this.groups(kind).find((each) => each.id === id);
      if (group !== undefined) return { kind, group };
    }
    return undefined;
  }

  #group(kind: ProblemKind): readonly ProblemGroup[] {
    const more = new Map(this.#database.fact<Uncounted>('uncounted')?.[kind] ?? []);
    const groups = this.#database.all<StoredGroup>(groupsOfKind, kinds[kind]).map((found): ProblemGroup => {
      const { in_group: id } = found;
      const numbers = JSON.parse(found.numbers) as readonly number[];
      const further = more.get(id)?.count ?? 0;
      more.delete(id);
      return {
        ...describe(JSON.parse(found.problem) as PlacedProblem),
        isSameValue: found.different === 1 && further === 0,
        values: found.different,
        count: numbers.length + further,
        numbers,
      };
    });
    for (const { problem, count } of more.values())
      groups.push({ ...describe(problem), isSameValue: false, values: count, count, numbers: [] });
    return groups.sort((one, other) => other.count - one.count);
  }
}

function describe({ group: id, meant: _meant, ...problem }: PlacedProblem) {
  return { id, ...problem };
}
