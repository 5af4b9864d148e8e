/** What the views of the calendar share: their days, and posts as cards. */
import { mayDo } from '../../../app/access/roles.ts';
import type { Calendar } from '../../../app/campaigns/calendar/calendar.ts';
import type { CampaignPost, DraftPost, PlannedPost } from '../../../app/campaigns/calendar/posts.ts';
import { whyNotEditable } from '../../../app/campaigns/rows/edit.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { printable, shortened } from '../../../manifest/printable.ts';
import { thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { form, hidden } from '../../parts/form.ts';
import { rowPath } from '../../parts/list.ts';
import { clock, isoDay } from '../../parts/numbers.ts';
import { plannedPictures, rowPictures, type ShownPicture, thumbnail } from '../../parts/picture.ts';
import { timeField } from '../../parts/row-form.ts';
import { icon, iconOf, type ShownState, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { addressOf, apartText, type CalendarPageQuery, postAddress } from './agenda.ts';

const marksShown = 12;
const longestCaption = 120;

export interface CardContent {
  readonly picture: ShownPicture | undefined;
  readonly caption: string;
  /** Whether it waits for an approval. */
  readonly isUnapproved?: boolean;
}

export interface Day {
  readonly date: string;
  readonly posts: readonly PlannedPost[];
  readonly collisions: number;
}

/** By post, the other one and how far apart they are. */
export type Clashes = ReadonlyMap<PlannedPost, { readonly other: PlannedPost; readonly apartMs: number }>;

export function daysOf(
  { days, creators, failed }: Calendar,
  asked: CalendarPageQuery,
  clashes: Clashes,
): readonly Day[] {
  const all = [...creators.flatMap(({ posts }) => posts), ...failed];
  const wanted = asked.collisions ? all.filter((post) => clashes.has(post)) : all;
  const byDay = Map.groupBy(wanted, ({ day }) => day);
  const late = creators.flatMap(({ collisions }) => collisions.map(({ second }) => second.day));
  return days.map((date, index) => ({
    date,
    posts: (byDay.get(index) ?? []).sort((one, other) => one.at - other.at),
    collisions: late.filter((day) => day === index).length,
  }));
}

export function clashesOf({ creators }: Calendar): Clashes {
  const collisions = creators.flatMap((creator) => creator.collisions);
  return new Map(
    collisions.flatMap(({ first, second, apartMs }) => [
      [first, { other: second, apartMs }] as const,
      [second, { other: first, apartMs }] as const,
    ]),
  );
}

/** Entries of a day that a week shows; a day with more opens as a list. */
export const mostOfDay = 8;

/** @param of where its list begins, and whether it is of one campaign. */
export function dayAddress(
  request: PageRequest,
  day: string,
  posts: number,
  of: { readonly campaign?: string; readonly place?: string } = {},
): string {
  if (posts <= mostOfDay) return addressOf(request, { view: '', from: '', day, all: '' }, `#day-${day}`);
  const { campaign = request.query.get('campaign') ?? '', place } = of;
  return addressOf(request, { view: 'day', from: '', day, all: '', campaign }, place);
}

/** Two letters for each campaign and draft, by id; of those with the same letters, later ones have a number: `CB`, `C2`. */
export type Marks = ReadonlyMap<string, string>;

export function marksOf({ campaigns, drafts }: Pick<Calendar, 'campaigns' | 'drafts'>): Marks {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, name } of [...campaigns, ...drafts]) {
    let own = markOf(name);
    for (let next = 2; taken.has(own); next += 1) own = `${[...own][0] ?? ''}${next}`;
    taken.add(own);
    found.set(id, own);
  }
  return found;
}

