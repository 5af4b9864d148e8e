/** Posts as client links show them: those of a campaign, and the rows of a draft that can be posted, as they are planned now. */

import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { needsApproval } from '../../manifest/campaign-options.ts';
import { creatorIn } from '../../manifest/cells/id.ts';
import { isUrl, kindOf } from '../../manifest/cells/media-source.ts';
import { readTime } from '../../manifest/cells/time.ts';
import { Zones } from '../../manifest/cells/zone.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import type { Depicted, Pictures } from '../../service/media/pictures.ts';
import { describeRows, type ListedRow, listRows } from '../campaigns/rows/list.ts';
import type { RowPicture } from '../campaigns/rows/pictures.ts';
import { mediaSources, textIn, timeIn } from '../drafts/check/check-view.ts';
import type { Draft } from '../drafts/draft.ts';
import type { OpenDrafts } from '../drafts/open-drafts.ts';
import { draftDepicted, draftPicturesOf } from '../drafts/pictures.ts';
import type { CheckedDraft, DraftRow } from '../drafts/view.ts';
import { fateOf } from './fates.ts';
import {
  type ApprovalRuntime,
  detailsOf,
  inOrder,
  readPlace,
  readShownPosts,
  writePlace,
} from './waiting-posts.ts';

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
  /** `WaitingPost.details`; none of a draft, which nobody approves. */
  readonly details: readonly string[];
  /** Unix epoch, milliseconds: its time, or when it was posted; undefined for at once. */
  readonly at: number | undefined;
  readonly isVideo: boolean;
  readonly column: 'media' | 'outputs';
  readonly media: number;
  readonly state: 'to approve' | 'approved' | 'rejected' | 'planned' | 'not posted' | 'live';
  readonly fate: ReturnType<typeof fateOf>;
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
    ledger.approvals.areAt(campaign.id, 'unpaid', positions),
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
    const state = post ? 'to approve' : stateOf(row, isApproved);
    return [
      {
        campaign: campaign.id,
        position: row.position,
        revision: post?.revision ?? 0,
        seen: post?.digest,
        creator: spec.creator,
        caption: spec.caption,
        product: spec.product.title || spec.product.id,
        details: detailsOf(spec),
        at: spec.schedule?.at ?? (state === 'live' && row.changedAt ? Date.parse(row.changedAt) : undefined),
        isVideo: spec.mediaType === 'VIDEO',
        column: isGiven ? 'media' : 'outputs',
        media: isGiven ? spec.media.length : made.length,
        state,
        fate: fateOf(runtime, campaign, spec),
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

export interface SharedRows {
  /** Undefined while the sheet is being checked. */
  readonly checked: CheckedDraft | undefined;
  readonly posts: readonly SharedPost[];
  readonly next: number | undefined;
  /** By position. */
  readonly pictures: ReadonlyMap<RowIndex, RowPicture>;
}

/** @param page.from how many rows come before. Their positions are those in the sheet. @throws {UseCaseError} `draft_not_found`, `draft_not_stored`. */
export async function listSharedRows(
  { drafts, pictures }: { readonly drafts: OpenDrafts; readonly pictures: Pictures },
  { id }: Draft,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<SharedRows> {
  const view = await drafts.look(id);
  const { checked } = view;
  if (checked === undefined) return { checked, posts: [], next: undefined, pictures: new Map() };
  const { rows, total } = await drafts.window(id, 'accepted', from, limit);
  const found = await draftPicturesOf(pictures, view, checked, rows);
  const shown = [...found].map(([number, picture]): readonly [RowIndex, RowPicture] => [
    number - 1,
    // Others cannot be opened here.
    picture.kind === 'ready' ? picture : { ...picture, source: '' },
  ]);
  return {
    checked,
    posts: rows.map((row) => postOf(id, checked, row)),
    next: from + limit < total ? from + limit : undefined,
    pictures: new Map(shown),
  };
}

function postOf(draft: string, checked: CheckedDraft, row: DraftRow): SharedPost {
  const text = (name: Parameters<typeof textIn>[2]) => textIn(checked, row, name);
  const sources = mediaSources(checked, row);
  return {
    campaign: draft,
    position: row.number - 1,
    revision: 0,
    seen: undefined,
    creator: creatorIn(text('creator')),
    caption: text('caption'),
    product: text('product_title') || text('product_id'),
    details: [],
    at: timeOf(checked, row),
    isVideo: kindOf(sources[0] ?? '') === 'VIDEO',
    column: 'media',
    media: sources.some(isUrl) ? 0 : sources.length,
    state: 'planned',
    fate: 'later',
  };
}

function timeOf(checked: CheckedDraft, row: DraftRow): number | undefined {
  const zones = new Zones();
  const zone = zones.find(textIn(checked, row, 'scheduled_tz')) ?? zones.find(checked.timezone ?? '');
  const read = readTime(timeIn(checked, row), zone);
  return 'at' in read ? read.at : undefined;
}

/** A file of a row that can be posted. @throws {UseCaseError} `draft_not_found`, `media_not_shown`. */
export async function sharedRowMedium(
  drafts: OpenDrafts,
  { id }: Draft,
  position: RowIndex,
  index: number,
): Promise<Depicted> {
  if (!(await isShared(drafts, id, position)))
    throw new UseCaseError('media_not_shown', 'the draft shows no such row');
  return draftDepicted(drafts, id, position + 1, index);
}

/** Whether guests see the row. */
export async function isShared(
  drafts: Pick<OpenDrafts, 'window'>,
  draft: string,
  position: RowIndex,
): Promise<boolean> {
  const { rows } = await drafts.window(draft, 'all', position, 1);
  return rows[0]?.number === position + 1 && rows[0].state === 'accepted';
}
