/** The videos that match the filter, sorted and paged on the server, and texts about a video. */
import { html } from 'hono/html';
import { listCampaigns } from '../../../campaigns/list.ts';
import type { VideoState } from '../../../ledger/videos/video.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { ListedVideo, Sort, SortColumn } from '../../../videos/overview.ts';
import type { Html } from '../../html.ts';
import { type IconName, icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import { gain, short, spark } from '../../parts/numbers/figures.ts';
import { dayAndMonth } from '../../parts/numbers/numbers.ts';
import { range } from '../../parts/paging.ts';
import type { PageRequest } from '../../request.ts';
import { addressOf } from './query.ts';

export const videosAPage = 50;

interface Shown {
  readonly sort: Sort;
  readonly page: number;
  readonly found: number;
  readonly videos: readonly ListedVideo[];
  /** Names of the campaigns of this ledger, by id. */
  readonly names: ReadonlyMap<string, string>;
}

export function videosSection(request: PageRequest, { sort, page, found, videos, names }: Shown): Html {
  const column = (name: SortColumn, title: string) => sortHead(request, sort, name, title);
  return html`<section aria-labelledby="list">
    <div class="section"><h2 id="list">All videos</h2></div>
    <div class="scroller" role="group" aria-labelledby="list" tabindex="0">
    <table class="middle titled">
      <thead><tr><th scope="col">Video</th><th scope="col">State</th>${column('released', 'Posted')}<th scope="col">Gained a day</th>${column('plays', 'Plays')}${column('gained', 'Gained')}${column('likes', 'Likes')}${column('comments', 'Comments')}${column('shares', 'Shares')}${column('saves', 'Saves')}</tr></thead>
      <tbody>${videos.map((video) => line(request, video, names))}</tbody>
    </table>
    </div>
    ${pager(request, page, found)}
  </section>`;
}

function sortHead(request: PageRequest, sort: Sort, name: SortColumn, title: string): Html {
  const isSorted = sort.column === name;
  const next = isSorted && sort.descending ? name : `-${name}`;
  const address = addressOf(request, { sort: next === '-gained' ? '' : next, page: '' }, 'list');
  const order = sort.descending ? 'descending' : 'ascending';
  return html`<th scope="col" class="n"${isSorted ? html` aria-sort="${order}"` : ''}><a href="${address}">${title}</a>${isSorted ? (sort.descending ? ' ↓' : ' ↑') : ''}</th>`;
}

function line(
  request: PageRequest,
  { video, figures }: ListedVideo,
  names: ReadonlyMap<string, string>,
): Html {
  const { id, state, released_at, creator, author } = video;
  const row = rowLink(request, video, names);
  const who = words(creator ?? author ?? '');
  const posted =
    released_at === null ? 'unknown' : dayAndMonth(Date.parse(released_at), request.zone, request.now);
  const others = [video.digg_count, video.comment_count, video.share_count, video.collect_count];
  return html`<tr>
    <th scope="row">${videoLink(request, id, titleOf(video))}<small>${who}${who !== '' && row !== '' ? ', ' : ''}${row}</small></th>
    <td>${videoBadge(state)}</td>
    <td class="n">${posted}</td>
    <td>${spark(figures.daily[0] ?? [])}</td>
    <td class="n"><b>${figure(video.play_count)}</b></td>
    <td class="n">${gain(figures.growths[0]?.[0])}</td>
    ${others.map((each) => html`<td class="n">${figure(each)}</td>`)}
  </tr>`;
}

function figure(value: number | bigint | null): Html | string {
  return value === null ? html`<span class="none">unknown</span>` : short(value);
}

function pager(request: PageRequest, page: number, found: number): Html {
  const before = (page - 1) * videosAPage;
  const many = Math.min(videosAPage, found - before);
  const step = (name: string, to: number, isThere: boolean) =>
    isThere
      ? html`<a class="button" href="${addressOf(request, { page: to === 1 ? '' : String(to) }, 'list')}">${name}</a>`
      : html`<span class="button" aria-disabled="true">${name}</span>`;
  return html`<nav class="pager" aria-label="Pages of videos"><span>${range({ before, many, total: found })}</span> <span class="actions">${step('Previous', page - 1, page > 1)} ${step('Next', page + 1, before + many < found)}</span></nav>`;
}

interface Named {
  readonly caption: string | null;
  readonly label: string | null;
  readonly video_url: string;
}

const longestTitle = 80;

/** Title of a video: its label, else its caption, else its address. */
export function titleOf({ label, caption, video_url }: Named): string {
  const text = label ?? (caption?.trim().split(/[\r\n]/, 1)[0] || withoutScheme(video_url));
  return text.length > longestTitle ? `${text.slice(0, longestTitle).toWellFormed()}…` : text;
}

export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

export function videoLink({ link }: PageRequest, id: string, title: string): Html {
  return html`<a href="${link(`/videos/${id}`)}">${words(title)}</a>`;
}

/** Names of the campaigns of this ledger, by id. */
export async function campaignNames(runtime: Runtime): Promise<ReadonlyMap<string, string>> {
  const { campaigns } = await listCampaigns(runtime);
  return new Map(campaigns.map(({ id, name }) => [id, name]));
}

/** Link to the row that a video belongs to. @param known campaigns of this ledger. */
export function rowLink(
  { link }: PageRequest,
  { campaign, key }: { readonly campaign: string | null; readonly key: string | null },
  known: ReadonlyMap<string, string>,
): Html | string {
  if (key === null) return '';
  if (campaign === null || !known.has(campaign)) return words(key);
  return html`<a href="${link(`/campaigns/${campaign}/rows/${encodeURIComponent(key)}`)}">${words(key)}</a>`;
}

const states: Readonly<
  Record<VideoState, { readonly tone: string; readonly icon: IconName; readonly word: string }>
> = {
  ok: { tone: 'done', icon: 'posted', word: 'read' },
  new: { tone: 'running', icon: 'running', word: 'new' },
  failing: { tone: 'warning', icon: 'warning', word: 'failing' },
  gone: { tone: 'failed', icon: 'gone', word: 'gone' },
};

export function wordOfState(state: VideoState): string {
  return states[state].word;
}

/** @param place `tag`: beside the title of a page. */
export function videoBadge(state: VideoState, place = ''): Html {
  const { tone, icon: name, word } = states[state];
  return html`<span class="state ${place}" data-state="${tone}">${icon(name)} ${word}</span>`;
}
