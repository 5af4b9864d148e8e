/** Adds to the problem of a name what it may mean: what a person chose for it before, or what another worksheet says. */
import { type Header, titleOf } from '../../manifest/headers/header.ts';
import { printable } from '../../manifest/printable.ts';
import type { FixPart } from '../../manifest/problems/hint.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import type { NameLookUp } from './checked-row.ts';

const columns = ['creator', 'product_id'] as const;

/** @param cells of the row. */
export function withKnownNames(
  problems: readonly CellProblem[],
  cells: readonly string[],
  header: Header,
  find: NameLookUp,
): Promise<readonly CellProblem[]> {
  const { indexes } = header;
  return Promise.all(
    problems.map(async (problem) => {
      const { code, value, fix } = problem;
      const column = columns.find((name) => titleOf(header, name, cells) === problem.column);
      const known = column && (await find({ column, code, value, cells, indexes }));
      if (known === undefined) return problem;
      const parts: readonly FixPart[] = typeof fix === 'string' ? [fix] : fix;
      return { ...problem, fix: [`Write ${known.text}: ${printable(known.evidence)}`, ...parts] };
    }),
  );
}
