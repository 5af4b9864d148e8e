/** Posts of a campaign as its client links show them. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { needsApproval } from '../../manifest/approve.ts';
import { describeRows, type ListedRow, listRows } from '../campaigns/rows/list.ts';
import { isDue } from './approve.ts';
import { type ApprovalRuntime, inOrder, readPlace, readShownPosts, writePlace } from './waiting-posts.ts';

/** A post as guests see it: nothing of errors, cost, or of what else happens to it. */
export interface SharedPost {
  readonly campaign: string;
  readonly position: number;
  readonly revision: number;
  /** Of one that can be approved. */
  readonly seen: string | undefined;
  readonly creator: string;
  readonly caption: string;
  readonly product: string;
  /** Unix epoch, milliseconds; undefined for at once. */
  readonly at: number | undefined;
  readonly isVideo: boolean;
  readonly column: 'media' | 'outputs';
  /** Number of its pictures or videos. */
  readonly media: number;
  readonly state: 'to approve' | 'approved' | 'rejected' | 'planned' | 'not posted' | 'live';
  /** Whether an approval sends it to the service at once. */
  readonly goesNow: boolean;
}

/** Those that wait for an approval, or all but cancelled ones. @param page.from an earlier page's `next`; any other text for the first page. */
export async function listSharedPosts(
  runtime: ApprovalRuntime,
  campaign: Campaign,
  page: { readonly isOpen: boolean; readonly from: string | undefined; readonly limit: number },
): Promise<{ readonly posts: readonly SharedPost[]; readonly next: string | undefined }> {
  const { ledger, views } = runtime;
  const { rows, next } = await readPage(runtime, campaign, page);
  const positions = rows.map(({ position }) => position);
  const open = rows.filter(({ isUnapproved }) => isUnapproved).map(({ position }) => position);
  const view = await views.open(campaign.id, campaign.sheetVersion);
  const [shown, said, unpaid, assets, specs] = await Promise.all([
    readShownPosts(runtime, campaign, open),
    ledger.approvals.of(campaign.id, positions),
    ledger.approvals.areUnpaid(campaign.id, positions),
    ledger.rows.assetsOf(campaign.id, positions),
    Promise.all(positions.map((position) => view?.uncachedRow(position))),
  ]);
  const able = new Map(shown.filter(({ digest }) => digest !== undefined).map((post) => [post.row, post]));
  const posts = rows.flatMap((row, index): readonly SharedPost[] => {
    const post = able.get(row.position);
    // What can be approved is told by what its digest is made of, not by what was read before.
    const spec = post?.spec ?? specs[index];
    if (spec === undefined || row.state === 'cancelled') return [];
    const made = post?.progress.assets ?? assets[index]?.assets ?? [];
    const isGiven = spec.generation === undefined;
    // A ready row that waits for neither an approval nor spending has passed the gate with its approval.
    const isApproved =
      said[index]?.is === 'approved' &&
      needsApproval(spec, campaign.approve) &&
      !row.isUnapproved &&
      !unpaid[index];
    return [
      {
        campaign: campaign.id,
        position: row.position,
        revision: post?.revision ?? 0,
        seen: post?.digest,
        creator: spec.creator,
        caption: spec.caption,
        product: spec.product.title || spec.product.id,
        at: spec.schedule?.at,
        isVideo: spec.mediaType === 'VIDEO',
        column: isGiven ? 'media' : 'outputs',
        media: isGiven ? spec.media.length : made.length,
        state: post ? 'to approve' : stateOf(row, isApproved),
        goesNow: isDue(campaign, spec, runtime.now()),
      },
    ];
  });
  return { posts, next };
}

async function readPage(
  runtime: ApprovalRuntime,
  campaign: Campaign,
  { isOpen, from, limit }: Parameters<typeof listSharedPosts>[2],
): Promise<{ readonly rows: readonly ListedRow[]; readonly next: string | undefined }> {
  if (!isOpen) {
    const cursor = /^\d{1,9}$/.test(from ?? '') ? from : undefined;
    return listRows(runtime, campaign, { cursor, limit });
  }
  const place = { from: readPlace(from), most: limit + 1 };
  const waiting = await runtime.ledger.approvals.waiting(campaign.id, place);
  const rows = await describeRows(runtime, campaign, inOrder(waiting.slice(0, limit)));
  const next = waiting[limit];
  return { rows, next: next && writePlace(next) };
}

function stateOf({ state, delivery, error }: ListedRow, isApproved: boolean): SharedPost['state'] {
  if (delivery === 'live' || delivery === 'posted') return 'live';
  if (error?.code === 'rejected') return 'rejected';
  if (state === 'failed' || state === 'review') return 'not posted';
  return state === 'ready' && isApproved ? 'approved' : 'planned';
}
