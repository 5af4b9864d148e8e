/** Guests of a client link, who have no account, and what they decide. They are told nothing of what went wrong inside. */
import { changeSince, countFates, longestReason } from '../../app/approvals/approve.ts';
import { addComment, addDraftComment, longestComment } from '../../app/approvals/comments.ts';
import { isShared } from '../../app/approvals/shared-posts.ts';
import type { SharedSheet } from '../../app/approvals/shares.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import { type Actor, actorOf, type FullContext } from '../../app/operations/operation.ts';
import type { Tools } from '../../app/operations/tools.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { printable } from '../../manifest/printable.ts';
import {
  kindOfRefusal,
  UseCaseError,
  type UseCaseErrorCode,
} from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { decideIn } from '../pages/approvals/decide.ts';
import { type NamedPost, namedIn } from '../pages/approvals/posts.ts';
import type { Notice } from '../request.ts';

/** Any guest may comment, under a name. */
export async function commentAsGuest(tools: Tools, guest: Guest, form: URLSearchParams): Promise<Notice> {
  const { name } = guest;
  const [post] = namedIn(form);
  if (name === '') return nameless;
  const text = (form.get(`comment-${post?.position}`) ?? '').trim().slice(0, longestComment);
  if (text === '') return { state: 'warning', text: 'Type your comment first.' };
  if (post === undefined) return noPost;
  const comment = { by: name, text, isGuest: true };
  try {
    const row =
      guest.campaign === undefined
        ? await commentOnDraft(tools, guest, post, comment)
        : await commentOnCampaign(tools, guest, post, comment);
    if (row === undefined) return post.campaign === guest.share.draft && guest.campaign ? begun : noPost;
    await guestActor(tools, guest).record(approvalOperations.addComment, row, {});
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    return whyNotAdded(error.code);
  }
  return { state: 'done', text: 'Your comment was added. Thank you.' };
}

function whyNotAdded(code: UseCaseErrorCode): Notice {
  if (code === 'comment_refused') return unsaid;
  if (code === 'draft_changed' || code === 'draft_refused') return later;
  return kindOfRefusal(code) === 'missing' ? noPost : notNow;
}

type NewComment = Parameters<typeof addComment>[2];

/** @returns how the audit names the row; undefined if the guest is shown no such row. */
async function commentOnCampaign(
  tools: Tools,
  { campaign }: CampaignShare,
  post: NamedPost,
  comment: NewComment,
) {
  const { id } = campaign;
  const { runtime } = tools;
  if (post.campaign !== id || !(await isShown(tools, campaign, post.position))) return undefined;
  const key = await runtime.ledger.rowKeys.of(campaign, post.position);
  await addComment(runtime, { campaign: id, key }, comment);
  return { id, key };
}

async function commentOnDraft(
  { runtime, drafts }: Tools,
  { draft: { id } }: DraftShare,
  post: NamedPost,
  comment: NewComment,
) {
  if (post.campaign !== id || !(await isShared(drafts, id, post.position))) return undefined;
  const number = post.position + 1;
  await addDraftComment(runtime, { id, number }, comment);
  return { id: `draft ${id}`, key: String(number) };
}

/** A guest is shown no cancelled row, and no row that does not exist. */
async function isShown({ runtime }: Tools, { id, rows }: Campaign, row: RowIndex): Promise<boolean> {
  if (row >= rows) return false;
  const [status] = await runtime.ledger.rows.statusesOf(id, [row]);
  return status?.state !== 'cancelled';
}

/** @param isSure whether the guest knows that an approval may send the post at once. */
export async function decideAsGuest(
  tools: Tools,
  guest: Guest<CampaignShare>,
  what: 'approve' | 'reject',
  form: URLSearchParams,
  isSure: boolean,
): Promise<Notice> {
  const { campaign, name } = guest;
  const { id } = campaign;
  const [post] = namedIn(form);
  if (name === '') return nameless;
  // The link is of one campaign, whatever the form says.
  if (post === undefined || post.campaign !== id) return changed;
  const reason = (form.get(`reason-${post.position}`) ?? '').trim().slice(0, longestReason);
  if (what === 'reject' && reason === '')
    return { state: 'warning', text: 'What is wrong with it? Type the reason.' };
  // Counted again: its time may have come since the page was made.
  if (what === 'approve' && !isSure && (await countFates(tools.runtime, [post])).now > 0) return goesNow;
  const actor = guestActor(tools, guest);
  const verdict = what === 'reject' ? ({ decision: what, reason } as const) : { decision: what };
  const [outcome] = await decideIn(actor, id, [post], verdict);
  if (outcome === undefined) return changed;
  if (outcome.state === null) {
    // Not `refused`, which may tell of errors.
    const change = await changeSince(tools.runtime, campaign, post);
    return change === undefined ? changed : notDecided(change);
  }
  return { state: 'done', text: `${what === 'approve' ? 'Approved' : 'Rejected'}. Thank you.` };
}

const nameless: Notice = { state: 'warning', text: 'Who are you? Type your name first.' };
const notAdded = (more: string): Notice => ({ state: 'warning', text: 'Your comment was not added.', more });
const unsaid = notAdded('This post has reached the limit of comments.');
const noPost = notAdded('The post was not found: it may have been cancelled.');
const begun = notAdded('The plan has been started. Look at its posts, then comment again.');
const later = notAdded('The plan is being changed. Load this page again in a minute.');
const notNow = notAdded('Try again in a minute.');
const notDecided = (more: string): Notice => ({ state: 'warning', text: 'Nothing was decided.', more });
const changed = notDecided('The post has changed since you looked. Look at it again.');
const goesNow = notDecided(
  'This post is due: an approval sends it to the service now. If you want that, approve it again.',
);
export const tooManyChanges: Notice = {
  state: 'warning',
  text: 'Nothing was saved.',
  more: 'Too many changes through this link. Try again in a minute.',
};

/** Longest name of a guest, in characters. */
export const longestName = 60;

export type OpenedShare<Sheet extends SharedSheet = SharedSheet> = Sheet & { readonly token: string };
type CampaignShare = Extract<SharedSheet, { readonly campaign: object }>;
type DraftShare = Extract<SharedSheet, { readonly draft: object }>;

type Guest<Sheet extends SharedSheet = SharedSheet> = OpenedShare<Sheet> & {
  /** As typed; may be empty. */
  readonly name: string;
  /** Network address. */
  readonly from: string;
  readonly left: AbortSignal;
};

export function guestName(typed: string): string {
  return printable(typed.slice(0, longestName)).trim();
}

/** Acts under the name that was typed; the audit names the link. */
function guestActor(tools: Tools, { share, name, from, left }: Guest): Actor<FullContext> {
  const person = { name: `${name} (client link)`, isAnybody: false };
  return actorOf({ ...tools, person, source: { from, by: `client link ${share.id}` }, left });
}
