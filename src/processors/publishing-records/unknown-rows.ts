/** Rows in review whose post may have been sent: what to search for, and what the search found. */

import { fileIdsOf } from '../../ledger/rows/row-progress.ts';
import type { RecordCandidate, RowError } from '../../ledger/states.ts';
import type { UnknownCall } from '../../ledger/transitions/publishing.ts';
import type { RowIndex, RowRef } from '../../manifest/row.ts';
import type { PublishingRecord } from '../../service/posts.ts';
import type { ListExtent } from '../../service/transport/paging.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import type { SoughtPost } from './match.ts';
import { describePart, logUnreadable, type RecordTools } from './source.ts';

/** At most this many matching records are kept per row. */
export const matchesKept = 5;
/** Longest part of a record's caption to keep for a person, in UTF-16 units. */
const longestTitle = 500;

export interface UnknownRow extends SoughtPost {
  readonly ref: RowRef;
  readonly key: string;
  readonly unknownCall: UnknownCall;
  readonly error: RowError;
  /** Matching records, by post id; only the first few are kept. */
  readonly matches: Map<string, PublishingRecord>;
  /** Whether further records match, which were not kept, so that it is unknown whose posts they are. */
  hasMoreMatches: boolean;
  /** Matching records that are posts of other rows. */
  readonly taken: Set<string>;
  /** Records whose caption is only similar, by post id; only the first few are kept. */
  readonly similar: Map<string, PublishingRecord>;
  /** Number of records that lack the fields to compare. */
  incomparable: number;
  /** How much of the records was read; undefined before the search. */
  extent: ListExtent | undefined;
  /** When a record should have appeared at the latest. Unix epoch, milliseconds. */
  readonly knownBy: number;
}

/** @param options.all also rows for which nothing new is expected. */
export async function findUnknown(
  { ledger, settings, now, log }: RecordTools,
  view: CampaignView,
  rows: readonly RowIndex[],
  { all }: { readonly all: boolean },
): Promise<readonly UnknownRow[]> {
  const { id } = view.campaign;
  const [unknownCalls, errors, records, statuses] = await Promise.all([
    ledger.publishing.unknownCalls(id, rows),
    ledger.rows.errors(id, rows),
    ledger.rows.progressOf(id, rows),
    ledger.rows.statusesOf(id, rows),
  ]);
  const found: UnknownRow[] = [];
  let unreadable = 0;
  for (const [index, row] of rows.entries()) {
    const [unknownCall, error] = [unknownCalls[index], errors[index]];
    const [progress, status] = [records[index], statuses[index]];
    if (!unknownCall || !error || !progress || !status) continue;
    // A record may be that of an earlier call: it tells nothing of one that is under way.
    if (progress.underWayUntil !== undefined && progress.underWayUntil > now()) continue;
    const { sentAt = view.campaign.createdAt, sentUntil = unknownCall.sentAt ?? error.at } = unknownCall;
    const knownBy = sentUntil + settings.records.settle;
    if (!all && !isDue(error, knownBy, now())) continue;
    const read = await view.readableWithCreator(row);
    if (!read) {
      unreadable += 1;
      continue;
    }
    const { row: spec, creator } = read;
    const fileIds = fileIdsOf(spec, progress);
    // Of a row that may have been sent in what is lost, the files are not known either.
    if (!fileIds && !unknownCall.isLost) continue;
    const { at: scheduledAt } = spec.schedule ?? {};
    found.push({
      ref: { campaign: id, row, revision: status.revision },
      key: spec.key,
      unknownCall,
      error,
      matches: new Map(),
      hasMoreMatches: false,
      taken: new Set(),
      similar: new Map(),
      incomparable: 0,
      extent: undefined,
      knownBy,
      creatorId: creator.creatorId,
      title: spec.caption,
      fileIds,
      productId: spec.product.id,
      // A late row is posted without a schedule, if at all.
      scheduledAt: scheduledAt !== undefined && scheduledAt > sentAt ? scheduledAt : undefined,
      sentAt,
      sentUntil,
    });
  }
  logUnreadable(log, id, unreadable);
  return found;
}

/** A row is searched for at once, and once more when its record should have appeared. */
function isDue({ notedAt }: RowError, knownBy: number, now: number): boolean {
  return notedAt === undefined || (notedAt < knownBy && now >= knownBy);
}

/** Whether the records do not have the post: none is similar, all were read, and it was late enough. @param at time of the search. */
export function provesAbsence(row: UnknownRow, at: number): boolean {
  const { matches, hasMoreMatches, taken, similar, incomparable, extent, knownBy } = row;
  if (hasMoreMatches) return false;
  return (
    matches.size + taken.size + similar.size + incomparable === 0 && extent?.isWhole === true && at >= knownBy
  );
}

/** Result of a search, for the person who has to decide. @param at its time. */
export function describeSearch(
  { matches, hasMoreMatches, taken, similar, incomparable, extent, knownBy }: UnknownRow,
  at: number,
): string {
  const when = `at ${isoTime(at)}${describePart(extent)}`;
  if (hasMoreMatches) {
    const free = matches.size === 0 ? '' : ` No other row has ${[...matches.keys()].join(', ')}.`;
    return `The publishing records ${when} have more than ${matchesKept} posts that fit this row.${free}`;
  }
  if (matches.size > 1) {
    return `The publishing records ${when} have ${matches.size} posts that fit this row: ${[...matches.keys()].join(', ')}.`;
  }
  if (similar.size > 0) {
    return `The publishing records ${when} have posts that may be this row's, but their captions are not quite the same: ${[...similar.keys()].join(', ')}.`;
  }
  if (taken.size > 0) {
    return `In the publishing records ${when}, the only posts that fit belong to other rows: ${[...taken].join(', ')}.`;
  }
  if (incomparable > 0) {
    return (
      `The publishing records ${when} cannot be compared: ${incomparable} of them lack the creator, the creation time, or files ` +
      'and caption. An operator can check how they are read.'
    );
  }
  if (!extent?.isWhole) {
    const shown = extent?.total
      ? `${extent.seen} of ${extent.total} publishing records were shown`
      : 'one page of the publishing records was seen';
    return (
      `Only ${shown} at ${isoTime(at)}, and none fits. The post may be among the rest. If there are more pages, ` +
      'an operator can set up how they are read.'
    );
  }
  return at < knownBy
    ? `Not found in the publishing records ${when}. They may lag, so the search is repeated after ${isoTime(knownBy)}.`
    : `Not found in the publishing records ${when}. They may lag, so the row is not resent automatically.`;
}

/** The records that a person has to compare with the row. */
export function candidatesOf({ matches, similar }: UnknownRow): readonly RecordCandidate[] | undefined {
  const found = [
    ...[...matches.values()].map((record) => candidate(record, false)),
    ...[...similar.values()].map((record) => candidate(record, true)),
  ];
  return found.length === 0 ? undefined : found;
}

function candidate(
  { postId, status, title, productId, businessId, scheduledAt, createdAt }: PublishingRecord,
  isSimilar: boolean,
): RecordCandidate {
  const facts = { postId, status, isSimilar, productId, scheduledAt, createdAt };
  return { ...facts, title: title?.slice(0, longestTitle), hasFiles: businessId !== undefined };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
