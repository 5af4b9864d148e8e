/** Finds suggestions in the sheet itself for rows with the same problem. */
import { maxAnchorTitleLength, maxCaptionLength } from '../../api/contract/post-limits.ts';
import type { ColumnName } from '../../manifest/columns.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import type { WholeCheck } from '../check/whole-check.ts';
import type { Mends } from '../mends.ts';
import type { SheetEvidence } from './evidence.ts';
import { suggestOneKind, suggestOneSource, suggestRowNumber } from './one-of-two.ts';
import { suggestIds, suggestTitles } from './products.ts';
import type { FaultyCell, Suggestion } from './suggestion.ts';
import { suggestMeant, suggestSeconds, suggestShorter } from './texts.ts';
import { suggestTimes } from './times.ts';

/** Most rows of a suggestion, because they are checked again at once. */
const mostRows = 500;
/** Most text of their cells, in UTF-16 units: a real row has at most some thousand. */
const mostCharacters = 4_000_000;

/** Problems of times that are written, and mean something. */
const timeCodes: ReadonlySet<string> = new Set([
  'ambiguous_time',
  'invalid_time',
  'time_past',
  'time_in_gap',
]);

/** Suggestions for a group of rows with the same problem. @param id of the group. */
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
  const media = columns.flatMap((each) => (each.column === 'media' ? [each.position] : []));
  const faulty = { code: group.code, column: column === '_' ? null : column, cells };
  return suggest(faulty, evidence, indexes, media);
}

/** Rows with the same problem in the same column. */
export interface FaultyCells {
  readonly code: string;
  /** Null or undefined for a problem of the whole row, or of a column that has no meaning. */
  readonly column: ColumnName | null | undefined;
  readonly cells: readonly FaultyCell[];
}

/** @param media positions of the columns of media. @returns suggestions, each for some or all of the cells; may be empty. */
export function suggest(
  { code, column, cells }: FaultyCells,
  evidence: SheetEvidence,
  indexes: ColumnIndexes,
  media: readonly number[] = [indexes.media],
): readonly Suggestion[] {
  const isLost = ['scientific_id', 'digits_lost', 'missing_value'].includes(code);
  if (column === 'product_id' && isLost) return suggestIds(cells, evidence, indexes);
  if (column === 'product_title' && code === 'missing_value') return suggestTitles(cells, evidence, indexes);
  if (column === 'product_title' && code === 'too_long') return suggestShorter(cells, maxAnchorTitleLength);
  if (column === 'caption' && code === 'too_long') return suggestShorter(cells, maxCaptionLength);
  if (timeCodes.has(code)) return suggestTimes(cells, code, evidence, indexes);
  if (code === 'mixed_media') return suggestOneKind(cells, media);
  if (code === 'media_and_prompt') return suggestOneSource(cells, indexes, media);
  if (code === 'duplicate_key') return suggestRowNumber(cells);
  if (code === 'seconds_not_allowed') return suggestSeconds(cells, indexes);
  return suggestMeant(cells, code);
}
