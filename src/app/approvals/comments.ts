/** Comments on rows of campaigns and drafts, by users and by guests. */

import { z } from 'zod';
import { type Comment, longestComment, mostOfCampaign, mostOfRow } from '../../ledger/rows/histories.ts';
import { printableLines } from '../../manifest/printable.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowNumber } from '../../manifest/row.ts';
import { findCampaign, findRow, rowNotFound } from '../campaigns/find.ts';
import { readingId, refuseStarted, refuseStarting } from '../drafts/draft.ts';
import { findDraft } from '../drafts/drafts.ts';
import { exclusively } from '../drafts/exclusive.ts';
import { type DraftRuntime, draftFiles } from '../drafts/folder.ts';
import { DraftDatabase } from '../drafts/store/database.ts';
import { type Document, isoTime, isoTimeOf } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';

export { longestComment };

export const commentSchema = z
  .strictObject({
    by: z.string(),
    /** Whether somebody without an account wrote it, under this name. */
    isGuest: z.boolean(),
    at: isoTime,
    text: z.string(),
  })
  .meta({ id: 'Comment' });

/**
 * @param comment.by name of the person. @param comment.isGuest without an account.
 * @throws {UseCaseError} `campaign_not_found`, `row_not_found`; `comment_refused` for none or too many.
 */
export async function addComment(
  runtime: Pick<Runtime, 'ledger'>,
  { campaign: id, key }: { readonly campaign: string; readonly key: string },
  comment: Omit<Comment, 'at'>,
): Promise<void> {
  const text = commentText(comment.text);
  const campaign = await findCampaign(runtime, id);
  const row = await findRow(runtime, campaign, key);
  const added = await runtime.ledger.comments.add(id, row, { ...comment, text });
  if (added === 'ok') return;
  if (added === 'gone') throw rowNotFound(id, key);
  throw new UseCaseError('comment_refused', `row ${key} cannot have more comments`, {
    fix: 'The limit is 100 comments for a row, and 10,000 for a campaign.',
  });
}

/** @throws {UseCaseError} `comment_refused` for none, or too long a text. */
export function commentText(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n').trim();
  if (text === '')
    throw new UseCaseError('comment_refused', 'the comment is empty', { fix: 'Write something.' });
  if (text.length > longestComment)
    throw new UseCaseError('comment_refused', `the comment has more than ${longestComment} characters`, {
      fix: 'Shorten it.',
    });
  return printableLines(text);
}

/** Of one row, the oldest first. @throws {UseCaseError} `campaign_not_found`, `row_not_found`. */
export async function listComments(
  runtime: Pick<Runtime, 'ledger'>,
  { campaign: id, key }: { readonly campaign: string; readonly key: string },
): Promise<readonly Document<typeof commentSchema>[]> {
  const campaign = await findCampaign(runtime, id);
  const row = await findRow(runtime, campaign, key);
  const [comments = []] = await runtime.ledger.comments.of(id, [row]);
  return comments.map(commentDocument);
}

export function commentDocument({ by, isGuest = false, at, text }: Comment): Document<typeof commentSchema> {
  return { by, isGuest, at: isoTimeOf(at), text };
}

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
    throw new UseCaseError('comment_refused', `row ${number} cannot have more comments`, {
      fix: 'The limit is 100 comments for a row, and 10,000 for a draft.',
    });
  const added = 'INSERT INTO comments (reading, number, comment) VALUES (?, ?, ?)';
  database.run(added, reading, number, JSON.stringify(comment));
}
