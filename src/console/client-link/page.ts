/** The page of a client link. */
import { longestReason } from '../../app/approvals/approve.ts';
import { longestComment } from '../../app/approvals/comments.ts';
import { listSharedPosts, listSharedRows, type SharedPost } from '../../app/approvals/shared-posts.ts';
import { noPicture, picturesOf, type RowPicture } from '../../app/campaigns/rows/pictures.ts';
import type { Draft } from '../../app/drafts/draft.ts';
import { listDraftComments } from '../../app/drafts/store/comments.ts';
import { manifestName } from '../../importers/open/manifest-file.ts';
import type { Share } from '../../ledger/access/shares.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Comment } from '../../ledger/rows/histories.ts';
import { printable } from '../../manifest/printable.ts';
import { capitalized, plural, thousands } from '../../manifest/wording.ts';
import { type Html, html, words } from '../html.ts';
import type { HttpContext } from '../http/context.ts';
import { masked, proofOf } from '../http/gate.ts';
import { dueNote, postCard } from '../pages/approvals/card.ts';
import { nameOf } from '../pages/approvals/posts.ts';
import { commentLines, empty, notice } from '../parts/blocks.ts';
import { csrfField, hidden } from '../parts/form.ts';
import { brand, plainPage } from '../parts/layout.ts';
import { cursorPager, readBefore, tabs } from '../parts/list.ts';
import { moment, namedZone } from '../parts/numbers.ts';
import type { ShownPicture } from '../parts/picture.ts';
import { bar, type ShownState, stateBadge } from '../parts/state.ts';
import type { Notice } from '../request.ts';
import { longestName, type OpenedShare } from './decide.ts';

const postsOfPage = 48;

const plan: Notice = {
  state: 'warning',
  text: 'This is a plan, which may still change.',
  more: 'Nothing is posted yet, and there is nothing to approve. You can comment on each post.',
};

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
  const [from, before] = [query.get('from') ?? '', query.get('before') ?? ''];
  if (/^[\d-]{1,30}$/.test(from)) place.set('from', from);
  if (/^\d{1,9}$/.test(before)) place.set('before', before);
  return place;
}

interface Said {
  readonly told?: Notice | undefined;
  /** Of the guest, as typed before. */
  readonly name?: string;
}

export function idOf(position: number): string {
  return `post-${position}`;
}

