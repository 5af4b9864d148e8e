/**
 * Reconciles rows in review with the publishing records: searches for the post that a row may have made, before a person is asked.
 * Exactly one matching record that no other row has makes the row posted. Otherwise the row stays in review, with a note about the
 * search. A row is never sent again because no record was found: records may lag.
 */
import type { Campaign } from '../../ledger/campaigns.ts';
import { type DoubtfulRow, describeSearch, findDoubtful, matchesKept } from './doubtful-rows.ts';
import { compareRecord, type SoughtPost } from './match.ts';
import { ownedPosts } from './owners.ts';
import { byCreatorAsked, type RecordTools, readRecords } from './source.ts';

export interface ReconcileOptions {
  /** Also rows for which nothing new is expected, because a person asks. */
  readonly all: boolean;
}

/** Result of the search for one row. */
export type Reconciled =
  | { readonly key: string; readonly state: 'posted'; readonly postId: string; readonly postStatus: string }
  | { readonly key: string; readonly state: 'review'; readonly note: string };

const rowsAtOnce = 500;

/** Searches for the posts of a campaign's rows in review. @throws {ApiError} when the records cannot be read. */
export async function* reconcileRows(
  tools: RecordTools,
  campaign: Campaign,
  options: ReconcileOptions,
): AsyncGenerator<Reconciled> {
  if (campaign.counts.review === 0) return;
  const view = await tools.views.open(campaign.id, campaign.sheetVersion);
  if (!view) return;
  const rows = await tools.ledger.rows.inState(campaign.id, 'review');
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const doubtful = await findDoubtful(tools, view, rows.slice(start, start + rowsAtOnce), options);
    yield* reconcilePart(tools, campaign, doubtful);
  }
}

async function* reconcilePart(
  tools: RecordTools,
  campaign: Campaign,
  rows: readonly DoubtfulRow[],
): AsyncGenerator<Reconciled> {
  if (rows.length === 0) return;
  await search(tools, rows);
  await leaveToOwners(tools, campaign, rows);
  const claimed: DoubtfulRow[] = [];
  for (const row of rows) {
    const [postId] = row.matches.keys();
    if (row.matches.size === 1 && postId && (await claim(tools, row, postId))) claimed.push(row);
    else yield await leaveInReview(tools, row);
  }
  // Checked again after the claim: before it, the late answer of another row may have brought the same record.
  const owned = await ownersOf(tools, campaign, claimed);
  for (const row of claimed) yield await take(tools, row, owned);
}

/** Reads the records, and collects matching ones per row. */
async function search(tools: RecordTools, rows: readonly DoubtfulRow[]): Promise<void> {
  const { window } = tools.settings.records;
  for (const [creatorId, sought] of byCreatorAsked(tools, rows)) {
    const options = { window, ofCreator: creatorId !== undefined };
    const createdFrom = earliest(sought) - window;
    for await (const record of readRecords(tools, { creatorId, createdFrom })) {
      for (const row of sought) {
        const comparison = compareRecord(record, row, options);
        if (comparison === 'incomparable') row.incomparable += 1;
        if (comparison === 'same' && row.matches.size < matchesKept) row.matches.set(record.postId, record);
      }
    }
  }
}

/** Removes matches that are posts of other rows. */
async function leaveToOwners(
  tools: RecordTools,
  campaign: Campaign,
  rows: readonly DoubtfulRow[],
): Promise<void> {
  const owned = await ownersOf(tools, campaign, rows);
  for (const row of rows) {
    for (const postId of row.matches.keys()) if (owned.has(postId)) drop(row, postId);
  }
}

function drop({ matches, taken }: DoubtfulRow, postId: string): void {
  matches.delete(postId);
  taken.add(postId);
}

function ownersOf({ ledger, settings }: RecordTools, { account }: Campaign, rows: readonly DoubtfulRow[]) {
  const postIds = new Set(rows.flatMap(({ matches }) => [...matches.keys()]));
  return ownedPosts(ledger, account, postIds, earliest(rows) - settings.records.window);
}

function earliest(rows: readonly SoughtPost[]): number {
  return rows.reduce((least, { sentAt }) => Math.min(least, sentAt), Number.POSITIVE_INFINITY);
}

/** Of rows that are alike, the first gets the record: nothing can tell which of them made it. */
async function claim({ ledger }: RecordTools, row: DoubtfulRow, postId: string): Promise<boolean> {
  const isOurs = await ledger.publishing.claim(row.ref, postId);
  if (!isOurs) drop(row, postId);
  return isOurs;
}

async function take(tools: RecordTools, row: DoubtfulRow, owned: ReadonlySet<string>): Promise<Reconciled> {
  const { publishing } = tools.ledger;
  const [record] = row.matches.values();
  if (!record) return leaveInReview(tools, row);
  const { postId, status: postStatus = '', createdAt: at = tools.now() } = record;
  if (owned.has(postId)) {
    await publishing.release(row.ref, row.doubt, postId);
    drop(row, postId);
    return leaveInReview(tools, row);
  }
  const result = { postId, postStatus, fileIds: row.fileIds, at };
  if (!(await publishing.reconcile(row.ref, row.doubt, result))) {
    drop(row, postId);
    return leaveInReview(tools, row);
  }
  tools.log.info(
    { campaign: row.ref.campaign, row: row.ref.row + 1, postId },
    'found in the publishing records',
  );
  return { key: row.key, state: 'posted', postId, postStatus };
}

async function leaveInReview({ ledger, now }: RecordTools, row: DoubtfulRow): Promise<Reconciled> {
  const notedAt = now();
  const note = describeSearch(row, notedAt);
  await ledger.publishing.note(row.ref, row.doubt, { ...row.error, note, notedAt });
  return { key: row.key, state: 'review', note };
}
