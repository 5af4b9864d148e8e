/** Finds suggestions in the sheet itself for rows with the same problem. */
import { maxAnchorTitleLength, maxCaptionLength } from '../../api/contract/posts.ts';
import type { ColumnName } from '../../manifest/columns.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import type { SheetEvidence } from './evidence.ts';
import { suggestMeant } from './meant.ts';
import { suggestIds, suggestTitles } from './products.ts';
import { suggestSeconds } from './seconds.ts';
import { suggestShorter } from './shorten.ts';
import type { FaultyCell, Suggestion } from './suggestion.ts';
import { suggestTimes } from './times.ts';

/** Rows with the same problem in the same column. */
export interface FaultyCells {
  readonly code: string;
  /** Undefined for a problem of the whole row, or of a column that has no meaning. */
  readonly column: ColumnName | undefined;
  readonly cells: readonly FaultyCell[];
}

/** @returns suggestions, each for some or all of the cells; may be empty. */
export function suggest(
  { code, column, cells }: FaultyCells,
  evidence: SheetEvidence,
  indexes: ColumnIndexes,
): readonly Suggestion[] {
  const isLost = ['scientific_id', 'digits_lost', 'missing_value'].includes(code);
  if (column === 'product_id' && isLost) return suggestIds(cells, evidence, indexes);
  if (column === 'product_title' && code === 'missing_value') return suggestTitles(cells, evidence, indexes);
  if (column === 'product_title' && code === 'too_long') return suggestShorter(cells, maxAnchorTitleLength);
  if (column === 'caption' && code === 'too_long') return suggestShorter(cells, maxCaptionLength);
  if (code === 'ambiguous_time' || code === 'invalid_time') return suggestTimes(cells, evidence);
  if (code === 'seconds_not_allowed') return suggestSeconds(cells, indexes);
  return suggestMeant(cells, code);
}
