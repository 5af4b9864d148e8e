/** The page of a client link. */
import { longestReason } from '../../app/approvals/approve.ts';
import { longestComment } from '../../app/approvals/comments.ts';
import { listSharedPosts, type SharedPost } from '../../app/approvals/shared-posts.ts';
import { noPicture, picturesOf, type RowPicture } from '../../app/campaigns/rows/pictures.ts';
import type { Share } from '../../ledger/access/shares.ts';
import type { Comment } from '../../ledger/rows/comments.ts';
import { presentable } from '../../manifest/presentable.ts';
import { capitalized } from '../../manifest/wording.ts';
import { type Html, html, words } from '../html.ts';
import type { HttpContext } from '../http/context.ts';
import { masked, proofOf } from '../http/gate.ts';
import { postCard } from '../pages/approvals/card.ts';
import { nameOf } from '../pages/approvals/posts.ts';
import { empty, notice } from '../parts/blocks.ts';
import { commentLines } from '../parts/comments.ts';
import { csrfField, hidden } from '../parts/form.ts';
import { plainPage } from '../parts/layout.ts';
import { cursorPager, readBefore, tabs } from '../parts/list.ts';
import { count, moment, number, offset } from '../parts/numbers.ts';
import type { ShownPicture } from '../parts/picture.ts';
import { type ShownState, stateBadge } from '../parts/state.ts';
import type { Notice } from '../request.ts';
import { longestName, type OpenedShare } from './guest.ts';

const postsOfPage = 48;

const shownStates: Readonly<Record<SharedPost['state'], ShownState>> = {
  'to approve': 'review',
  approved: 'posted',
  rejected: 'failed',
  planned: 'scheduled',
  'not posted': 'failed',
  live: 'live',
};

/** The parts of its address that say which posts it shows. */
export function placeIn(query: URLSearchParams): URLSearchParams {
  const place = new URLSearchParams();
  if (query.get('show') === 'all') place.set('show', 'all');
  for (const name of ['from', 'before']) {
    const value = query.get(name) ?? '';
    if (/^\d{1,9}$/.test(value)) place.set(name, value);
  }
  return place;
}

interface Said {
  readonly told?: Notice | undefined;
  /** Of the guest, as typed before. */
  readonly name?: string;
}

/** Id of a post on the page. */
export function idOf(position: number): string {
  return `post-${position}`;
}

export async function sharedPage(
  { base, files, tools: { runtime, pictures } }: HttpContext,
  { token, share, campaign, query }: OpenedShare & { readonly query: URLSearchParams },
  { told, name = '' }: Said,
): Promise<Html> {
  const { unapproved, rows, timezone } = campaign;
  const place = placeIn(query);
  const isOpen = unapproved > 0 && !place.has('show');
  const from = Number(place.get('from') ?? 0);
  const { posts, next } = await listSharedPosts(runtime, campaign, { isOpen, from, limit: postsOfPage });
  const positions = posts.map(({ position }) => position);
  const [found, comments] = await Promise.all([
    picturesOf(runtime, pictures, campaign, positions),
    runtime.ledger.comments.of(campaign.id, positions),
  ]);
  const own = `${base}/shared/${token}`;
  const zone = timezone ?? runtime.settings.timezone ?? 'UTC';
  const now = runtime.now();
  const about = Number(query.get('at') ?? Number.NaN);
  // What went wrong stands with its post. What is done needs no place: its post may have left the list.
  const isDone = told?.state === 'done';
  const isBeside = !isDone && positions.includes(about);
  const cards = posts.map((post, index) => {
    // A decided post leaves the list of those to approve: the guest goes on with the one beside it.
    const next = isOpen ? (posts[index + 1] ?? posts[index - 1] ?? post) : post;
    const address = (what: string, more: Readonly<Record<string, string>> = {}) =>
      `${own}?${place}${place.size > 0 ? '&' : ''}${new URLSearchParams({ do: what, next: String(next.position), ...more })}`;
    return card(own, share, post, {
      address,
      picture: found.get(post.position),
      comments: comments[index] ?? [],
      told: isBeside && post.position === about ? told : undefined,
      zone,
      now,
    });
  });
  const views = tabs('Which posts', [
    [`To approve ${number(unapproved)}`, own, isOpen],
    ['All', `${own}?show=all`, !isOpen],
  ]);
  const turn =
    (from > 0 || next !== undefined) &&
    cursorPager(
      { before: readBefore(place, from === 0), many: posts.length, total: undefined },
      {
        isFirst: from === 0,
        next: next === undefined ? undefined : String(next),
        labels: ['First posts', 'Next posts'],
      },
      (place) => `${own}?${new URLSearchParams({ ...place, show: isOpen ? '' : 'all' })}`,
    );
  const list = html`<ul class="posts" aria-label="Posts">${cards}</ul>`;
  const todo = unapproved > 0 ? `${count(unapproved, 'post')} to approve` : 'Nothing to approve now';
  const main = html`<div class="head"><div><h1>${words(campaign.name)}</h1><p class="about">${todo} · ${number(rows)} in all · times in ${zone} (${offset(now, zone)})</p></div></div>
    ${told && !isDone && !isBeside && notice(told)}
    ${unapproved > 0 && html`<div class="section">${views}</div>`}
    ${posts.length === 0 ? empty(html`<b>No posts here</b>`) : guestForm(token, name, list)}
    ${turn}
    <p class="note after">This page is open until ${moment(share.expiresAt, zone, now)}.</p>
    ${told && isDone && notice(told, '', 'notice toast')}`;
  return plainPage(files, presentable(campaign.name), main, { script: 'pictures.js' });
}

