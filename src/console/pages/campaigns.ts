/** `/campaigns`: what waits for a person, and all campaigns. */
import { html } from 'hono/html';
import { listCampaigns } from '../../campaigns/list.ts';
import type { Campaign, CampaignState } from '../../ledger/campaigns.ts';
import type { RowState } from '../../ledger/states.ts';
import { describeDuration } from '../../runtime/wording.ts';
import type { Html } from '../html.ts';
import { icon } from '../parts/icons.ts';
import { words } from '../parts/language.ts';
import { count, moment, number } from '../parts/numbers.ts';
import { empty, type Point, point } from '../parts/points.ts';
import { countLinks, progressBar, stateBadge, stateOfCampaign } from '../parts/state.ts';
import type { Page, PageRequest, Route, Stream } from '../request.ts';

export const campaignsRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns', role: 'viewer', handle: showCampaigns },
  { method: 'get', path: '/campaigns/events', role: 'viewer', handle: streamCampaigns },
];

const shownStates = ['running', 'paused', 'ended'] as const;
type ShownTab = (typeof shownStates)[number];

async function showCampaigns(request: PageRequest): Promise<Page> {
  const { campaigns } = await listCampaigns(request.runtime);
  const q = (request.query.get('q') ?? '').trim();
  const tab = shownStates.find((state) => state === request.query.get('state'));
  const found = campaigns.filter((campaign) => fits(campaign, q));
  const shown = found.filter(({ state }) => tab === undefined || tabOf(state) === tab);
  return {
    kind: 'page',
    title: 'Campaigns',
    section: '/campaigns',
    stream: '/campaigns/events',
    main: html`
      ${head(request, q)}
      ${campaigns.length === 0 ? howToBegin() : html`${waiting(request, campaigns)}${list(request, { found, shown, tab, q })}`}`,
  };
}

function streamCampaigns(request: PageRequest): Stream {
  const { runtime, zone } = request;
  const read = async () => {
    const { campaigns } = await listCampaigns(runtime);
    const at = { ...request, now: runtime.now() };
    return Object.fromEntries(campaigns.map((campaign) => [`campaign-${campaign.id}`, entry(at, campaign)]));
  };
  return { kind: 'stream', view: { key: `campaigns ${zone}`, read } };
}

/** Searches names and ids. */
function fits({ id, name }: Campaign, q: string): boolean {
  return q === '' || id === q || name.toLowerCase().includes(q.toLowerCase());
}

function tabOf(state: CampaignState): ShownTab {
  return state === 'cancelling' ? 'running' : state;
}

function head({ link }: PageRequest, q: string): Html {
  return html`<div class="head">
    <h1>Campaigns</h1>
    <div class="actions">
      <form role="search" action="${link('/campaigns')}" class="find">
        <label class="hidden" for="q">Search campaigns</label>
        ${icon('search')}<input id="q" type="search" name="q" value="${q}" placeholder="Name, id, creator or row">
        <button class="hidden" tabindex="-1">Search</button>
      </form>
    </div>
  </div>`;
}

function howToBegin(): Html {
  return empty(
    html`<b>There is no campaign yet.</b> A campaign is one spreadsheet: each row is one post for one creator.`,
    html`<ol>
      <li>Get an example sheet: <code>campaigns template --out posts.csv</code></li>
      <li>See all its problems before anything is sent: <code>campaigns check posts.csv</code></li>
      <li>Hand it in: <code>campaigns import posts.csv</code>. It then appears here.</li>
    </ol>`,
  );
}

function waiting({ link }: PageRequest, campaigns: readonly Campaign[]): Html | string {
  const inReview = campaigns.reduce((sum, { counts }) => sum + counts.review, 0);
  const held = campaigns.filter(({ state }) => state === 'paused');
  const points: Point[] = [
    ...(inReview === 0
      ? []
      : [
          {
            state: 'review' as const,
            what: html`<a href="${link('/review')}">${count(inReview, 'row')} to decide</a>`,
            more: 'Nobody can tell yet what became of them',
          },
        ]),
    ...held.map(({ id, name, pauseReason }) => ({
      state: 'paused' as const,
      what: html`<a href="${link(`/campaigns/${id}`)}">${words(name)} is paused</a>`,
      more: pauseReason?.message,
    })),
  ];
  if (points.length === 0) return '';
  return html`<section class="card" aria-labelledby="waits">
    <h2 id="waits">Waits for a person</h2>
    <ul class="points across">${points.map(point)}</ul>
  </section>`;
}

interface Shown {
  readonly found: readonly Campaign[];
  readonly shown: readonly Campaign[];
  readonly tab: ShownTab | undefined;
  readonly q: string;
}

function list(request: PageRequest, { found, shown, tab, q }: Shown): Html {
  const { link } = request;
  const address = (state?: string) => {
    const query = new URLSearchParams({ ...(q && { q }), ...(state && { state }) }).toString();
    return link(`/campaigns${query === '' ? '' : `?${query}`}`);
  };
  const tabs = [
    { name: 'All', state: undefined, many: found.length },
    ...shownStates.map((state) => ({
      name: `${state.charAt(0).toUpperCase()}${state.slice(1)}`,
      state,
      many: found.filter((campaign) => tabOf(campaign.state) === state).length,
    })),
  ];
  return html`<section aria-label="Campaigns">
    <nav class="tabs" aria-label="Which campaigns">
      ${tabs.map(
        ({ name, state, many }) =>
          html`<a href="${address(state)}"${state === tab ? html` aria-current="page"` : ''}>${name} ${number(many)}</a>`,
      )}
    </nav>
    ${
      shown.length === 0
        ? empty(
            html`<b>No campaign fits.</b> ${q === '' ? '' : `Search: “${q}”.`}`,
            html`<p class="actions"><a class="button" href="${link('/campaigns')}">Show all campaigns</a></p>`,
          )
        : html`<ol class="campaigns">${shown.map((campaign) => entry(request, campaign))}</ol>`
    }
  </section>`;
}

function entry({ link, zone, now }: PageRequest, campaign: Campaign): Html {
  const { id, name, state, rows, counts, account, createdAt, pauseReason } = campaign;
  const page = link(`/campaigns/${id}`);
  const address = (rowState: RowState) => `${page}?state=${rowState}#rows`;
  const word = state === 'paused' && pauseReason ? `paused: ${pauseReason.code.replace('_', ' ')}` : state;
  return html`<li id="campaign-${id}">
    <div>
      <h2><a href="${page}">${words(name)}</a></h2>
      <p>${stateBadge(stateOfCampaign(state), word)}</p>
      <p>${id}, account ${account}<br>began ${moment(createdAt, zone, now)}</p>
    </div>
    <div>
      <p><b>${number(counts.posted)}</b> of ${number(rows)} posted</p>
      ${progressBar(counts)}
      ${countLinks(counts, address)}
    </div>
    <div>${outlook(campaign, zone, now)}</div>
  </li>`;
}

function outlook(
  { state, endedAt, workedMs, pauseReason }: Campaign,
  zone: string,
  now: number,
): Html | string {
  if (state === 'paused') return html`<p class="lead">Waits for you</p><p>${pauseReason?.message ?? ''}</p>`;
  if (endedAt === undefined || state !== 'ended') return '';
  const took = workedMs === undefined ? '' : `Took ${describeDuration(workedMs)}.`;
  return html`<p class="lead">Ended ${moment(endedAt, zone, now)}</p><p>${took}</p>`;
}
