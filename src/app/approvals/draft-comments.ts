/** Guests comment on the rows of a draft. */
import { type Comment, mostOfCampaign, mostOfRow } from '../../ledger/rows/comments.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowNumber } from '../../manifest/row-ref.ts';
import { readingId, refuseStarted, refuseStarting } from '../drafts/draft.ts';
import { findDraft } from '../drafts/drafts.ts';
import { exclusively } from '../drafts/exclusive.ts';
import { type DraftRuntime, draftFiles } from '../drafts/folder.ts';
import { DraftDatabase } from '../drafts/store/database.ts';
import { commentText } from './comments.ts';

/**
 * Not while the draft is started: the campaign would miss it.
 * @throws {UseCaseError} `comment_refused` for none or too many; `draft_not_found`, `draft_changed`, `draft_refused`, `draft_not_stored`.
 */
export async function addDraftComment(
  runtime: DraftRuntime,
  { id, number }: { readonly id: string; readonly number: RowNumber },
  given: Omit<Comment, 'at'>,
): Promise<void> {
  const comment: Comment = { ...given, text: commentText(given.text), at: runtime.now() };
  await exclusively(runtime, id, async () => {
    const draft = await findDraft(runtime, id);
    refuseStarted(draft);
    refuseStarting(draft);
    using database = await DraftDatabase.open(draftFiles(runtime, id).database);
    await database.writeSynced(() => insert(database, readingId(draft) ?? '', number, comment));
  });
}

function insert(database: DraftDatabase, reading: string, number: RowNumber, comment: Comment): void {
  const sql = 'SELECT count(*) AS rows, count(*) FILTER (WHERE number = ?) AS ofRow FROM comments';
  const { rows = 0, ofRow = 0 } = database.get<{ rows: number; ofRow: number }>(sql, number) ?? {};
  if (rows >= mostOfCampaign || ofRow >= mostOfRow)
    throw new UseCaseError('comment_refused', `row ${number} takes no more comments`, {
      fix: 'A row has 100 comments at most, and a draft 10,000.',
    });
  const added = 'INSERT INTO comments (reading, number, comment) VALUES (?, ?, ?)';
  database.run(added, reading, number, JSON.stringify(comment));
}
