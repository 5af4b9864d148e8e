/** Comments of guests on the rows of a draft, in its database, until the campaign gets them at the start. */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { type Comment, mostOfCampaign, storedComment } from '../../../ledger/rows/histories.ts';
import { readStored } from '../../../ledger/stored-json.ts';
import type { RowIndex, RowNumber } from '../../../manifest/row.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type Draft, readingId } from '../draft.ts';
import { type DraftRuntime, draftFiles } from '../folder.ts';
import { DraftDatabase } from './database.ts';

interface StoredComment extends Omit<DraftComment, 'comment'> {
  /** JSON. */
  readonly comment: string;
}

export interface DraftComment {
  /** Rises from comment to comment. */
  readonly id: number;
  readonly number: RowNumber;
  readonly comment: Comment;
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
  const sql = `SELECT id, number, comment FROM comments
    WHERE reading = ?1 AND (?2 IS NULL OR number IN (SELECT value FROM json_each(?2))) ORDER BY id DESC LIMIT ?3`;
  const rows = numbers === undefined ? null : JSON.stringify(numbers);
  const found = database.all<StoredComment>(sql, readingId(draft) ?? '', rows, latest);
  return found.toReversed().flatMap(({ comment: json, ...place }) => {
    const comment = readStored(storedComment, json);
    return comment === undefined ? [] : [{ ...place, comment }];
  });
}

/** Those of rows that were skipped stay behind. Repeated, it adds none twice. Within `changeDraft`. */
export async function carryComments(
  runtime: Pick<Runtime, 'environment' | 'ledger'>,
  draft: Draft,
  campaign: Campaign,
): Promise<void> {
  const { comments } = runtime.ledger;
  const rows = new Map<RowNumber, RowIndex | undefined>();
  for (const { id, number, comment } of await listDraftComments(runtime, draft)) {
    if (!rows.has(number)) rows.set(number, await findRowOf(runtime, campaign, number));
    const row = rows.get(number);
    if (row !== undefined) await comments.carry(campaign.id, row, comment, id);
  }
}

/** The campaign has the rows of the sheet in order, but not all. */
async function findRowOf(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  number: RowNumber,
): Promise<RowIndex | undefined> {
  let [first, end] = [0, Math.min(campaign.rows, number)];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    const { number: found } = await ledger.store.read(campaign, middle);
    if (found === number) return middle;
    if (found < number) first = middle + 1;
    else end = middle;
  }
  return undefined;
}
