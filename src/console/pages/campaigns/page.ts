/** `/campaigns`: the things that wait for a person, and all campaigns, with a search. */

import { mayDo } from '../../../app/access/roles.ts';
import { readCampaigns } from '../../../app/campaigns/find.ts';
import { findForgotten } from '../../../app/campaigns/journal.ts';
import {
  type CampaignOverview,
  describeCampaigns,
  listCampaigns,
  readServiceUsage,
  type ServiceUsage,
  whatWaits,
} from '../../../app/campaigns/list.ts';
import { isAllReady, isScheduled } from '../../../app/campaigns/post-status.ts';
import { unreadableNote } from '../../../app/campaigns/progress/notes.ts';
import { type SearchPlace, searchCampaigns } from '../../../app/campaigns/search.ts';
import { type AllDrafts, listDrafts } from '../../../app/drafts/drafts.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { capitalized, plural, thousands, wordsTest } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { liveStream } from '../../parts/blocks.ts';
import { changedAddress, indexPager, longestSearch, noMatch, tabs } from '../../parts/list.ts';
import { inCommonZone, isoDay } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest, Route, Stream } from '../../request.ts';
import { card, draftEntry, entry, unreadableEntry } from './entry.ts';
import { foundRows } from './found-rows.ts';
import { forgottenNotice, howToBegin, needs, pulse } from './head.ts';
import { Films, filmOfFirst, lastPosts, nextPosts, postingGroup, queueText } from './posting.ts';

/** In the order of the list, each with the newest first: what runs, what waits for a person, what is over. */
const shownStates = ['running', 'paused', 'drafts', 'scheduled', 'ended'] as const;
type ShownTab = (typeof shownStates)[number];
const campaignsAPage = 50;
/** More cards would push the list from the screen; further running campaigns are lines of it. */
const mostCards = 3;
/** Tabs for fewer would be longer than the list. */
const fewestForTabs = 6;
/** How often all campaigns are read while the page is open. */
const allEveryMs = 5000;

interface CampaignListQuery {
  readonly q: string;
  readonly tab: ShownTab | undefined;
  /** Index of the first campaign on the page. */
  readonly from: number;
  /** Where the search for rows continues. */
  readonly after: SearchPlace | undefined;
}

function readQuery({ query }: PageRequest): CampaignListQuery {
  const [campaign = '', row = ''] = (query.get('after') ?? '').split(':');
  const from = Number(query.get('from'));
  return {
    q: (query.get('q') ?? '').trim().slice(0, longestSearch),
    tab: shownStates.find((state) => state === query.get('state')),
    from: Number.isSafeInteger(from) && from > 0 ? from : 0,
    after: campaign === '' ? undefined : { campaign, row: Math.max(0, Math.trunc(Number(row)) || 0) },
  };
}

