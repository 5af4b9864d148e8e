/**
 * Reconciles rows in review with the publishing records: searches for the post that a row may have made, before a person is asked.
 * Exactly one matching record that no other row has makes the row posted. Otherwise the row stays in review, with a note about the
 * search. A row is never sent again because no record was found: records may lag.
 */

import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import type { PostOwner } from '../../ledger/transitions/publishing.ts';
import { rowNumber } from '../../manifest/row.ts';
import type { Queues } from '../../queues/queues.ts';
import { ApiError } from '../../service/errors.ts';
import type { PublishingRecord } from '../../service/posts.ts';
import type { ListExtent } from '../../service/transport/paging.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { failPosts, isFailed, timeToCome } from './failed-posts.ts';
import { followPosts } from './follow-posts.ts';
import { compareRecord } from './match.ts';
import { byCreatorAsked, type RecordTools, readRecords } from './source.ts';
import {
  candidatesOf,
  describeSearch,
  findUnknown,
  matchesKept,
  provesAbsence,
  type UnknownRow,
} from './unknown-rows.ts';

/** `queues`: to remove the jobs of rows that are found. */
interface ReconcileTools extends RecordTools {
  readonly queues: Pick<Queues, 'removeFlow'>;
}

interface ReconcileOptions {
  /** Includes rows for which nothing new is expected, because a person asks. */
  readonly all: boolean;
  /** Only these rows; default: all in review. */
  readonly rows?: readonly number[] | undefined;
}

export type Reconciled =
  /** `failed`: the post was found, and was not published. */
  | {
      readonly key: string;
      readonly state: 'posted' | 'failed';
      readonly postId: string;
      readonly postStatus: string;
    }
  | { readonly key: string; readonly state: 'review'; readonly note: string };

const rowsAtOnce = 500;
const notesAtOnce = 50;

/** Searches for the posts of a campaign's rows in review. @throws {ApiError} when the records cannot be read. */
export async function* reconcileRows(
  tools: ReconcileTools,
  campaign: Campaign,
  options: ReconcileOptions,
): AsyncGenerator<Reconciled> {
  if (campaign.counts.review === 0) return;
  const view = await tools.views.open(campaign.id, campaign.sheetVersion);
  if (!view) return;
  const rows = options.rows ?? (await tools.ledger.rows.inState(campaign.id, 'review'));
  for (const batch of batches(rows, rowsAtOnce)) {
    yield* reconcilePart(tools, view, await findUnknown(tools, view, batch, options));
  }
}

async function* reconcilePart(
  tools: ReconcileTools,
  view: CampaignView,
  rows: readonly UnknownRow[],
): AsyncGenerator<Reconciled> {
  if (rows.length === 0) return;
  try {
    await search(tools, rows);
  } catch (error) {
    if (error instanceof ApiError) await noteUnread(tools, rows, error);
    throw error;
  }
  await leaveToOwners(tools, rows);
  const claimed: UnknownRow[] = [];
  for (const row of rows) {
    const [postId] = row.matches.keys();
    const isOnly = row.matches.size === 1 && !row.hasMoreMatches;
    if (isOnly && postId && (await claim(tools, row, postId))) claimed.push(row);
    else yield await leaveInReview(tools, row);
  }
  for (const row of claimed) {
    const end = await take(tools, view, row);
    // Its failed job would look like work for somebody in Bull Board.
    if (end.state !== 'review') await tools.queues.removeFlow(row.ref);
    yield end;
  }
}

async function search(tools: RecordTools, rows: readonly UnknownRow[]): Promise<void> {
  const { window } = tools.settings.records;
  for (const [creatorId, sought] of byCreatorAsked(tools, rows)) {
    const options = { window, ofCreator: creatorId !== undefined };
    const earliest = sought.reduce((least, { sentAt }) => Math.min(least, sentAt), Infinity);
    const createdFrom = earliest - window;
    const onEnd = (extent: ListExtent) => {
      for (const row of sought) row.extent = extent;
    };
    for await (const record of readRecords(tools, { creatorId, createdFrom }, onEnd)) {
      for (const row of sought) {
        const comparison = compareRecord(record, row, options);
        if (comparison === 'incomparable') row.incomparable += 1;
        if (comparison === 'similar' && row.similar.size < matchesKept)
          row.similar.set(record.postId, record);
        if (comparison === 'same') addMatch(row, record);
      }
    }
  }
}

function addMatch(row: UnknownRow, record: PublishingRecord): void {
  if (row.matches.size < matchesKept) row.matches.set(record.postId, record);
  else if (!row.matches.has(record.postId)) row.hasMoreMatches = true;
}

/** Removes posts of other rows, and the row's own earlier posts. */
async function leaveToOwners(tools: RecordTools, rows: readonly UnknownRow[]): Promise<void> {
  const postIds = rows.flatMap(({ matches, similar }) => [...matches.keys(), ...similar.keys()]);
  const owners = await tools.ledger.publishing.owners(postIds);
  for (const row of rows) {
    for (const postId of [...row.matches.keys(), ...row.similar.keys()]) {
      const owner = owners.get(postId);
      if (owner) drop(row, postId, owner);
    }
  }
}