interface CardContext {
  /** Where its forms go. */
  readonly address: (what: string, more?: Readonly<Record<string, string>>) => string;
  /** What went wrong with the last change, if it was about this post. */
  readonly told: Notice | undefined;
  readonly picture: RowPicture | undefined;
  readonly comments: readonly Comment[];
  readonly zone: string;
  readonly now: number;
}

function card(
  own: string,
  { mayApprove }: Share,
  post: SharedPost,
  { address, told, picture, comments, zone, now }: CardContext,
): Html {
  const { position, column, at, state } = post;
  const path = (of: string, index = 0) => `/media/${position}/${of}/${index}`;
  const shown = {
    ...post,
    when: at !== undefined ? moment(at, zone, now) : state === 'to approve' ? 'once approved' : 'at once',
    media: Array.from({ length: post.media }, (_, index) => path(column, index)),
    picture: pictureOf(picture, path),
  };
  const head = html`<p>${stateBadge(shownStates[state], capitalized(state))}</p>`;
  const actions = mayApprove && state === 'to approve' ? decisions(address, post) : '';
  const facts = html`${told && notice(told)}${comments.length > 0 && commentLines(comments, zone, now)}${commentField(address, post)}`;
  return postCard({ link: (to) => `${own}${to}` }, shown, { id: idOf(position), head, facts, actions });
}

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

/** All cards are in one form, so that the name is typed once. Enter in it presses the first button, which does nothing. */
function guestForm(token: string, name: string, list: Html): Html {
  return html`<form method="post"><button disabled class="hidden" aria-hidden="true"></button>${hidden(csrfField, masked(proofOf(token)))}
    <p class="bottom"><label>Your name <input name="name" value="${name}" maxlength="${longestName}" autocomplete="name" required></label></p>
    ${list}</form>`;
}

function decisions(
  address: CardContext['address'],
  { position, revision, seen = '', campaign, goesNow }: SharedPost,
): Html {
  const value = html`name="one" value="${nameOf({ campaign, position, revision, seen })}"`;
  const approve = html`<button class="primary" ${value} formaction="${address('approve', goesNow ? { sure: 'yes' } : {})}">${goesNow ? 'Approve and post now' : 'Approve'}</button>`;
  // What goes out cannot be taken back: a second step.
  return html`${goesNow ? html`<details><summary class="button">Approve…</summary><p>It is posted now.</p>${approve}</details>` : approve}
    <details><summary class="button">Reject…</summary><label>Reason<textarea name="reason-${position}" rows="3" maxlength="${longestReason}"></textarea></label><button class="danger" ${value} formaction="${address('reject')}">Reject</button></details>`;
}