/** What the page shows of a campaign or draft. */
interface SharedPosts {
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

async function readCampaign(
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

async function readDraft({ tools }: HttpContext, draft: Draft, place: URLSearchParams): Promise<SharedPosts> {
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

export async function sharedPage(
  context: HttpContext,
  {
    query,
    ownZone,
    ...opened
  }: OpenedShare & { readonly query: URLSearchParams; readonly ownZone: string | undefined },
  { told, name = '' }: Said,
): Promise<Html> {
  const {
    base,
    files,
    tools: { runtime },
  } = context;
  const { logo } = runtime.settings.videos;
  const { token, share } = opened;
  const place = placeIn(query);
  const isFirst = !place.has('from');
  const sheet = await (opened.campaign === undefined
    ? readDraft(context, opened.draft, place)
    : readCampaign(context, opened.campaign, place));
  const { posts, next, isOpen, unapproved = 0 } = sheet;
  const isPlan = sheet.unapproved === undefined;
  const positions = posts.map(({ position }) => position);
  const own = `${base}/shared/${token}`;
  const zone = ownZone ?? sheet.timezone ?? runtime.settings.timezone ?? 'UTC';
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
      picture: sheet.pictures.get(post.position),
      comments: sheet.comments.get(post.position) ?? [],
      soonest: isPlan ? 'once started' : post.state === 'to approve' ? 'once approved' : 'right away',
      told: isBeside && post.position === about ? told : undefined,
      zone,
      now,
    });
  });
  const views =
    unapproved > 0 &&
    tabs('Which posts', [
      [`To approve ${thousands(unapproved)}`, own, isOpen],
      ['All', `${own}?show=all`, !isOpen],
    ]);
  const turn =
    (!isFirst || next !== undefined) &&
    cursorPager(
      { before: readBefore(place, isFirst), many: posts.length, total: undefined },
      {
        isFirst,
        next,
        labels: ['First posts', 'Next posts'],
      },
      (place) => `${own}?${new URLSearchParams({ ...place, show: isOpen ? '' : 'all' })}`,
    );
  const list = html`<ul class="approvals large" aria-label="Posts">${cards}</ul>`;
  const [approved = 0, all = 0] = sheet.approved ?? [];
  const progress = `${thousands(approved)} of ${thousands(all)} approved`;
  const main = html`<div class="head"><div><h1>${words(sheet.name)}</h1>
      <p class="about">${sheet.about} · times in ${ownZone !== undefined && 'your zone, '}<span data-zone="${zone}">${namedZone(zone, now)}</span></p></div>
      ${all > 0 && html`<div class="sum"><b>${progress}</b>${bar([['posted', approved]], all, progress)}</div>`}</div>
    ${isPlan && notice(plan)}
    ${told && !isDone && !isBeside && notice(told)}
    ${posts.length === 0 ? html`${views}${empty(html`<b>No posts here</b>`)}` : guestForm(token, name, { views, list })}
    ${turn}
    ${told && isDone && notice(told, '', 'notice toast')}`;
  const top = html`<header class="top"><div>${logo === null ? brand() : html`<p class="brand"><img class="logo" src="${own}/logo" alt=""></p>`}<p class="note">Open until ${moment(share.expiresAt, zone, now)}</p></div></header>`;
  return plainPage(files, printable(sheet.name), main, { script: 'shared.js', top });
}

interface CardContext {
  /** Where its forms go. */
  readonly address: (what: string, more?: Readonly<Record<string, string>>) => string;
  /** What went wrong with the last change, if it was about this post. */
  readonly told: Notice | undefined;
  readonly picture: RowPicture | undefined;
  readonly comments: readonly Comment[];
  /** When a post without a time goes out, in words. */
  readonly soonest: string;
  readonly zone: string;
  readonly now: number;
}

function card(
  own: string,
  { mayApprove }: Share,
  post: SharedPost,
  { address, told, picture, comments, soonest, zone, now }: CardContext,
): Html {
  const { position, column, at, state } = post;
  const path = (of: string, index = 0) => `/media/${position}/${of}/${index}`;
  const shown = {
    ...post,
    when: at === undefined ? soonest : `${state === 'live' ? 'posted ' : ''}${moment(at, zone, now)}`,
    media: Array.from({ length: post.media }, (_, index) => path(column, index)),
    picture: pictureOf(picture, path),
  };
  const head = html`<p>${stateBadge(shownStates[state], capitalized(state))}</p>`;
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

/** All cards are in one form, so that the name is typed once. Enter in it presses the first button, which does nothing. */
function guestForm(
  token: string,
  name: string,
  { views, list }: { readonly views: Html | false; readonly list: Html },
): Html {
  return html`<form method="post"><button disabled class="hidden" aria-hidden="true"></button>${hidden(csrfField, masked(proofOf(token)))}
    <div class="section"><div class="fields"><label>Your name<input name="name" value="${name}" maxlength="${longestName}" autocomplete="name" required></label> <small>Shown with what you approve, reject or comment.</small></div>${views}</div>
    ${list}</form>`;
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
  const approve = html`<button class="primary" ${value} formaction="${address('approve', goesNow ? { sure: 'yes' } : {})}">${goesNow ? sure : 'Approve'}</button>`;
  // What goes out cannot be taken back: a second step.
  return html`${goesNow ? html`<details><summary class="button primary">Approve…</summary><p>${what}</p>${approve}</details>` : approve}
    <details><summary class="button">Reject…</summary><label>Reason<textarea name="reason-${position}" rows="3" maxlength="${longestReason}"></textarea></label><button class="danger" ${value} formaction="${address('reject')}">Reject</button></details>`;
}
