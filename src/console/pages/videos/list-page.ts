/** `/videos`: figures of the watch list, movers, sums, all videos, and how they are read. */
import { html } from 'hono/html';
import { listCampaigns } from '../../../campaigns/list.ts';
import { presentable } from '../../../manifest/presentable.ts';
import { spanLengths } from '../../../videos/overview/days.ts';
import { listOverviewPage } from '../../../videos/overview/page.ts';
import type { Overview } from '../../../videos/overview/read.ts';
import { readScrapeCauses, showSchedule } from '../../../videos/schedule.ts';
import type { Html } from '../../html.ts';
import { mayChange } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import { clockWithSeconds, count, isoDay, number } from '../../parts/numbers.ts';
import { empty } from '../../parts/points.ts';
import { questionLink } from '../../parts/question.ts';
import type { Page, PageRequest, Stream } from '../../request.ts';
import { wordOfState } from './cells.ts';
import { moversSection, totalsSection } from './groups.ts';
import { type Asked, readAsked } from './query.ts';
import { type Reading, readingSection, scrapeWords } from './reading.ts';
import { gainedSection, totalFigures } from './sums.ts';
import { videosAPage, videosSection } from './table.ts';

export async function showVideos(request: PageRequest): Promise<Page> {
  const { runtime, videos, zone } = request;
  const asked = readAsked(request);
  const { span, campaign, creator, product, state } = asked;
  const [overview, reading, { campaigns }] = await Promise.all([
    videos.read({ span, zone, campaign, creator, product, state }),
    readReading(request),
    listCampaigns(runtime),
  ]);
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  return {
    kind: 'page',
    title: 'Videos',
    section: '/videos',
    stream: '/videos/events',
    main: html`
      ${head(request, asked, overview, reading)}
      ${
        overview.list.videos === 0
          ? html`${howToBegin()}${readingSection(request, reading)}`
          : html`${filters(request, asked, overview, names)}
      ${overview.order.size === 0 ? nothing(request, overview) : await found(request, asked, overview, names)}
      ${readingSection(request, reading)}`
      }`,
  };
}

async function found(
  request: PageRequest,
  asked: Asked,
  overview: Overview,
  names: ReadonlyMap<string, string>,
): Promise<Html> {
  const pages = Math.max(1, Math.ceil(overview.order.size / videosAPage));
  const page = Math.min(asked.page, pages);
  const videos = await listOverviewPage(request.runtime, overview, {
    sort: asked.sort,
    from: (page - 1) * videosAPage,
    count: videosAPage,
  });
  return html`${totalFigures(overview)}
    ${gainedSection(request, asked, overview)}
    ${moversSection(request, overview)}
    ${totalsSection(request, asked, overview, names)}
    ${videosSection(request, { sort: asked.sort, page, found: overview.order.size, videos, names })}`;
}

async function readReading({ runtime }: PageRequest): Promise<Reading> {
  const shown = await showSchedule(runtime);
  return { ...shown, causes: await readScrapeCauses(runtime, shown.scrapes) };
}

export function streamVideos(request: PageRequest): Stream {
  const { runtime, zone, person, csrf } = request;
  const read = async () => {
    const at = { ...request, now: runtime.now() };
    const reading = await readReading(at);
    return { 'videos-read': readLine(at, reading), 'videos-reading': readingSection(at, reading) };
  };
  return { kind: 'stream', view: { key: `videos ${zone} ${person.role} ${csrf}`, read } };
}

function head(
  request: PageRequest,
  { span, campaign }: Asked,
  { list, at, days }: Overview,
  reading: Reading,
): Html {
  const { link, zone } = request;
  const fields = new URLSearchParams({
    since: isoDay((days.starts[0] ?? 0) * 1000, zone),
    ...(campaign !== undefined && { campaign }),
  });
  const only = campaign === undefined ? '' : `?${new URLSearchParams({ campaign })}`;
  const calls = campaign === undefined ? list.calls : (list.callsByCampaign.get(campaign) ?? 0);
  const actions = mayChange(request)
    ? html`${
        calls === 0
          ? ''
          : questionLink(
              request,
              `/videos/read${only}`,
              html`${icon('again')}Read now: ${count(calls, 'call')}…`,
            )
      }
      ${questionLink(request, '/videos/import', html`${icon('plus')}Add videos…`)}`
    : '';
  return html`<div class="head">
    <div>
      <h1>Videos</h1>
      <p class="about">${number(list.videos)} on the watch list · figures as of ${clockWithSeconds(at, zone)}</p>
      ${readLine(request, reading)}
    </div>
    <div class="actions">
      ${actions}
      ${list.videos === 0 ? '' : html`<a class="button" href="${link(`/videos/export.xlsx?${fields}`)}" title="Every sample of the last ${count(span, 'day')}">${icon('down')}Export</a>`}
    </div>
  </div>`;
}

function readLine(request: PageRequest, reading: Reading): Html {
  return html`<p class="about" id="videos-read">${scrapeWords(request, reading)}</p>`;
}

function filters(
  { link }: PageRequest,
  { span, campaign, creator, product, state, figure, by }: Asked,
  { list }: Overview,
  names: ReadonlyMap<string, string>,
): Html {
  const option = (value: string, name: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen ? html` selected` : ''}>${presentable(name)}</option>`;
  const campaigns = [...list.campaigns.keys()].slice(-mostCampaigns);
  if (campaign !== undefined && !campaigns.includes(campaign)) campaigns.push(campaign);
  const states = ['ok', 'new', 'failing', 'gone'] as const;
  return html`<form class="filters" action="${link('/videos')}">
    ${figure === 'plays' ? '' : html`<input type="hidden" name="figure" value="${figure}">`}
    ${by === 'creator' ? '' : html`<input type="hidden" name="by" value="${by}">`}
    <label>Growth over<select name="span">${spanLengths.map((days) => option(String(days), count(days, 'day'), days === span))}</select></label>
    <label>Campaign<select name="campaign"><option value="">All ${number(list.campaigns.size)}</option>${campaigns.map((id) => option(id, names.get(id) ?? id, id === campaign))}</select></label>
    <label>Creator<input name="creator" value="${creator ?? ''}" placeholder="All ${number(list.creators)}"></label>
    <label>Product<input name="product" value="${product ?? ''}" placeholder="All ${number(list.products)}"></label>
    <label>State<select name="state"><option value="">All</option>${states.map((each) => option(each, `${wordOfState(each)} (${number(list.states[each])})`, each === state))}</select></label>
    <button>Show</button>
  </form>`;
}

/** Names of campaigns in the filter; the last ones are wanted most. */
const mostCampaigns = 200;

function howToBegin(): Html {
  return empty(
    html`<b>No video is on the watch list.</b> Each night, the public figures of its videos are read: plays, likes, comments, shares, saves.`,
    html`<ol>
      <li>Fill in the column <code>video_url</code> of a results sheet, or write a list of addresses.</li>
      <li>Add it here, or by <code>campaigns videos import FILE</code>.</li>
      <li>Read the figures now, or switch on the schedule below.</li>
    </ol>`,
  );
}

function nothing({ link }: PageRequest, { query, list }: Overview): Html {
  const { campaign, creator, product, state } = query;
  const asked = Object.entries({ campaign, creator, product, state: state && wordOfState(state) });
  const names = asked.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  return empty(
    html`<b>No video fits.</b> ${words(names.join(', '))}.`,
    html`<p class="actions"><a class="button" href="${link('/videos')}">Show all ${count(list.videos, 'video')}</a></p>`,
  );
}
