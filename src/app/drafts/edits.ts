/** Which sheet the edits of a draft are for, and what they may name. */
import { foldHeader } from '../../manifest/columns.ts';
import { mostColumns } from '../../manifest/sheet-bounds.ts';
import { plural } from '../../manifest/wording.ts';
import { type Edit, rowsOf } from '../campaigns/import/edits.ts';
import { type Draft, draftRefused, sheetsOf } from './draft.ts';

/** Identifies a sheet and what decides which rows it has. Undefined without a sheet. */
export function readingId({ sheet, reading }: Pick<Draft, 'sheet' | 'reading'>): string | undefined {
  if (sheet === undefined) return undefined;
  const { delimiter = '', encoding = '', headerLine = '' } = reading;
  // The names last: they may be long.
  return [sheet.sha256, delimiter, encoding, headerLine, ...(sheetsOf(reading) ?? [''])]
    .join(' ')
    .slice(0, 200);
}

/** What a checked sheet has: a change may name nothing else. */
interface KnownSheet {
  readonly rows: number;
  readonly header: readonly string[];
  readonly columns: readonly { readonly column: string | null }[];
}

/** A sheet that is not read yet. */
export const noSheet: KnownSheet = { rows: 0, header: [], columns: [] };

/** @throws {UseCaseError} `draft_refused` for rows and cells that the sheet does not have. */
export function refuseUnknown({ rows, header, columns: known }: KnownSheet, edit: Edit): void {
  const { at = header.length, columns: added = [] } = edit.addColumns ?? {};
  if (at !== header.length) throw draftRefused('the sheet has other columns now');
  for (const { name } of added) {
    const same = header.findIndex((title) => foldHeader(title) === foldHeader(name));
    if (same >= 0 || known.some(({ column }) => column === name))
      throw draftRefused(
        `the sheet has a column ${header[same] ?? name} already`,
        'Say what it is under Columns.',
      );
  }
  const width = at + added.length;
  if (added.length > 0 && width > mostColumns)
    throw draftRefused(`a sheet has at most ${mostColumns} columns`);
  for (const row of rowsOf(edit)) {
    if (row > rows) throw draftRefused(`the sheet has only ${plural(rows, 'row')}`);
  }
  if (edit.cells?.some(({ position }) => position >= width))
    throw draftRefused('the sheet has no such column');
}
