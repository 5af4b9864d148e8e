/**
 * Looks up the posts of failed rows before these rows are sent again. If the post was published after all, the row is posted. If
 * that cannot be found out, the row is left out.
 */

import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { EarlierPosts } from '../../../ledger/transitions/publishing.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { type Recheck, recheckPosts } from '../../../processors/publishing-records/failed-posts.ts';
import type { RecordTools } from '../../../processors/publishing-records/source.ts';
import { ApiError } from '../../../service/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';

export type Rechecked = ReadonlyMap<number, Recheck>;

/** @param rows failed rows. @param had earlier posts by row (`ledger.failedPosts.all`). @returns results; none without a post. */
export async function recheckRows(
  runtime: RecordRuntime,
  campaign: Campaign,
  rows: readonly number[],
  had: ReadonlyMap<number, EarlierPosts>,
): Promise<Rechecked> {
  const sought = new Map(rows.flatMap((row) => (had.has(row) ? [[row, had.get(row) ?? []]] : [])));
  if (sought.size === 0) return new Map();
  const unread = (why: string): Rechecked =>
    new Map([...sought.keys()].map((row) => [row, { kind: 'unread', why }]));
  if (runtime.settings.api.listPosts === null) return unread('reading the publishing records is not set up');
  try {
    const view = await runtime.views.open(campaign.id, campaign.sheetVersion);
    return view ? await recheckPosts(await recordTools(runtime), view, sought) : new Map();
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof UseCaseError)) throw error;
    return unread(`the publishing records could not be read (${error.message.replace(/\.$/, '')})`);
  }
}

/** As `recheckRows`, for all failed rows of a campaign. */
export async function recheckFailed(runtime: RecordRuntime, campaign: Campaign): Promise<Rechecked> {
  const had = await runtime.ledger.failedPosts.all(campaign.id);
  if (had.size === 0) return new Map();
  return recheckRows(runtime, campaign, await runtime.ledger.rows.inState(campaign.id, 'failed'), had);
}

/** Marks rows as posted whose posts were published after all. @returns these rows, without those that changed meanwhile. */
export async function postAgain(
  { ledger, queues, log }: Pick<Runtime, 'ledger' | 'queues' | 'log'>,
  { id }: Campaign,
  rechecked: Rechecked,
): Promise<readonly { readonly key: string; readonly postId: string; readonly postStatus: string }[]> {
  const posted: { key: string; postId: string; postStatus: string }[] = [];
  for (const [row, found] of rechecked) {
    if (found.kind !== 'posted') continue;
    const [status] = await ledger.rows.statuses(id, row, 1);
    if (status?.state !== 'failed') continue;
    const ref = { campaign: id, row, revision: status.revision };
    if ((await ledger.failedPosts.postAgain(ref, found.earlier, found.result)) === 'stale') continue;
    await queues.removeFlow(ref);
    const { postId, postStatus } = found.result;
    log.info({ campaign: id, row: row + 1, postId, status: postStatus }, 'post no longer failed');
    posted.push({ key: found.key, postId, postStatus });
  }
  return posted;
}

export type RecordRuntime = Pick<Runtime, 'ledger' | 'settings' | 'views' | 'now' | 'log'> & {
  readonly service: Pick<Runtime['service'], 'need'>;
};

/** @throws {UseCaseError} `service_not_configured`. */
export async function recordTools<T extends RecordRuntime>(runtime: T): Promise<T & RecordTools> {
  return { ...runtime, ...(await runtime.service.need()) };
}
