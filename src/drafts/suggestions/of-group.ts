/** Suggestions from a draft's sheet for a group of its rows. */
import type { WholeCheck } from '../check/whole-check.ts';
import type { Mends } from '../mends.ts';
import { suggest } from './suggest.ts';
import type { FaultyCell, Suggestion } from './suggestion.ts';

/** Most rows of a suggestion, because they are checked again at once. */
const mostRows = 500;
/** Most text of their cells, in UTF-16 units: a real row has at most some thousand. */
const mostCharacters = 4_000_000;

/** @param id of the group. */
export async function suggestForGroup(
  { findings, rows: file }: WholeCheck,
  mends: Mends,
  id: string,
): Promise<readonly Suggestion[]> {
  const { problems, columns, evidence, indexes } = findings;
  const group = problems.groups.find((each) => each.id === id);
  if (group === undefined || group.position < 0) return [];
  const column = columns.find(({ position }) => position === group.position)?.column;
  const rows = await file.read(group.numbers.slice(0, mostRows), mostCharacters);
  const cells = rows.flatMap((row): FaultyCell[] => {
    const mended = mends.textsOf(row, row.number);
    return (problems.of(row.number) ?? [])
      .filter((problem) => problem.group === id)
      .map(({ position, value, meant }) => ({ row: row.number, position, value, meant, cells: mended }));
  });
  return suggest(
    { code: group.code, column: column === '_' ? undefined : (column ?? undefined), cells },
    evidence,
    indexes,
  );
}
