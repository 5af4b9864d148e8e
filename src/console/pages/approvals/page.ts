/** `/approvals`: posts that wait for an approval, side by side as they will look; one or many are decided at once. */
import type { Temporal } from 'temporal-polyfill';
import { mayDo } from '../../../app/access/roles.ts';
import { hasLink } from '../../../app/approvals/shares.ts';
import {
  listWaitingPosts,
  type WaitingPage,
  type WaitingPost,
} from '../../../app/approvals/waiting-posts.ts';
import { addDays } from '../../../app/campaigns/calendar/schedule.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { aboutCost } from '../../../manifest/money.ts';
import { capitalized, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { allCampaigns, commentLines, dotsMenu, empty, liveStream, readersNote } from '../../parts/blocks.ts';
import { form, hidden } from '../../parts/form.ts';
import {
  changedAddress,
  cursorPager,
  filterChips,
  noMatch,
  readBefore,
  rowName,
  rowPath,
  staleNote,
  textIn,
} from '../../parts/list.ts';
import { day, inCommonZone, isoDay, moment, timesIn } from '../../parts/numbers.ts';
import { mediumPath, picturesOfAll, type ShownPicture } from '../../parts/picture.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest, Route, Stream } from '../../request.ts';
import { dueNote, postCard } from './card.ts';
import { approve, reject, renew, withdraw } from './decide.ts';
import { mostNamed, nameOf, placeOf } from './posts.ts';

/** Posts of a page, which are loaded as they come in sight. */
const postsOfPage = 48;
/** Days that the filter offers, from today on. */
const daysOffered = 14;

const ofMany = { method: 'post', mostNames: mostNamed + 20 } as const;

export const approvalRoutes: readonly Route[] = [
  { method: 'get', path: '/approvals', right: 'see', handle: showApprovals },
  { method: 'get', path: '/approvals/events', right: 'see', handle: streamApprovals },
  { ...ofMany, path: '/approvals/approve', right: 'approve', handle: approve },
  { ...ofMany, path: '/approvals/reject', right: 'approve', handle: reject },
  { ...ofMany, path: '/approvals/renew', right: 'run', handle: renew },
  { method: 'post', path: '/approvals/withdraw', right: 'approve', handle: withdraw },
];

/** Filter and place in the list. @throws {UseCaseError} `date_invalid`. */
function asked({ query, zone }: Pick<PageRequest, 'query' | 'zone'>) {
  const kept = new URLSearchParams();
  for (const name of ['campaign', 'creator', 'day', 'from', 'before']) {
    const value = textIn(query, name);
    if (value !== undefined) kept.set(name, value);
  }
  const value = (name: string) => kept.get(name) ?? undefined;
  const date = value('day');
  const between = date && ([startOf(addDays(date, 0), zone), startOf(addDays(date, 1), zone)] as const);
  const from = value('from');
  return {
    kept,
    filter: { campaign: value('campaign'), creator: value('creator'), between: between || undefined },
    day: date,
    from,
    before: readBefore(kept, from === undefined),
  };
}

/** Unix epoch, milliseconds. */
function startOf(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime(zone).epochMilliseconds;
}

async function showApprovals(given: PageRequest): Promise<Page> {
  const request = inCommonZone(given, await waitingCampaigns(given));
  const { filter, from } = asked(request);
  const page = await listWaitingPosts(request.runtime, { filter, from, limit: postsOfPage });
  const { total } = page;
  return {
    kind: 'page',
    title: titleOf(total),
    zone: request.zone,
    stream: `/approvals/events?posts=${total}`,
    scripts: ['review.js', 'approvals.js'],
    main: html`
      ${head(request, total, filters(request, page))}
      ${total === 0 ? nothing(request) : await list(request, page)}`,
  };
}

/** Those whose posts wait, or the one that is asked for. */
async function waitingCampaigns({ runtime, query }: PageRequest): Promise<readonly Campaign[]> {
  const wanted = textIn(query, 'campaign');
  const all = await runtime.ledger.campaigns.list();
  return all.filter(({ id, unapproved }) => unapproved > 0 && (wanted === undefined || id === wanted));
}

function titleOf(posts: number): string {
  return posts === 0 ? 'Approvals' : `Approvals, ${plural(posts, 'post')}`;
}

function streamApprovals(request: PageRequest): Stream {
  const loaded = Number(request.query.get('posts'));
  return liveStream(request, { key: `approvals ${loaded}` }, async ({ runtime }) => {
    const { unapproved: posts } = await runtime.ledger.campaigns.forPeople();
    return {
      'approvals-count': total(posts),
      'approvals-stale': staleNote('approvals-stale', 'post', posts, loaded),
    };
  });
}

function total(posts: number): Html {
  const text =
    posts === 0
      ? ''
      : `${plural(posts, 'post waits', 'posts wait')} for an approval. None is sent until it is approved.`;
  return html`<span id="approvals-count" data-title="${titleOf(posts)}">${text}</span>`;
}

function head(request: PageRequest, posts: number, chips: Html | string): Html {
  const { link, query } = request;
  const zone = posts > 0 && html`<span class="opt"> ${capitalized(timesIn(request))}.</span>`;
  const again = changedAddress({ link, query }, '/approvals', { loaded: '' });
  return html`<div class="head"><div><h1>Approvals</h1><p class="about">${total(posts)}${zone}</p><p class="note stale">${staleNote('approvals-stale', 'post', posts, posts)} <a href="${again}">Show the current list</a></p></div>${chips}</div>`;
}

function nothing({ link }: PageRequest): Html {
  return empty(
    html`<b>Nothing waits for an approval</b>`,
    html`<p>Posts that need approval appear here once their media are uploaded. You choose which ones when you start the campaign.</p>${allCampaigns(link)}`,
  );
}

function filters(request: PageRequest, { campaigns, total: all }: WaitingPage): Html | string {
  const { filter, day: date, kept } = asked(request);
  if (all <= fewPosts && kept.size === 0) return '';
  const { zone, now } = request;
  const today = isoDay(now, zone);
  const days = Array.from({ length: daysOffered }, (_, index) => addDays(today, index));
  return filterChips(request, { path: '/approvals' }, [
    {
      name: 'campaign',
      title: 'Campaign',
      value: filter.campaign,
      options: campaigns.map(({ id, name, unapproved }) => [id, `${name} (${thousands(unapproved)})`]),
    },
    { name: 'creator', title: 'Creator', value: filter.creator },
    {
      name: 'day',
      title: 'Day',
      value: date,
      options: days.map((date) => [date.toString(), day(startOf(date, zone), zone, now)]),
    },
  ]);
}

const fewPosts = 6;

async function list(request: PageRequest, page: WaitingPage): Promise<Html> {
  const { items: posts, next } = page;
  const { kept, from, before } = asked(request);
  const addressOf = (changes: Readonly<Record<string, string>>) =>
    changedAddress({ link: request.link, query: kept }, '/approvals', changes);
  const stretch = { before, many: posts.length, total: undefined };
  const pager =
    next === undefined && from === undefined
      ? ''
      : cursorPager(
          stretch,
          { isFirst: from === undefined, next, labels: ['First page', 'Next posts'] },
          addressOf,
        );
  if (posts.length === 0) {
    const all = [request.link('/approvals'), 'Show all posts that wait'] as const;
    return html`${noMatch('No post matches here.', '', all)}${pager}`;
  }
  const pictures = await picturesOfAll(request, page.campaigns, posts, placeOf);
  const home = kept.size === 0 ? '/approvals' : `/approvals?${kept}`;
  const cardOf = (post: WaitingPost) => {
    const index = posts.indexOf(post);
    const next = posts[index + 1] ?? posts[index - 1];
    return card(request, post, { picture: pictures.get(placeOf(post)), next });
  };
  const groups = [...Map.groupBy(posts, ({ campaign }) => campaign)];
  const linked = await Promise.all(groups.map(([id]) => hasLink(request.runtime, id)));
  const body = groups.map(
    ([id, some], index) =>
      html`<section aria-labelledby="of-${id}"><div class="section"><h2 id="of-${id}"><a href="${request.link(`/campaigns/${id}`)}">${words(some[0]?.campaignName ?? id)}</a> <span>${thousands(some.length)}</span></h2>${linked[index] === true && html`<p>${readersNote(true)}</p>`}</div><ul class="approvals" aria-labelledby="of-${id}">${some.map(cardOf)}</ul></section>`,
  );
  if (!mayDo(request, 'approve')) return html`${body}${pager}`;
  return html`${form(request, {
    path: '/approvals/approve',
    className: 'choose rowform',
    body: html`${hidden('home', home)}<p class="bottom"><label class="tick"><input type="checkbox" data-all> Select ${posts.length === 1 ? 'the post' : `all ${thousands(posts.length)} posts`} on this page</label> <span class="keys"><kbd>J</kbd> <kbd>K</kbd> next, previous · <kbd>Space</kbd> select · <kbd>A</kbd> approve · <kbd>R</kbd> reject</span></p>${body}${dock(
      request,
      posts.some(({ outputs }) => outputs > 0),
    )}`,
  })}${pager}`;
}

interface CardContext {
  readonly picture: ShownPicture | undefined;
  /** The post to go on with. */
  readonly next: WaitingPost | undefined;
}

function card(request: PageRequest, post: WaitingPost, { picture, next }: CardContext): Html {
  const { campaign, key, caption, creator, product, details, scheduledAt, mediaType, media, assets, fault } =
    post;
  const comments = post.comments.map(({ at, ...comment }) => ({ ...comment, at: Date.parse(at) }));
  const { zone, now } = request;
  const at = scheduledAt === null ? undefined : Date.parse(scheduledAt);
  const own = media.filter(({ column }) => column === 'media');
  const paths =
    assets.length > 0
      ? assets.map((_, at) => mediumPath(campaign, key, 'outputs', at))
      : own.map(({ index }) => mediumPath(campaign, key, 'media', index));
  const name = rowName(post);
  const box = html`<label class="tick"><input type="checkbox" class="chosen" id="${placeOf(post)}" name="post" value="${nameOf(post)}" aria-label="Select ${post.place ?? key} of ${creator}"> ${name}</label>`;
  const shown = {
    creator,
    caption,
    product,
    details,
    when: at === undefined ? 'once approved' : moment(at, zone, now),
    isVideo: mediaType === 'VIDEO',
    media: paths,
    picture,
  };
  return postCard(request, shown, {
    head: mayDo(request, 'approve') ? box : html`<p>${name}</p>`,
    facts: html`${dueNote(at, now, onceLate[request.runtime.settings.post.late])}${fault && html`<p class="note" data-state="failed"><span class="fault">${fault}</span></p>`}${comments.length > 0 && commentLines(comments, zone, now, 1)}`,
    actions: mayDo(request, 'approve') ? actions(request, post, next) : '',
  });
}

/** What an approval does after the time of a post, by `post.late`. */
const onceLate = {
  review: 'If you approve it now, it goes to review: give it a new time first.',
  fail: 'If you approve it now, it fails: give it a new time first.',
  now: 'If you approve it now, it is posted right away.',
} as const;

/** Attributes of a button that decides: it may ask first. */
function deciding({ link }: PageRequest, path: string, key?: 'a' | 'r'): Html {
  return html`formaction="${link(path)}" hx-post="${link(path)}" hx-target="#question" hx-swap="innerHTML"${key && html` data-key="${key}"`}`;
}

function actions(request: PageRequest, post: WaitingPost, next: WaitingPost | undefined): Html {
  const { campaign, key, outputs, cost, fault, fate } = post;
  const path = (what: string) => `/approvals/${what}${next === undefined ? '' : `?next=${placeOf(next)}`}`;
  const value = html`name="one" value="${nameOf(post)}"`;
  const approving =
    fault === null &&
    html`<button ${value} ${deciding(request, path('approve'), 'a')}${fate === 'later' && html` data-later`}>${icon('posted')}Approve</button>`;
  const renewing = (label: string) =>
    html`<button ${value} ${deciding(request, path('renew'))}>${label}</button>`;
  const again =
    outputs > 0
      ? renewing(`Generate again… (${plural(outputs, 'output')}${aboutCost(cost)})`)
      : fault !== null && renewing('Upload again…');
  const edit = html`<a href="${request.link(`${rowPath(campaign, key)}#edit`)}">Edit</a>`;
  const more = dotsMenu(post.place ?? key, [again, edit]);
  return html`${approving}<button class="bare" ${value} ${deciding(request, path('reject'), 'r')}>Reject…</button>${mayDo(request, 'run') && more}`;
}

/** @param isGenerated whether the page has AI media. */
function dock(request: PageRequest, isGenerated: boolean): Html {
  const many = html`<span class="howmany"></span>`;
  const again =
    isGenerated &&
    mayDo(request, 'run') &&
    html`<button ${deciding(request, '/approvals/renew')}><span>Generate ${many} again…</span></button> `;
  return html`<div class="dock"><p><b>Selected: ${many}</b></p> <div class="actions">${again}<button ${deciding(request, '/approvals/reject', 'r')}><span>Reject ${many}…</span></button> <button class="primary" ${deciding(request, '/approvals/approve', 'a')}><span>Approve ${many}</span></button></div></div>`;
}