/** Two letters for a campaign or a draft: of its first two words, or the first two. */
function markOf(name: string): string {
  const [first = '', second = ''] = printable(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = second === '' ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
}

function mark({ id, name }: Pick<PlannedPost['campaign'], 'id' | 'name'>, all: Marks): Html {
  return html`<abbr class="mark" title="${printable(name)}">${all.get(id) ?? markOf(name)}</abbr>`;
}

/** The campaigns and drafts of these days with their marks. */
export function marks(request: PageRequest, calendar: Calendar): Html {
  const { campaigns, drafts, creators } = calendar;
  const all = marksOf(calendar);
  const posts = creators.flatMap(({ posts: of }) => of);
  const shown = [...campaigns, ...drafts].slice(0, marksShown).map((campaign) => {
    const many = posts.filter((post) => post.campaign.id === campaign.id).length;
    const isDraft = drafts.some(({ id }) => id === campaign.id);
    return html`<a href="${addressOf(request, { campaign: campaign.id })}">${mark(campaign, all)} ${words(campaign.name)}${isDraft ? ' (draft)' : ''} ${thousands(many)}</a> `;
  });
  return html`<p class="note marks">${shown}</p>`;
}

export async function shownPosts(request: PageRequest, posts: readonly PlannedPost[], withTexts: boolean) {
  const found = new Map<PlannedPost, CardContent>();
  const drafted = posts.filter((post): post is DraftPost => post.state === 'draft');
  for (const [{ id }, of] of Map.groupBy(drafted, ({ campaign }) => campaign)) {
    const numbers = new Set(of.map(({ position }) => position + 1));
    const pictures = await plannedPictures(request, id, numbers);
    for (const post of of)
      found.set(post, { picture: pictures.get(post.position + 1), caption: post.caption });
  }
  const sent = posts.filter((post): post is CampaignPost => post.state !== 'draft');
  for (const [campaign, of] of Map.groupBy(sent, ({ campaign }) => campaign)) {
    const pictures = await rowPictures(request, campaign, of);
    const unapproved = await unapprovedOf(request, campaign, of);
    const view = withTexts ? await request.runtime.views.open(campaign.id, campaign.sheetVersion) : undefined;
    for (const post of of) {
      const row = await view?.uncachedRow(post.position);
      const isUnapproved = unapproved.has(post.position);
      found.set(post, { picture: pictures.get(post.position), caption: row?.caption ?? '', isUnapproved });
    }
  }
  return found;
}

/** Positions of the posts that wait for an approval. */
async function unapprovedOf(
  { runtime }: PageRequest,
  { id, unapproved }: Campaign,
  posts: readonly CampaignPost[],
): Promise<ReadonlySet<number>> {
  const ready = posts.filter(({ state }) => state === 'ready').map(({ position }) => position);
  if (unapproved === 0 || ready.length === 0) return new Set();
  const waits = await runtime.ledger.approvals.areAt(id, 'unapproved', ready);
  return new Set(ready.filter((_position, index) => waits[index]));
}

/** One that waits in a paused campaign is paused. */
export function stateOfPost({ delivery, state, campaign }: PlannedPost): ShownState {
  const isPaused =
    (state === 'waiting' || state === 'ready') && 'state' in campaign && campaign.state === 'paused';
  return isPaused ? 'paused' : (delivery ?? state);
}

export function card(
  request: PageRequest,
  post: PlannedPost,
  shown: ReadonlyMap<PlannedPost, CardContent>,
  { clashes, marks: all }: { readonly clashes: Clashes; readonly marks: Marks },
): Html {
  const { campaign, key, place = key, at, zone, name } = post;
  const clash = clashes.get(post);
  const { picture, caption = '', isUnapproved = false } = shown.get(post) ?? {};
  const state = stateOfPost(post);
  const tone = isUnapproved ? 'review' : state;
  return html`<div class="slot"${clash === undefined ? '' : html` data-clash`}>
    <a href="${postAddress(request, post)}" title="${printable(`${place}, ${campaign.name}`)}">
      ${thumbnail(request, picture, 'week')}
      <span class="say"><span class="when" data-state="${tone}"><b>${clock(at, zone)}</b> ${mark(campaign, all)} ${state === 'waiting' ? '' : icon(iconOf(state), wordOf(state))}</span>
      <b>${words(name)}</b>
      <small>${words(shortened(caption, longestCaption))}</small>${isUnapproved ? html`<small data-state="review">for approval</small>` : ''}</span>
    </a>
    ${move(request, post)}
    ${clash === undefined ? '' : html`<span class="clash" data-state="warning">${icon('warning')} ${apartText(clash)}, ${clash.other.campaign.id === campaign.id ? words(clash.other.place ?? clash.other.key) : mark(clash.other.campaign, all)}</span>`}
  </div>`;
}

/** Another time for a post that is not sent yet, or why it has none. A row of a campaign asks first and says what it takes. */
function move(request: PageRequest, post: PlannedPost): Html {
  const why = whyNotMoved(request, post);
  const { campaign, key, at, tz, position } = post;
  // In the zone in which the card shows it. The row gets it in its own.
  const { zone } = post;
  const local = `${isoDay(at, zone)}T${clock(at, zone)}`;
  const fields = html`${hidden('home', request.path)}${timeField(zone, tz, local)}`;
  const body =
    why !== undefined
      ? html`<p>${why}</p>`
      : post.state === 'draft'
        ? form(request, {
            path: `/campaigns/new/${campaign.id}/move`,
            body: html`${hidden('row', position + 1)}${hidden('was', at)}${fields} <button>Move</button>`,
          })
        : form(request, {
            path: rowPath(post.campaign.id, key, '/edit'),
            asks: true,
            body: html`${hidden('revision', post.revision)}${hidden('moved', 'yes')}${fields} <button>Move…</button>`,
          });
  const id = `move-${campaign.id}-${position}`;
  return html`<button type="button" class="plain move" popovertarget="${id}">Move…</button><div popover id="${id}">${body}</div>`;
}

function whyNotMoved(request: PageRequest, post: PlannedPost): string | undefined {
  if (post.delivery === 'scheduled') return 'Scheduled: change it in the service.';
  const why = post.state === 'draft' ? undefined : whyNotEditable(post.campaign, post.state);
  return (
    why ?? (mayDo(request, post.state === 'draft' ? 'edit' : 'run') ? undefined : 'An operator can move it.')
  );
}
