/** The edits of a draft, in its database: one row for each change. */
import { readStored } from '../../../ledger/stored-json.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { mostColumns } from '../../../manifest/sheet-bounds.ts';
import { plural } from '../../../manifest/wording.ts';
import { type Edit, type EditEntry, editSchema, entrySchema, rowsOf } from '../../campaigns/import/edit.ts';
import { Edits } from '../../campaigns/import/edits.ts';
import type { DraftCheck } from '../check/draft-check.ts';
import { type Draft, type DraftChange, draftRefused, readingId } from '../draft.ts';
import type { DraftDatabase } from './database.ts';

/** Most text of all edits of a draft, in UTF-16 units: some hundred thousand cells. */
const mostText = 64 * 1024 * 1024;

/** A change as it can be stored. @throws {UseCaseError} `draft_refused` for one that could not be read again. */
export function readEdit(edit: Edit): Edit {
  const read = editSchema.safeParse(edit);
  if (!read.success) {
    const why = read.error.issues[0]?.message ?? 'the change cannot be read';
    throw draftRefused(why, 'Nothing was changed. Fix it, and save again.');
  }
  const { cells = [] } = read.data;
  // Looked at before it is written as one text: that might be longer than a string can be.
  if (cells.reduce((sum, { text }) => sum + text.length, 0) > mostText) throw tooMuch();
  return read.data;
}

/** What a checked sheet has: a change may name nothing else. */
interface KnownSheet {
  readonly rows: number;
  readonly header: readonly string[];
  readonly columns: readonly { readonly column: string | null }[];
}

/** An edit as it is stored. @throws {UseCaseError} `draft_refused` for rows and cells that the sheet does not have, and for nothing to undo. */
export function entryOf(
  draft: Draft,
  edits: Edits,
  check: Pick<DraftCheck, 'facts' | 'rows'> | undefined,
  edit: Edit | 'undo',
  made: Pick<EditEntry, 'at' | 'by' | 'isFurther'>,
): EditEntry {
  const of = readingId(draft);
  if (of === undefined) throw draftRefused('it has no sheet yet');
  if (edit === 'undo') {
    if (edits.last === undefined) throw draftRefused('nothing was edited yet');
    return { ...made, of, undo: true };
  }
  refuseUnknown({ header: [], columns: [], ...check?.facts, rows: check?.rows.count ?? 0 }, edit);
  return { ...made, of, ...edit };
}

function refuseUnknown({ rows, header, columns: known }: KnownSheet, edit: Edit): void {
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

function tooMuch(): UseCaseError {
  return draftRefused(
    'there are too many edits',
    'Nothing was changed. Fix the sheet itself, and drop it again.',
  );
}

/** As it is read now. @throws {UseCaseError} `draft_not_stored`, also if one is unreadable: another text would be posted. */
export function readEdits(database: DraftDatabase, draft: Draft): Edits {
  const { edits = 0 } = draft;
  const of = readingId(draft);
  const sql = 'SELECT entry FROM edits WHERE revision <= ? ORDER BY revision';
  const stored = database.all<{ entry: string }>(sql, edits);
  const entries = stored.map(({ entry }) => readStored(entrySchema, entry));
  if (entries.length < edits || entries.includes(undefined)) throw unreadable(database);
  return new Edits(
    entries.filter((entry) => entry !== undefined).filter((entry) => entry.of === of),
    edits,
  );
}

function unreadable({ path }: DraftDatabase): UseCaseError {
  return new UseCaseError('draft_not_stored', `the edits of the draft, in ${path}, cannot be read`, {
    fix: "Add the sheet again, as a new draft. Your file is still in the draft's folder.",
  });
}

/** Within `changeDraft`: it counts once `edits` is stored. @throws {UseCaseError} `draft_not_stored`; `draft_refused` without room. */
export async function addEdit(
  database: DraftDatabase,
  { edits = 0 }: Draft,
  entry: EditEntry,
): Promise<Pick<DraftChange, 'edits'>> {
  const text = JSON.stringify(entry);
  await database.writeSynced(() => {
    // Removes a change that was not completed.
    database.run('DELETE FROM edits WHERE revision > ?', edits);
    // Only the latest one counts, and each may be as long as the sheet.
    if (entry.isCarried)
      database.run(
        "UPDATE edits SET entry = json_remove(entry, '$.cells', '$.leaveOut', '$.mayBe', '$.leaveFaulty', '$.addColumns', '$.campaignVersion') WHERE json_extract(entry, '$.isCarried')",
      );
    const { stored = 0 } =
      database.get<{ stored: number }>('SELECT total(length(entry)) AS stored FROM edits') ?? {};
    if (stored + text.length > mostText) throw tooMuch();
    database.run('INSERT INTO edits VALUES (?, ?)', edits + 1, text);
  });
  return { edits: edits + 1 };
}
