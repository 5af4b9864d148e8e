/** The page of a client link: its own head with the agency's logo, then the posts. */
import { printable } from '../../manifest/printable.ts';
import { thousands } from '../../manifest/wording.ts';
import { type Html, html, words } from '../html.ts';
import type { HttpContext } from '../http/context.ts';
import { masked, proofOf } from '../http/gate.ts';
import { empty, notice } from '../parts/blocks.ts';
import { csrfField, hidden } from '../parts/form.ts';
import { plainPage } from '../parts/layout.ts';
import { cursorPager, readBefore, tabs } from '../parts/list.ts';
import { moment, namedZone } from '../parts/numbers.ts';
import { bar } from '../parts/state.ts';
import type { Notice } from '../request.ts';
import { card } from './card.ts';
import { longestName, type OpenedShare } from './decide.ts';
import { readCampaign, readDraft } from './posts.ts';

const plan: Notice = {
  state: 'warning',
  text: 'This is a plan, which may still change.',
  more: 'Nothing is posted yet, and there is nothing to approve. You can comment on each post.',
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
      isAlike: isOpen,
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
  const main = html`${isPlan && notice(plan)}
    ${told && !isDone && !isBeside && notice(told)}
    ${posts.length === 0 ? html`${views}${empty(html`<b>No posts here</b>`)}` : guestForm(token, name, { views, list })}
    ${turn}
    ${told && isDone && notice(told, '', 'notice toast')}`;
  const top = html`<header class="masthead"><div class="head">
      <div>${logo !== null && html`<img class="logo" src="${own}/logo" alt="">`}<h1>${words(sheet.name)}</h1>
        <p class="about">${sheet.about} · open until ${moment(share.expiresAt, zone, now)} · times in ${ownZone !== undefined && 'your zone, '}<span data-zone="${zone}">${namedZone(zone, now)}</span></p></div>
      ${all > 0 && html`<div class="sum"><b>${progress}</b>${bar([['posted', approved]], all, progress)}</div>`}
    </div></header>`;
  return plainPage(files, printable(sheet.name), main, { script: 'shared.js', top });
}

/** All cards are in one form, so that the name is typed once. Enter in it presses the first button, which does nothing. */
function guestForm(
  token: string,
  name: string,
  { views, list }: { readonly views: Html | false; readonly list: Html },
): Html {
  return html`<form method="post"><button disabled class="hidden" aria-hidden="true"></button>${hidden(csrfField, masked(proofOf(token)))}
    <div class="section"><div class="fields"><label>Your name<input name="name" value="${name}" maxlength="${longestName}" autocomplete="name" required></label> <small>Shown with what you approve, reject or say.</small></div>${views}</div>
    ${list}</form>`;
}