/** @param owner undefined if it is not known which other row. */
function drop(row: UnknownRow, postId: string, owner: PostOwner | undefined): void {
  row.similar.delete(postId);
  const isMatch = row.matches.delete(postId);
  const isOwn = owner?.campaign === row.ref.campaign && owner.row === row.ref.row;
  if (isMatch && !isOwn) row.taken.add(postId);
}

/** The first of several similar rows gets the record, because nothing shows which of them made it. */
async function claim({ ledger }: RecordTools, row: UnknownRow, postId: string): Promise<boolean> {
  const isOurs = await ledger.publishing.claim(row.ref, postId);
  if (!isOurs) drop(row, postId, undefined);
  return isOurs;
}

async function take(tools: RecordTools, view: CampaignView, row: UnknownRow): Promise<Reconciled> {
  const [record] = row.matches.values();
  if (!record) return leaveInReview(tools, row);
  const { postId, status: postStatus = '', createdAt: at = tools.now() } = record;
  const plannedAt = timeToCome(tools, { postStatus, plannedAt: row.scheduledAt });
  const result = { postId, postStatus, fileIds: row.fileIds ?? [], plannedAt, at };
  if (!(await tools.ledger.publishing.reconcile(row.ref, row.unknownCall, result))) {
    drop(row, postId, undefined);
    return leaveInReview(tools, row);
  }
  const { key, ref } = row;
  const facts = { campaign: ref.campaign, row: rowNumber(ref.row), postId };
  tools.log.info(facts, 'found in the publishing records');
  if (!isFailed(tools, postStatus)) return { key, state: 'posted', postId, postStatus };
  const failure = { key, row: ref.row, before: result, postStatus, reason: record.failureReason };
  const [failed] = await failPosts(tools, view, [failure]);
  return { key, state: failed ? 'failed' : 'posted', postId, postStatus };
}

async function leaveInReview({ ledger, now }: RecordTools, row: UnknownRow): Promise<Reconciled> {
  const notedAt = now();
  const note = describeSearch(row, notedAt);
  const found = { candidates: candidatesOf(row), isNotFound: provesAbsence(row, notedAt) };
  await ledger.publishing.recordNote(row.ref, row.unknownCall, { ...row.error, ...found, note, notedAt });
  return { key: row.key, state: 'review', note };
}

/** Notes on rows without a search result why there is none. Earlier results stay. */
async function noteUnread(
  { ledger }: RecordTools,
  rows: readonly UnknownRow[],
  { message }: ApiError,
): Promise<void> {
  const note = `The publishing records could not be read: ${message}`;
  const unread = rows.filter(({ error }) => error.notedAt === undefined && error.note !== note);
  for (const batch of batches(unread, notesAtOnce)) {
    await Promise.all(
      batch.map((row) => ledger.publishing.recordNote(row.ref, row.unknownCall, { ...row.error, note })),
    );
  }
}

/** The scheduled job: reconciles and follows the posts of every campaign, ended or not. */
export async function reconcileAll(
  context: ProcessorContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (context.settings.api.listPosts === null) return;
  for (const campaign of await context.ledger.campaigns.list()) {
    signal?.throwIfAborted();
    await reconcileAndFollow({ ...context, ...context.service, signal }, campaign);
  }
}

/** One campaign. Errors are logged; the next run tries again. */
async function reconcileAndFollow(tools: ReconcileTools, campaign: Campaign): Promise<void> {
  try {
    await reconcileCampaign(tools, campaign, { all: false });
    if (await isFollowDue(tools, campaign)) {
      for await (const { key, postId, after } of followPosts(tools, campaign, { all: false })) {
        tools.log.info({ campaign: campaign.id, key, postId, status: after }, 'post followed');
      }
    }
  } catch (error) {
    // An error with one campaign must not stop the check of the others.
    tools.signal?.throwIfAborted();
    const code = error instanceof ApiError ? error.code : undefined;
    tools.log.warn({ campaign: campaign.id, code, error: String(error) }, 'publishing records not read');
  }
}

/** @returns how many rows in review were found in the records. @throws {ApiError} when the records cannot be read. */
export async function reconcileCampaign(
  tools: ReconcileTools,
  campaign: Campaign,
  options: ReconcileOptions,
): Promise<number> {
  let found = 0;
  for await (const { state } of reconcileRows(tools, campaign, options)) if (state !== 'review') found += 1;
  return found;
}

async function isFollowDue(tools: RecordTools, { id, counts }: Campaign): Promise<boolean> {
  if (counts.posted === 0) return false;
  const { publishing } = tools.ledger;
  const before = await publishing.followState(id);
  const hasMore = before === undefined || before.posted !== counts.posted;
  if (!hasMore && (before.next === undefined || before.next > tools.now())) return false;
  return publishing.claimFollow(id, tools.settings.records.every);
}
