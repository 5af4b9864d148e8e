/** Problems of one kind and column as one line, with the rows that have it: others are not pushed out of sight. */
import type { Problem } from '../../manifest/problems/problem.ts';
import { plural, sentence } from '../../runtime/wording.ts';
import { cureHere } from '../hints.ts';

const namesShown = 3;

/** Cells of a line: lines of the file, keys, column, values, and what is wrong. */
export type ProblemLine = readonly [lines: string, keys: string, column: string, value: string, text: string];

/**
 * Groups problems in the order of the first of each kind.
 * @param isComplete whether these are all problems: else there may be more rows of each kind.
 */
export function problemLines(problems: readonly Problem[], isComplete = true): readonly ProblemLine[] {
  const groups = Map.groupBy(problems, ({ code, column }) =>
    // Each unknown header is a column of its own.
    code === 'unknown_column' ? code : `${code}\0${column ?? ''}`,
  );
  return [...groups.values()].map((group) => describeGroup(group, isComplete));
}

function describeGroup(group: readonly Problem[], isComplete: boolean): ProblemLine {
  const [first, ...others] = group;
  if (first === undefined) throw new RangeError('a group has a problem');
  const text = `${sentence(first.problem)} ${cureHere(first.cure)}`;
  const { line, key, column, value, code } = first;
  if (others.length === 0) return [String(line), key ?? '', column ?? '', cut(value), text];
  const of = (read: (problem: Problem) => string | null) =>
    someOf([...new Set(group.map(read).filter((name) => name !== null && name !== ''))] as string[]);
  const isUnknown = code === 'unknown_column';
  return [
    rangesOf(group.map((problem) => problem.line)),
    of((problem) => problem.key),
    isUnknown ? of((problem) => problem.column) : (column ?? ''),
    cut(of((problem) => problem.value)),
    isUnknown
      ? 'there are no such columns. Rename or remove them, or map them as below.'
      : `${isComplete ? '' : 'at least '}${countOf(group)}${isSame(group) ? ':' : '. The first:'} ${text}`,
  ];
}

function countOf(group: readonly Problem[]): string {
  const rows = new Set(group.map(({ line }) => line)).size;
  return rows === 1 ? `${group.length} times` : plural(rows, 'row');
}

function isSame([first, ...others]: readonly Problem[]): boolean {
  return others.every(
    ({ problem, cure }) => problem === first?.problem && cureHere(cure) === cureHere(first.cure),
  );
}

/** `2-301, 305`. */
function rangesOf(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of lines) {
    const range = ranges.at(-1);
    if (range !== undefined && line >= range[1] && line <= range[1] + 1) range[1] = line;
    else ranges.push([line, line]);
  }
  return someOf(ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)));
}

function someOf(names: readonly string[]): string {
  return `${names.slice(0, namesShown).join(', ')}${names.length > namesShown ? ', ...' : ''}`;
}

const longest = 30;

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
