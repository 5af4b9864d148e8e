/** What a sheet of a few columns suggests for faulty cells. */
import { SheetEvidence } from '../../../../src/app/drafts/suggestions/evidence.ts';
import { suggest } from '../../../../src/app/drafts/suggestions/suggest.ts';
import type { FaultyCell } from '../../../../src/app/drafts/suggestions/suggestion.ts';
import type { ColumnName } from '../../../../src/manifest/columns.ts';
import { matchHeader } from '../../../../src/manifest/headers/header.ts';

export const header = [
  'creator',
  'media',
  'product_title',
  'product_id',
  'scheduled_at',
  'ai_model',
  'ai_seconds',
  'product_link',
];
export const { indexes } = matchHeader(header);

interface Given {
  readonly code: string;
  readonly column: ColumnName;
  /** Cells of the rows with the problem, by column. */
  readonly rows: readonly Readonly<Partial<Record<string, string>>>[];
  /** Good rows of the sheet. */
  readonly others?: readonly Readonly<Partial<Record<string, string>>>[];
  readonly meant?: readonly (string | undefined)[];
  /** The wrong part, where it is not the whole cell. */
  readonly value?: string;
  readonly isUpdate?: boolean;
  readonly now?: number;
  readonly timezone?: string;
}

export function suggestFor(given: Given) {
  const {
    code,
    column,
    rows,
    others = [],
    meant = [],
    value,
    isUpdate = false,
    now = 0,
    timezone = null,
  } = given;
  const evidence = new SheetEvidence(indexes);
  for (const row of others) evidence.note(cellsOf(row));
  const cells = rows.map(
    (row, index): FaultyCell => ({
      row: index + 1,
      position: indexes[column],
      value: value ?? row[column] ?? '',
      meant: meant[index],
      cells: cellsOf(row),
    }),
  );
  return suggest({ code, column, cells }, { evidence, indexes, isUpdate, now, timezone });
}

export function cellsOf(row: Readonly<Partial<Record<string, string>>>): readonly string[] {
  return header.map((name) => row[name] ?? '');
}
