/** Rows in review whose post may have been sent: what to look for, and what looking for it has told. */
import type { PublishingRecord } from '../../api/posts.ts';
import type { Doubt } from '../../ledger/publishing.ts';
import type { RowError } from '../../ledger/states.ts';
import type { RowRef } from '../../ledger/steps.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import { fileIdsOf } from '../steps/post-request.ts';
import type { SoughtPost } from './match.ts';
import type { RecordTools } from './source.ts';

/** Records kept of those that fit a row. */
export const matchesKept = 5;

/** A row in review whose post is looked for. */
export interface DoubtfulRow extends SoughtPost {
  readonly ref: RowRef;
  readonly key: string;
  readonly doubt: Doubt;
  readonly error: RowError;
  /** Records that fit, by post id; more than a few are not needed to know that they are several. */
  readonly matches: Map<string, PublishingRecord>;
  /** Records that fit, and are the posts of other rows. */
  readonly taken: Set<string>;
  /** Records that lack what it takes to compare them. */
  incomparable: number;
  /** By when a record should have appeared. Unix epoch, milliseconds. */
  readonly knownBy: number;
}

/**
 * Those of the rows that are to be looked for.
 * @param options.all also those that nothing new is to be expected of.
 */
export async function findDoubtful(
  { ledger, settings, now }: RecordTools,
  view: CampaignView,
  rows: readonly number[],
  { all }: { readonly all: boolean },
): Promise<readonly DoubtfulRow[]> {
  const { id } = view.campaign;
  const [doubts, errors, records, statuses] = await Promise.all([
    ledger.publishing.doubts(id, rows),
    ledger.rows.errors(id, rows),
    ledger.rows.progressOf(id, rows),
    ledger.rows.statusesOf(id, rows),
  ]);
  const found: DoubtfulRow[] = [];
  for (const [index, row] of rows.entries()) {
    const [doubt, error, progress, status] = [doubts[index], errors[index], records[index], statuses[index]];
    if (!doubt || !error || !progress || !status) continue;
    const sentAt = doubt.sentAt ?? error.at;
    const knownBy = sentAt + settings.records.settle;
    if (!all && !isDue(error, knownBy, now())) continue;
    const spec = await view.row(row);
    const fileIds = fileIdsOf(spec, progress);
    if (!fileIds) continue;
    const { at: scheduledAt } = spec.schedule ?? {};
    found.push({
      ref: { campaign: id, row, revision: status.revision },
      key: spec.key,
      doubt,
      error,
      matches: new Map(),
      taken: new Set(),
      incomparable: 0,
      knownBy,
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
function isDue({ notedAt }: RowError, knownBy: number, now: number): boolean {
  return notedAt === undefined || (notedAt < knownBy && now >= knownBy);
}

/** What a search has told, for the person who has to decide. */
export function describeSearch({ matches, taken, incomparable, knownBy }: DoubtfulRow, at: number): string {
  const when = `at ${isoTime(at)}`;
  if (matches.size > 1) {
    const many = matches.size === matchesKept ? 'or more ' : '';
    return `The publishing records ${when} have ${matches.size} ${many}posts like it: ${[...matches.keys()].join(', ')}.`;
  }
  if (taken.size > 0) {
    return `What fits in the publishing records ${when} is the post of another row: ${[...taken].join(', ')}.`;
  }
  if (incomparable > 0) {
    return (
      `The publishing records ${when} do not tell: ${incomparable} of them lack creator, time of creation, or files and ` +
      'caption (setting api.listPosts.result).'
    );
  }
  return at < knownBy
    ? `Not found in the publishing records ${when}. They may lag: it is looked for again after ${isoTime(knownBy)}.`
    : `Not found in the publishing records ${when}; records may lag, so it is not sent again by itself.`;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
