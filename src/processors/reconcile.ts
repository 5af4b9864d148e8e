/**
 * Settles rows in review from the publishing records: the post that a row may have made is looked for before a person is
 * asked. Exactly one record that no other row has makes the row posted. Everything else leaves it in review, with what was
 * found out in its error: a row is never sent again because a record was not found, for records may lag.
 */
import type { PublishingRecord } from '../api/posts.ts';
import type { Campaign } from '../ledger/campaigns.ts';
import type { Doubt } from '../ledger/publishing.ts';
import type { RowError } from '../ledger/states.ts';
import type { RowRef } from '../ledger/steps.ts';
import type { CampaignView } from './campaign-view.ts';
import { fileIdsOf } from './post-request.ts';
import { compareRecord, type SoughtPost } from './record-match.ts';
import { ownedPosts } from './record-owners.ts';
import { byCreatorAsked, type RecordTools, readRecords } from './record-source.ts';

/** A row in review whose post is looked for. */
interface DoubtfulRow extends SoughtPost {
  readonly ref: RowRef;
  readonly key: string;
  readonly doubt: Doubt;
  readonly error: RowError;
  /** Records that fit, by post id; more than a few are not needed to know that they are several. */
  readonly matches: Map<string, PublishingRecord>;
  incomparable: number;
}

export interface ReconcileOptions {
  /** Also rows that nothing new is to be expected of: a person asks. */
  readonly all: boolean;
}

/** What became of one row that was looked for. */
export type Reconciled =
  | { readonly key: string; readonly state: 'posted'; readonly postId: string; readonly postStatus: string }
  | { readonly key: string; readonly state: 'review'; readonly note: string };

const rowsAtOnce = 500;
const matchesKept = 5;

/** Looks for the posts of a campaign's rows in review. @throws {ApiError} when the records cannot be had. */
export async function* reconcileRows(
  tools: RecordTools,
  campaign: Campaign,
  options: ReconcileOptions,
): AsyncGenerator<Reconciled> {
  if (campaign.counts.review === 0) return;
  const view = await tools.views.open(campaign.id);
  if (!view) return;
  const rows = await tools.ledger.rows.inState(campaign.id, 'review');
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const doubtful = await findDoubtful(tools, view, rows.slice(start, start + rowsAtOnce), options);
    yield* reconcilePart(tools, campaign, doubtful);
  }
}

async function findDoubtful(
  { ledger, settings, now }: RecordTools,
  view: CampaignView,
  rows: readonly number[],
  { all }: ReconcileOptions,
): Promise<readonly DoubtfulRow[]> {
  const { id } = view.campaign;
  const [doubts, errors, works, statuses] = await Promise.all([
    ledger.publishing.doubts(id, rows),
    ledger.rows.errors(id, rows),
    ledger.rows.works(id, rows),
    ledger.rows.statusesOf(id, rows),
  ]);
  const found: DoubtfulRow[] = [];
  for (const [index, row] of rows.entries()) {
    const [doubt, error, work, status] = [doubts[index], errors[index], works[index], statuses[index]];
    if (!doubt || !error || !work || !status) continue;
    const sentAt = doubt.sentAt ?? error.at;
    if (!all && !isDue(error, sentAt + settings.records.settle, now())) continue;
    const spec = await view.row(row);
    const fileIds = fileIdsOf(spec, work);
    if (!fileIds) continue;
    const { at: scheduledAt } = spec.schedule ?? {};
    found.push({
      ref: { campaign: id, row, revision: status.revision },
      key: spec.key,
      doubt,
      error,
      matches: new Map(),
      incomparable: 0,
      creatorId: view.creator(spec.creator).creatorId,
      title: spec.caption,
      fileIds,
      productId: spec.product.id,
      // What was late is posted without a schedule, if at all.
      scheduledAt: scheduledAt !== undefined && scheduledAt > sentAt ? scheduledAt : undefined,
      sentAt,
    });
  }
  return found;
}

/** A row is looked for at once, and for the last time when records have had the time to appear. */
function isDue({ notedAt }: RowError, settledAt: number, now: number): boolean {
  return notedAt === undefined || (notedAt < settledAt && now >= settledAt);
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
  // Once more: a row may have been given the record as its answer while nothing told of the claim yet.
  const owned = await ownersOf(tools, campaign, claimed);
  for (const row of claimed) yield await take(tools, row, owned);
}

/** Reads through the records, and notes at each row those that fit. */
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

/** Drops records that are the posts of other rows. */
async function leaveToOwners(
  tools: RecordTools,
  campaign: Campaign,
  rows: readonly DoubtfulRow[],
): Promise<void> {
  const owned = await ownersOf(tools, campaign, rows);
  for (const { matches } of rows)
    for (const postId of matches.keys()) if (owned.has(postId)) matches.delete(postId);
}

function ownersOf({ ledger, settings }: RecordTools, { account }: Campaign, rows: readonly DoubtfulRow[]) {
  const postIds = new Set(rows.flatMap(({ matches }) => [...matches.keys()]));
  return ownedPosts(ledger, account, postIds, earliest(rows) - settings.records.window);
}

function earliest(rows: readonly SoughtPost[]): number {
  return rows.reduce((least, { sentAt }) => Math.min(least, sentAt), Number.POSITIVE_INFINITY);
}

/** Of rows that are alike, the first gets the record: which of them made it, nothing could tell. */
async function claim({ ledger }: RecordTools, row: DoubtfulRow, postId: string): Promise<boolean> {
  if (await ledger.publishing.claim(row.ref, postId)) return true;
  row.matches.clear();
  return false;
}

async function take(tools: RecordTools, row: DoubtfulRow, owned: ReadonlySet<string>): Promise<Reconciled> {
  const { publishing } = tools.ledger;
  const [record] = row.matches.values();
  if (!record || owned.has(record.postId)) {
    if (record) await publishing.release(row.ref, row.doubt, record.postId);
    row.matches.clear();
    return leaveInReview(tools, row);
  }
  const { postId, status: postStatus = '', createdAt: at = tools.now() } = record;
  const result = { postId, postStatus, fileIds: row.fileIds, at };
  if (!(await publishing.reconcile(row.ref, row.doubt, result))) {
    row.matches.clear();
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

function describeSearch({ matches, incomparable }: DoubtfulRow, at: number): string {
  const when = `at ${new Date(at).toISOString()}`;
  if (matches.size > 1) {
    const many = matches.size === matchesKept ? 'or more ' : '';
    return `The publishing records ${when} have ${matches.size} ${many}posts like it: ${[...matches.keys()].join(', ')}.`;
  }
  if (incomparable > 0) {
    return (
      `The publishing records ${when} do not tell: ${incomparable} of them lack creator, time of creation, or files and ` +
      'caption (setting api.listPosts.result).'
    );
  }
  return `Not found in the publishing records ${when}; they may lag.`;
}
