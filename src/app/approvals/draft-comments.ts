/** Comments on the rows of a draft, in its database: those of its guests. They stay with the draft: the campaign that it becomes has comments of its own. */
import { type Comment, mostOfCampaign, mostOfRow, storedComment } from '../../ledger/rows/comments.ts';
import { readStored } from '../../ledger/stored-json.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowNumber } from '../../manifest/row-ref.ts';
import { type Draft, refuseStarted, refuseStarting } from '../drafts/draft.ts';
import { findDraft } from '../drafts/drafts.ts';
import { readingId } from '../drafts/edits.ts';
import { exclusively } from '../drafts/exclusive.ts';
import { type DraftRuntime, draftFiles } from '../drafts/folder.ts';
import { DraftDatabase } from '../drafts/store/database.ts';
import { commentText } from './comments.ts';

interface StoredComment extends Omit<DraftComment, 'comment'> {
  /** JSON. */
  readonly comment: string;
}

export interface DraftComment {
  /** Number of its row. */
  readonly number: RowNumber;
  readonly comment: Comment;
}

/**
 * Not once the draft is started: nobody would see it.
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

/**
 * Of the sheet as it is read now, the oldest first.
 * @param numbers of rows; default: all. @param latest at most so many, the latest; default: all. @throws {UseCaseError} `draft_not_stored`.
 */
export async function listDraftComments(
  runtime: Pick<DraftRuntime, 'environment'>,
  draft: Draft,
  {
    numbers,
    latest = mostOfCampaign,
  }: { readonly numbers?: readonly RowNumber[]; readonly latest?: number } = {},
): Promise<readonly DraftComment[]> {
  using database = await DraftDatabase.open(draftFiles(runtime, draft.id).database);
  const sql = `SELECT number, comment FROM comments
    WHERE reading = ?1 AND (?2 IS NULL OR number IN (SELECT value FROM json_each(?2))) ORDER BY id DESC LIMIT ?3`;
  const rows = numbers === undefined ? null : JSON.stringify(numbers);
  const found = database.all<StoredComment>(sql, readingId(draft) ?? '', rows, latest);
  return found.toReversed().flatMap(({ comment: json, ...place }) => {
    const comment = readStored(storedComment, json);
    return comment === undefined ? [] : [{ ...place, comment }];
  });
}