export async function showCampaigns(given: PageRequest): Promise<Page> {
  const { runtime, progress, now } = given;
  // Read first, so that the stream reports a campaign that begins while the page is made.
  const all = await runtime.ledger.campaigns.count();
  const { campaigns, unreadable } = await listCampaigns(runtime);
  const request = inCommonZone(
    given,
    campaigns.filter(({ state }) => state !== 'ended'),
  );
  const forgotten = await findForgotten(runtime, campaigns.length + unreadable.length);
  const lost = [...unreadable.map(unreadableNote), ...forgotten].map(forgottenNotice);
  const drafts = await listDrafts(runtime);
  const asked = readQuery(request);
  const found = await searchCampaigns(runtime, campaigns, asked.q, { from: asked.after });
  const running = found.campaigns.filter((campaign) => tabOf(campaign, now) === 'running');
  // Those whose posts are sent now, then those whose turn is next.
  const turns = await Promise.all(running.map(async (one) => (await progress.summary(one)).turn?.least ?? 0));
  const byTurn = new Map(running.map((one, index) => [one, turns[index] ?? 0]));
  const inTurn = running.toSorted((one, other) => (byTurn.get(one) ?? 0) - (byTurn.get(other) ?? 0));
  // Those that wait for their turn are one sentence, and lines of the list.
  const posting = inTurn.filter((one, index) => index === 0 || byTurn.get(one) === 0);
  const cards = posting.slice(0, mostCards);
  const [queued, ...behind] = inTurn.filter((one) => !posting.includes(one));
  const others = found.campaigns.filter((campaign) => !cards.includes(campaign));
  const open = draftLines(request, drafts, asked.q);
  const lines = [...others.map((campaign): Line => ({ campaign, tab: tabOf(campaign, now) })), ...open].sort(
    (one, other) => shownStates.indexOf(one.tab) - shownStates.indexOf(other.tab),
  );
  const fitting = lines.filter(({ tab }) => asked.tab === undefined || tab === asked.tab);
  const shown = fitting.slice(asked.from, asked.from + campaignsAPage);
  const overviews = await describeCampaigns(runtime, progress, [...cards, ...campaignsOf(shown)]);
  const idsOf = (of: readonly Campaign[]) => of.map(({ id }) => id).join();
  const loaded = { cards: idsOf(cards), ids: idsOf(campaignsOf(shown)), all: String(all) };
  const next = queueText(request, queued, (queued && byTurn.get(queued)) ?? 0, behind.length);
  const isRowOnly = cards.length + lines.length === 0 && found.rows.length > 0;
  return {
    kind: 'page',
    title: 'Campaigns',
    zone: request.zone,
    stream: `/campaigns/events?${new URLSearchParams(loaded)}`,
    main:
      campaigns.length === 0 && lines.length === 0
        ? html`<div class="head"><h1>Campaigns</h1></div>${staleNote(request)}${lost}${howToBegin(request)}`
        : html`${asked.q === '' ? head(request, await readServiceUsage(runtime, progress, campaigns, isTodayFor(request))) : resultsHead(asked.q, found.campaigns.length, open.length)}
          ${staleNote(request)}${lost}
          ${asked.q === '' && desk(await needs(request, await whatWaits(progress, campaigns)), await postingGroup(request, overviews.slice(0, cards.length), next), await nextPosts(request, cards.length === 0 ? undefined : cards.length * 3 + 3))}
          ${asked.q === '' && cards.length === 0 && (await lastPosts(request, campaigns))}
          ${
            !isRowOnly &&
            html`${asked.q !== '' && (await postingGroup(request, overviews.slice(0, cards.length), ''))}${await list(request, asked, { lines, fitting, shown, overviews, isAlone: cards.length === 0 })}`
          }
          ${await foundRows(request, asked, found)}`,
  };
}

/** What waits and what posts now, beside what goes out next, which is as high; without a campaign that posts, one below the other. */
function desk(waiting: Html, running: Html | string, next: Html | string): Html {
  return next === '' || running === ''
    ? html`<div class="running">${waiting}${running}${next}</div>`
    : html`<div class="split"><div>${waiting}${running}</div>${next}</div>`;
}

/** A campaign of the list, or a draft, which is shown as it is. */
type Line =
  | { readonly tab: ShownTab; readonly campaign: Campaign }
  | { readonly tab: 'drafts'; readonly part: () => Promise<Html> | Html };

function draftLines(request: PageRequest, { drafts, unreadable }: AllDrafts, q: string): readonly Line[] {
  const open = drafts.filter(({ campaign }) => campaign === undefined);
  const hasWords = wordsTest(q);
  const found = open.filter(({ options, sheet }) => hasWords([options.name, sheet?.name].join('\n')));
  return [
    ...found.map((draft) => () => draftEntry(request, draft)),
    ...(q === '' ? unreadable.map((draft) => () => unreadableEntry(request, draft)) : []),
  ].map((part) => ({ tab: 'drafts', part }));
}

function campaignsOf(lines: readonly Line[]): readonly Campaign[] {
  return lines.flatMap((line) => ('campaign' in line ? [line.campaign] : []));
}

function isTodayFor({ zone, now }: PageRequest): (at: number) => boolean {
  const today = isoDay(now, zone);
  return (at) => isoDay(at, zone) === today;
}

export function streamCampaigns(request: PageRequest): Stream {
  const { runtime, query, progress } = request;
  const idsIn = (name: string, most: number) =>
    (query.get(name) ?? '').split(',').filter(Boolean).slice(0, most);
  // What was loaded as a card stays one.
  const cards = idsIn('cards', mostCards);
  const ids = [...cards, ...idsIn('ids', campaignsAPage)];
  const loaded = Number(query.get('all'));
  const films = new Films();
  let head: { readonly at: number; readonly parts: LiveParts } | undefined;
  const readHead = async (at: PageRequest): Promise<LiveParts> => {
    if (head && at.now - head.at < allEveryMs) return head.parts;
    const { campaigns } = await listCampaigns(runtime);
    const [usage, waiting] = await Promise.all([
      readServiceUsage(runtime, progress, campaigns, isTodayFor(at)),
      whatWaits(progress, campaigns),
    ]);
    head = { at: at.now, parts: { pulse: pulse(at, usage), needs: await needs(at, waiting) } };
    return head.parts;
  };
  const key = `campaigns ${loaded} ${cards.length} ${ids.join()}`;
  return liveStream(request, { key }, async (at) => {
    const [all, campaigns, parts] = await Promise.all([
      runtime.ledger.campaigns.count(),
      readCampaigns(runtime, ids),
      readHead(at),
    ]);
    const shown = await describeCampaigns(runtime, progress, campaigns);
    const live = await Promise.all(
      shown.map(async (one) => {
        const { id } = one.campaign;
        const isCard = cards.includes(id);
        const pictures = await films.of(at, one.campaign, isCard ? 'last' : 'first');
        return [`campaign-${id}`, (isCard ? card : entry)(at, one, pictures)];
      }),
    );
    return { 'campaigns-stale': stale(all - loaded), ...parts, ...Object.fromEntries(live) };
  });
}

