/**
 * Problems by row and by group. Memory is bounded: only the first rows with problems are kept in detail, the rest are counted.
 */
import { createHash } from 'node:crypto';
import { noTime, yearMissing } from '../../manifest/cells/time.ts';
import { detached } from '../../manifest/detached.ts';
import type { Cure } from '../../manifest/problems/hint.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import type { PlacedProblem, ProblemGroup } from '../view.ts';

/** Rows kept in detail, and about how much memory they take. */
const mostRows = 20_000;
const mostBytes = 12_000_000;
/** Of a problem without its texts. */
const bytesOfProblem = 130;
/** Names with a group of their own. A sheet may have a different name in each of a million rows: the rest share one group. */
const mostNames = 2000;

interface Beyond {
  readonly problem: PlacedProblem;
  count: number;
}

export class ProblemDetails {
  readonly #positionOf: (column: string) => number;
  readonly #rows = new Map<number, readonly PlacedProblem[]>();
  /** Groups of the rows that are not kept. */
  readonly #beyond = new Map<string, Beyond>();
  readonly #ids = new Map<string, string>();
  #groups: readonly ProblemGroup[] | undefined;
  /** The last problem of each group. Most of its texts return in the next one. */
  readonly #last = new Map<string, PlacedProblem>();
  #bytes = 0;

  /** @param positionOf position of the column that a problem names; -1 if the sheet does not have it. */
  constructor(positionOf: (column: string) => number) {
    this.#positionOf = positionOf;
  }

  /** Memory that the details take, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined if the row has no problems, or they are not kept. */
  of(number: number): readonly PlacedProblem[] | undefined {
    return this.#rows.get(number);
  }

  add(number: number, problems: readonly CellProblem[]): void {
    this.#groups = undefined;
    const placed = problems.map((problem) => this.#place(problem));
    const kept = this.#rows.get(number);
    if (kept !== undefined || (this.#rows.size < mostRows && this.#bytes < mostBytes)) {
      this.#rows.set(number, [...(kept ?? []), ...placed]);
      this.#bytes += bytesOf(placed);
      return;
    }
    for (const problem of placed) {
      const beyond = this.#beyond.get(problem.group);
      if (beyond === undefined) this.#beyond.set(problem.group, { problem, count: 1 });
      else beyond.count += 1;
    }
  }

  remove(number: number): void {
    this.#bytes -= bytesOf(this.#rows.get(number) ?? []);
    if (this.#rows.delete(number)) this.#groups = undefined;
  }

  /** The largest groups first. */
  get groups(): readonly ProblemGroup[] {
    this.#groups ??= this.#group();
    return this.#groups;
  }

  #group(): readonly ProblemGroup[] {
    const numbers = new Map<string, number[]>();
    const first = new Map<string, PlacedProblem>();
    const differ = new Set<string>();
    for (const number of [...this.#rows.keys()].sort((one, other) => one - other)) {
      for (const problem of this.#rows.get(number) ?? []) {
        const { group } = problem;
        const known = first.get(group);
        if (known === undefined) {
          first.set(group, problem);
          numbers.set(group, [number]);
          continue;
        }
        if (known.value !== problem.value) differ.add(group);
        const of = numbers.get(group);
        if (of?.at(-1) !== number) of?.push(number);
      }
    }
    for (const [group, { problem }] of this.#beyond) {
      if (!first.has(group)) first.set(group, problem);
      differ.add(group);
    }
    return [...first]
      .map(([id, { group: _group, meant: _meant, ...problem }]) => {
        const of = numbers.get(id) ?? [];
        const count = of.length + (this.#beyond.get(id)?.count ?? 0);
        return { id, ...problem, isSameValue: !differ.has(id), count, numbers: of };
      })
      .sort((one, other) => other.count - one.count);
  }

  #place({ column, code, value, problem, cure, meant }: CellProblem): PlacedProblem {
    const group = this.#idOf(code, column, kindOf({ code, value, problem }));
    const last = this.#last.get(group);
    const placed: PlacedProblem = {
      column: column === null ? null : shared(column, last?.column),
      code,
      value: shared(value, last?.value),
      problem: shared(problem, last?.problem),
      cure: sharedCure(cure, last?.cure),
      ...(meant === undefined ? {} : { meant: shared(meant, last?.meant) }),
      position: column === null ? -1 : this.#positionOf(column),
      group,
    };
    this.#last.set(group, placed);
    return placed;
  }

  #idOf(code: string, column: string | null, kind: string): string {
    const ofColumn = [code, column ?? ''].join('\0');
    const name = [ofColumn, kind].join('\0');
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const shared = this.#ids.size < mostNames ? name : `${ofColumn}\0`;
    const id = createHash('sha256').update(shared).digest('hex').slice(0, 12);
    if (this.#ids.size < mostNames) this.#ids.set(name, id);
    return id;
  }
}

/** Problems are grouped whatever their value, unless they need cures of their own: each wrong name, a missing year, a row without media. */
function kindOf({ code, value, problem }: Pick<CellProblem, 'code' | 'value' | 'problem'>): string {
  if (code.startsWith('creator_')) return value;
  if (problem === yearMissing || problem === noTime) return problem;
  return code === 'media_missing' && value === '' ? 'none' : '';
}

/** A text that keeps no other in memory. @param known a text that is in memory already. */
function shared(text: string, known: string | null | undefined): string {
  return text === known ? known : detached(text);
}

function sharedCure(cure: Cure, known: Cure = ''): Cure {
  const hints = JSON.stringify(cure);
  return hints === JSON.stringify(known) ? known : JSON.parse(hints);
}

function bytesOf(problems: readonly PlacedProblem[]): number {
  let bytes = 0;
  for (const { value, problem, meant = '' } of problems)
    bytes += bytesOfProblem + value.length + problem.length + meant.length;
  return bytes;
}
