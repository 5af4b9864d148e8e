/** A post on the page of a client link, with what a guest may do. */
import { longestReason } from '../../app/approvals/approve.ts';
import { longestComment } from '../../app/approvals/comments.ts';
import type { SharedPost } from '../../app/approvals/shared-posts.ts';
import { noPicture, type RowPicture } from '../../app/campaigns/rows/pictures.ts';
import type { Share } from '../../ledger/access/shares.ts';
import type { Comment } from '../../ledger/rows/histories.ts';
import { capitalized } from '../../manifest/wording.ts';
import { type Html, html } from '../html.ts';
import { dueNote, postCard } from '../pages/approvals/card.ts';
import { nameOf } from '../pages/approvals/posts.ts';
import { commentLines, notice } from '../parts/blocks.ts';
import { moment } from '../parts/numbers.ts';
import type { ShownPicture } from '../parts/picture.ts';
import { icon, type ShownState, stateBadge } from '../parts/state.ts';
import type { Notice } from '../request.ts';

const shownStates: Readonly<Record<SharedPost['state'], ShownState>> = {
  'to approve': 'review',
  approved: 'posted',
  rejected: 'failed',
  planned: 'scheduled',
  'not posted': 'failed',
  live: 'live',
};

export function idOf(position: number): string {
  return `post-${position}`;
}

interface CardContext {
  /** Where its forms go. */
  readonly address: (what: string, more?: Readonly<Record<string, string>>) => string;
  /** What went wrong with the last change, if it was about this post. */
  readonly told: Notice | undefined;
  readonly picture: RowPicture | undefined;
  readonly comments: readonly Comment[];
  /** Whether all posts of the list are in one state. */
  readonly isAlike: boolean;
  /** When a post without a time goes out, in words. */
  readonly soonest: string;
  readonly zone: string;
  readonly now: number;
}

export function card(
  own: string,
  { mayApprove }: Share,
  post: SharedPost,
  { address, told, picture, comments, isAlike, soonest, zone, now }: CardContext,
): Html {
  const { position, column, at, state } = post;
  const path = (of: string, index = 0) => `/media/${position}/${of}/${index}`;
  const shown = {
    ...post,
    when: at === undefined ? soonest : `${state === 'live' ? 'posted ' : ''}${moment(at, zone, now)}`,
    media: Array.from({ length: post.media }, (_, index) => path(column, index)),
    picture: pictureOf(picture, path),
  };
  const head = isAlike ? '' : html`<p>${stateBadge(shownStates[state], capitalized(state))}</p>`;
  const planned = at !== undefined && at > now ? `, for ${shown.when}` : '';
  const actions = mayApprove && state === 'to approve' ? decisions(address, post, planned) : '';
  const facts = html`${told && notice(told)}${state === 'to approve' && dueNote(at, now, onceLate[post.fate])}${comments.length > 0 && commentLines(comments, zone, now, 1)}`;
  const folds = commentField(address, post);
  const links = { link: (to: string) => `${own}${to}` };
  return postCard(links, shown, { id: idOf(position), head, facts, folds, actions });
}

/** What an approval does after the time of a post, as a guest needs to know it. */
const onceLate: Readonly<Record<SharedPost['fate'], string>> = {
  now: 'If you approve it now, it is posted right away.',
  late: 'Even if you approve it, it is not posted until it gets a new time.',
  later: '',
};

function commentField(
  address: CardContext['address'],
  { position, revision, seen = '', campaign }: SharedPost,
): Html {
  const value = html`name="one" value="${nameOf({ campaign, position, revision, seen })}"`;
  return html`<details class="comment"><summary>Comment…</summary><label>Comment<textarea name="comment-${position}" rows="2" maxlength="${longestComment}"></textarea></label><button ${value} formaction="${address('comment')}">Send</button></details>`;
}

/** At addresses of the link; without the name of a file, and why it is missing. */
function pictureOf(found: RowPicture = noPicture, path: (column: string) => string): ShownPicture {
  const { kind, source, column, plays } = found;
  return {
    ...found,
    kind: kind === 'missing' ? 'none' : kind,
    small: undefined,
    path: source === '' ? undefined : path(column),
    video: plays && path(plays),
  };
}

/** @param planned its time, if that is yet to come: the service keeps the post until then. */
function decisions(
  address: CardContext['address'],
  { position, revision, seen = '', campaign, at, fate }: SharedPost,
  planned: string,
): Html {
  const goesNow = fate === 'now';
  const value = html`name="one" value="${nameOf({ campaign, position, revision, seen })}"`;
  const what = at === undefined ? 'It is posted now.' : `It goes to the service now${planned}.`;
  const sure = `Approve and ${at === undefined ? 'post' : 'send'} now`;
  const approve = html`<button${goesNow && html` class="primary"`} ${value} formaction="${address('approve', goesNow ? { sure: 'yes' } : {})}">${goesNow ? sure : html`${icon('posted')}Approve`}</button>`;
  // What goes out cannot be taken back: a second step.
  return html`${goesNow ? html`<details><summary class="button">${icon('posted')}Approve…</summary><p>${what}</p>${approve}</details>` : approve}
    <details><summary class="button bare">Reject…</summary><label>Reason<textarea name="reason-${position}" rows="3" maxlength="${longestReason}"></textarea></label><button class="danger" ${value} formaction="${address('reject')}">Reject</button></details>`;
}
