/** Describes the results of a check for pages. */
import { describeFormat } from '../../sheets/format.ts';
import type { Mends } from '../mends.ts';
import type { CheckedDraft } from './checked-draft.ts';
import type { WholeCheck } from './whole-check.ts';

const firstNumbers = [1, 2, 3];

export async function describeCheck(
  check: WholeCheck,
  mends: Mends,
  isOutdated: boolean,
): Promise<CheckedDraft> {
  const { result, findings, rows: file, sheets, timezone } = check;
  const { sha256, format, name, blocking, plan, times } = result;
  const first = (await file.read(firstNumbers)).map((row) => mends.textsOf(row, row.number));
  const { accepted, refused, leftOut, problems, warnings, states } = findings;
  return {
    sha256,
    format,
    sheets,
    name,
    timezone,
    blocking,
    plan,
    times,
    isOutdated,
    accepted,
    refused,
    leftOut,
    readAs: format && describeFormat(format),
    columns: findings.columns.map((column) => ({
      ...column,
      firstTexts: first.map((cells) => cells[column.position] ?? ''),
    })),
    rows: states.count,
    groups: problems.groups,
    warnings: warnings.groups,
    warned: states.countOf('warned'),
  };
}
