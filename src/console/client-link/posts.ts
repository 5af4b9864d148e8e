/** The posts of a campaign or draft that the page of a client link shows. */
import { listSharedPosts, listSharedRows, type SharedPost } from '../../app/approvals/shared-posts.ts';
import { picturesOf, type RowPicture } from '../../app/campaigns/rows/pictures.ts';
import type { Draft } from '../../app/drafts/draft.ts';
import { listDraftComments } from '../../app/drafts/store/comments.ts';
import { manifestName } from '../../importers/open/manifest-file.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Comment } from '../../ledger/rows/histories.ts';
import { plural, thousands } from '../../manifest/wording.ts';
import type { HttpContext } from '../http/context.ts';

const postsOfPage = 48;

/** What the page shows of a campaign or draft. */
export interface SharedPosts {
  readonly name: string;
  readonly posts: readonly SharedPost[];
  readonly next: string | undefined;
  /** By position. */
  readonly pictures: ReadonlyMap<number, RowPicture>;
  readonly comments: ReadonlyMap<number, readonly Comment[]>;
  readonly timezone: string | null | undefined;
  /** Whether it shows only those to approve. */
  readonly isOpen: boolean;
  /** How many there are to approve; undefined before the start. */
  readonly unapproved: number | undefined;
  /** Stands below the name. */
  readonly about: string;
  /** How many of how many are approved; undefined where not all are to be. */
  readonly approved?: readonly [many: number, all: number] | undefined;
}

export async function readCampaign(
  { tools: { runtime, pictures } }: HttpContext,
  campaign: Campaign,
  place: URLSearchParams,
): Promise<SharedPosts> {
  const { id, name, unapproved, unpaid, rows, counts, approve, timezone } = campaign;
  const isOpen = unapproved > 0 && !place.has('show');
  const page = { isOpen, from: place.get('from') ?? undefined, limit: postsOfPage };
  const listed = await listSharedPosts(runtime, campaign, page);
  const positions = listed.posts.map(({ position }) => position);
  const [found, comments] = await Promise.all([
    picturesOf(runtime, pictures, campaign, positions),
    runtime.ledger.comments.of(id, positions),
  ]);
  const todo = unapproved > 0 ? `${plural(unapproved, 'post')} to approve` : 'Nothing to approve now';
  return {
    ...listed,
    name,
    timezone,
    isOpen,
    unapproved,
    pictures: found,
    comments: new Map(positions.map((position, index) => [position, comments[index] ?? []])),
    about: approve === 'all' ? todo : `${todo} · ${thousands(rows)} in all`,
    // What has passed the gate, or waits behind it for its day.
    approved:
      approve === 'all'
        ? [counts.posted + counts.review + counts.ready - unapproved - unpaid, rows - counts.cancelled]
        : undefined,
  };
}

export async function readDraft(
  { tools }: HttpContext,
  draft: Draft,
  place: URLSearchParams,
): Promise<SharedPosts> {
  const from = place.get('from') ?? '';
  const page = { from: /^\d{1,9}$/.test(from) ? Number(from) : 0, limit: postsOfPage };
  const { checked, next, ...listed } = await listSharedRows(tools, draft, page);
  const numbers = listed.posts.map(({ position }) => position + 1);
  const comments = new Map<number, Comment[]>();
  for (const { number: row, comment } of await listDraftComments(tools.runtime, draft, { numbers }))
    comments.set(row - 1, [...(comments.get(row - 1) ?? []), comment]);
  return {
    ...listed,
    next: next === undefined ? undefined : String(next),
    comments,
    isOpen: false,
    unapproved: undefined,
    name: draft.options.name ?? checked?.name ?? manifestName(draft.sheet?.name ?? ''),
    timezone: checked?.timezone,
    about: checked
      ? `${plural(checked.accepted, 'post')} planned`
      : 'Not ready yet: load this page again in a minute',
  };
}
