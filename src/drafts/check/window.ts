/** Windows of a draft's sheet. */
import { unguardFormula } from '../../manifest/cells/formula.ts';
import type { Mends } from '../mends.ts';
import type { DraftRow, DraftWindow, MendedCell, WindowOf } from './checked-draft.ts';
import type { Findings } from './findings.ts';
import type { NumberedRow } from './row-file.ts';
import type { WholeCheck } from './whole-check.ts';

export interface Span {
  /** From 0. */
  readonly from: number;
  readonly count: number;
  /** Most text of all cells, in UTF-16 units. If there is more, fewer rows are returned, but at least one. */
  readonly mostCharacters?: number | undefined;
}

export async function readWindow(
  check: WholeCheck,
  mends: Mends,
  of: WindowOf,
  { from, count, mostCharacters }: Span,
): Promise<DraftWindow> {
  const { findings, rows } = check;
  const { numbers, total } = find(findings, rows.count, of, { from, count });
  const found = await rows.read(numbers, mostCharacters);
  return { from, total, rows: found.map((row) => showRow(check, mends, row)) };
}

function find(
  { states, problems, warnings }: Findings,
  all: number,
  of: WindowOf,
  { from, count }: Span,
): { readonly numbers: readonly number[]; readonly total: number } {
  if (typeof of === 'object') {
    const { numbers = [] } = [...problems.groups, ...warnings.groups].find(({ id }) => id === of.group) ?? {};
    return { numbers: numbers.slice(from, from + count), total: numbers.length };
  }
  if (of === 'all') {
    const length = Math.max(0, Math.min(count, all - from));
    return { numbers: Array.from({ length }, (_each, index) => from + index + 1), total: all };
  }
  const mark = ({ problems: 'refused', warnings: 'warned', 'left out': 'leftOut' } as const)[of];
  return { numbers: states.list(mark, from, count), total: states.countOf(mark) };
}

function showRow({ findings, result }: WholeCheck, mends: Mends, row: NumberedRow): DraftRow {
  const { states, problems, warnings, indexes } = findings;
  const { number, line } = row;
  const cells = mends.textsOf(row, number);
  const mended = new Map<number, MendedCell>();
  for (const [position, { text, by, at }] of mends.of(number) ?? []) {
    const was = unguardFormula(row.cells[position] ?? '');
    if (was !== text) mended.set(position, { was, by, at });
  }
  const isRefused = states.has(number, 'refused');
  return {
    number,
    line,
    cells,
    mended,
    region: result.creators.get((cells[indexes.creator] ?? '').trim())?.oauthRegion,
    state: states.has(number, 'leftOut') ? 'left out' : isRefused ? 'refused' : 'accepted',
    isAgain: mends.postsAgain(number),
    problems: isRefused ? problems.of(number) : [],
    warnings: warnings.of(number) ?? [],
  };
}