/** The note that the list is out of date. @param more campaigns since it was loaded. */
function stale(more: number): Html {
  const text = more > 0 ? `${plural(more, 'more campaign')} since this page was loaded.` : '';
  return html`<span id="campaigns-stale">${text}</span>`;
}

function staleNote(request: PageRequest): Html {
  const { q, tab } = readQuery(request);
  return html`<p class="note stale">${stale(0)} <a href="${address(request, { q, state: tab })}">Show all</a></p>`;
}

function tabOf(campaign: Campaign, now: number): ShownTab {
  if (isScheduled(campaign, now) || isAllReady(campaign)) return 'scheduled';
  return campaign.state === 'cancelling' ? 'running' : campaign.state;
}

function resultsHead(q: string, campaigns: number, drafts: number): Html {
  const found = [
    ...(campaigns > 0 ? [plural(campaigns, 'campaign')] : []),
    ...(drafts > 0 ? [plural(drafts, 'draft')] : []),
  ];
  return html`<div class="head"><div><h1>Results for “${words(q)}”</h1><p class="about">${found.join(', ')}</p></div></div>`;
}

function head(request: PageRequest, usage: ServiceUsage): Html {
  const { link } = request;
  return html`<div class="head">
    <div><h1>Campaigns</h1>${pulse(request, usage)}</div>
    <div class="actions">
      ${mayDo(request, 'edit') ? html`<a class="button primary" href="${link('/campaigns/new')}">${icon('plus')}New campaign</a>` : ''}
    </div>
  </div>`;
}

function address({ link }: PageRequest, fields: Readonly<Record<string, string | undefined>>): string {
  return changedAddress({ link, query: new URLSearchParams() }, '/campaigns', fields);
}

interface Listed {
  /** All that were found, without cards. */
  readonly lines: readonly Line[];
  /** Those of the tab. */
  readonly fitting: readonly Line[];
  /** Those of the page. */
  readonly shown: readonly Line[];
  readonly overviews: readonly CampaignOverview[];
  /** Whether there are no cards above it. */
  readonly isAlone: boolean;
}

async function list(
  request: PageRequest,
  { q, tab, from }: CampaignListQuery,
  { lines, fitting, shown, overviews, isAlone }: Listed,
): Promise<Html | string> {
  if (lines.length === 0 && !isAlone) return '';
  const isNothing = q !== '' && lines.length === 0;
  const views = [undefined, ...shownStates].flatMap((state) => {
    const many = lines.filter((each) => state === undefined || each.tab === state).length;
    if (many === 0 && state !== tab) return [];
    return [
      [
        `${capitalized(state ?? 'all')} ${thousands(many)}`,
        address(request, { q, state }),
        state === tab,
      ] as const,
    ];
  });
  const byId = new Map(overviews.map((one) => [one.campaign.id, one]));
  const item = async (each: Line) => {
    if ('part' in each) return each.part();
    const overview = byId.get(each.campaign.id);
    return overview ? entry(request, overview, await filmOfFirst(request, each.campaign)) : '';
  };
  const pageAt = (start: number) =>
    address(request, { q, state: tab, from: start > 0 ? String(start) : undefined });
  return html`<section aria-labelledby="others">
    <div class="section"><h2 id="others"${isNothing && html` class="hidden"`}>${q !== '' ? 'Campaigns' : isAlone ? 'All campaigns' : 'Everything else'} <span>${thousands(lines.length)}</span></h2>${lines.length >= fewestForTabs || tab !== undefined ? tabs('Which campaigns', views) : ''}</div>
    ${
      shown.length === 0
        ? noMatch('No campaign or row matches.', '', [request.link('/campaigns'), 'Show all campaigns'])
        : html`<ul class="card flat">${await Promise.all(shown.map(item))}</ul>${indexPager('Pages', { from, each: campaignsAPage, total: fitting.length }, ['Newer', 'Older'], pageAt)}`
    }
  </section>`;
}

export const campaignsRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns', right: 'see', handle: showCampaigns },
  { method: 'get', path: '/campaigns/events', right: 'see', handle: streamCampaigns },
];
