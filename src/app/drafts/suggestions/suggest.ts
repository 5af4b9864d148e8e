/** Finds suggestions for rows with the same problem: in the sheet itself, and for ids also in what is known elsewhere. */

import type { ColumnName } from '../../../manifest/columns.ts';
import { captionMark, noteMark } from '../../../manifest/headers/column-map.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { maxAnchorTitleLength, maxCaptionLength } from '../../../service/contract/post-limits.ts';
import type { DraftCheck } from '../check/draft-check.ts';
import type { Edits } from '../edits.ts';
import type { SheetEvidence } from './evidence.ts';
import { suggestOneKind, suggestOneSource, suggestRowNumber } from './one-of-two.ts';
import {
  type IdsElsewhere,
  isNoId,
  lacksId,
  needsId,
  suggestIds,
  suggestIdsOfTitles,
  suggestTitles,
} from './products.ts';
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
  'other_calendar',
  'time_past',
  'time_in_gap',
]);

/** @param id of the group. @param findElsewhere finds the ids that titles of these cells have outside the sheet. */
export async function suggestForGroup(
  { facts, findings, rows: stored, knowledge }: DraftCheck,
  edits: Edits,
  id: string,
  findElsewhere: (cells: readonly FaultyCell[]) => Promise<IdsElsewhere>,
): Promise<readonly Suggestion[]> {
  const { columns, indexes } = facts;
  const { evidence } = knowledge;
  const group = findings.groups('problem').find((each) => each.id === id);
  if (group === undefined || group.position < 0) return [];
  const column = columns.find(({ position }) => position === group.position)?.column;
  const rows = await stored.read(group.numbers.slice(0, mostRows), mostCharacters);
  const cells = rows.flatMap((row): FaultyCell[] => {
    const edited = edits.textsOf(row, row.number);
    return findings
      .problemsOf(row.number, 'problem')
      .filter((problem) => problem.group === id)
      .map(({ position, value, meant }) => ({ row: row.number, position, value, meant, cells: edited }));
  });
  const media = columns.flatMap((each) => (each.column === 'media' ? [each.position] : []));
  const faulty = {
    code: group.code,
    column: column === noteMark || column === captionMark ? null : column,
    cells,
  };
  const elsewhere = needsId(indexes, group) ? await findElsewhere(cells) : undefined;
  return suggest(faulty, { evidence, indexes, media, elsewhere });
}

export interface FaultyCells {
  readonly code: string;
  /** Null or undefined for a problem of the whole row, or of a column that has no meaning. */
  readonly column: ColumnName | null | undefined;
  readonly cells: readonly FaultyCell[];
}

export interface Knowledge {
  readonly evidence: SheetEvidence;
  readonly indexes: ColumnIndexes;
  /** Positions of the columns of media; default: the one. */
  readonly media?: readonly number[];
  readonly elsewhere?: IdsElsewhere | undefined;
}

/** @returns suggestions, each for some or all of the cells; may be empty. */
export function suggest(
  { code, column, cells }: FaultyCells,
  { evidence, indexes, media = [indexes.media], elsewhere = () => new Map() }: Knowledge,
): readonly Suggestion[] {
  if (column === 'product_id' && lacksId.has(code)) return suggestIds(cells, evidence, indexes, elsewhere);
  if (column === 'product_id' && isNoId.has(code)) {
    const known = suggestIdsOfTitles(cells, evidence, indexes, elsewhere);
    const meant = suggestMeant(cells, code);
    // The number in a link is surer than the title beside it.
    const [likely, other] = code === 'link_as_id' ? [meant, known] : [known, meant];
    return likely.length > 0 ? likely : other;
  }
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
