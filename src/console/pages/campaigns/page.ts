/** `/campaigns`: the things that wait for a person, and all campaigns, with a search by name, id, creator, row or caption. */

import { isScheduled } from '../../../campaigns/deliveries.ts';
import { readCampaigns } from '../../../campaigns/find.ts';
import {
  type CampaignOverview,
  describeCampaigns,
  listCampaigns,
  whatWaits,
} from '../../../campaigns/list.ts';
import { type Found, type SearchPlace, searchCampaigns } from '../../../campaigns/search.ts';
import { listDrafts } from '../../../drafts/drafts.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { capitalized } from '../../../runtime/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { changedAddress, indexPager, rowPath } from '../../parts/address.ts';
import { empty, tabs } from '../../parts/blocks.ts';
import { mayChange } from '../../parts/form.ts';
import { count, number } from '../../parts/numbers.ts';
import { smallestSheet } from '../../parts/sheets.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest, Route, Stream } from '../../request.ts';
import { draftsSection, entry, waitingSection } from './entry.ts';

const shownStates = ['running', 'paused', 'scheduled', 'ended'] as const;
type ShownTab = (typeof shownStates)[number];
const campaignsAPage = 50;
const longestSearch = 200;

interface Asked {
  readonly q: string;
  readonly tab: ShownTab | undefined;
  /** Index of the first campaign on the page. */
  readonly from: number;
  /** Where the search for rows continues. */
  readonly after: SearchPlace | undefined;
}

function readAsked({ query }: PageRequest): Asked {
  const [campaign = '', row = ''] = (query.get('after') ?? '').split(':');
  const from = Number(query.get('from'));
  return {
    q: (query.get('q') ?? '').trim().slice(0, longestSearch),
    tab: shownStates.find((state) => state === query.get('state')),
    from: Number.isSafeInteger(from) && from > 0 ? from : 0,
    after: campaign === '' ? undefined : { campaign, row: Math.max(0, Math.trunc(Number(row)) || 0) },
  };
}

export async function showCampaigns(request: PageRequest): Promise<Page> {
  const { runtime, progress } = request;
  // Read first, so that the stream reports a campaign that begins while the page is made.
  const all = await runtime.ledger.campaigns.count();
  const { campaigns } = await listCampaigns(runtime);
  const asked = readAsked(request);
  const found = await searchCampaigns(runtime, campaigns, asked.q, { from: asked.after });
  const fitting = found.campaigns.filter(
    (campaign) => asked.tab === undefined || tabOf(campaign, request.now) === asked.tab,
  );
  const shown = await describeCampaigns(
    runtime,
    progress,
    fitting.slice(asked.from, asked.from + campaignsAPage),
  );
  const isRowOnly = found.campaigns.length === 0 && found.rows.length > 0;
  const ids = shown.map(({ campaign }) => campaign.id).join(',');
  return {
    kind: 'page',
    title: 'Campaigns',
    section: '/campaigns',
    stream: `/campaigns/events?${new URLSearchParams({ ids, all: String(all) })}`,
    main: html`
      ${campaigns.length === 0 ? html`<div class="head"><h1>Campaigns</h1></div>` : head(request, asked.q)}
      ${staleNote(request)}
      ${campaigns.length === 0 ? '' : waitingSection(request, await whatWaits(progress, campaigns))}
      ${draftsSection(request, await listDrafts(runtime))}
      ${
        campaigns.length === 0
          ? howToBegin(request)
          : html`${foundRows(request, asked, found)}
            ${isRowOnly ? html`<p class="note">No campaign has this name, id or creator. <a href="${request.link('/campaigns')}">Show all campaigns</a></p>` : list(request, asked, found, shown, fitting.length)}`
      }`,
  };
}

export function streamCampaigns(request: PageRequest): Stream {
  const { runtime, zone, query, progress } = request;
  const ids = (query.get('ids') ?? '').split(',').filter(Boolean).slice(0, campaignsAPage);
  const loaded = Number(query.get('all'));
  const read = async () => {
    const [all, campaigns] = await Promise.all([
      runtime.ledger.campaigns.count(),
      readCampaigns(runtime, ids),
    ]);
    const shown = await describeCampaigns(runtime, progress, campaigns);
    const at = { ...request, now: runtime.now() };
    return {
      'campaigns-stale': stale(all - loaded),
      ...Object.fromEntries(shown.map((one) => [`campaign-${one.campaign.id}`, entry(at, one)])),
    };
  };
  return { kind: 'stream', view: { key: `campaigns ${loaded} ${ids.join()} ${zone}`, read } };
}

/** The note that the list is out of date. @param more campaigns since it was loaded. */
function stale(more: number): Html {
  const text = more > 0 ? `${count(more, 'campaign')} more since this page was loaded.` : '';
  return html`<span id="campaigns-stale">${text}</span>`;
}

function staleNote(request: PageRequest): Html {
  const { q, tab } = readAsked(request);
  return html`<p class="note stale">${stale(0)} <a href="${address(request, { q, state: tab })}">Show all</a></p>`;
}

function tabOf(campaign: Campaign, now: number): ShownTab {
  if (isScheduled(campaign, now)) return 'scheduled';
  return campaign.state === 'cancelling' ? 'running' : campaign.state;
}

function head(request: PageRequest, q: string): Html {
  const { link } = request;
  return html`<div class="head">
    <h1>Campaigns</h1>
    <div class="actions">
      <form role="search" action="${link('/campaigns')}" class="find">
        <label class="hidden" for="q">Search campaigns</label>
        ${icon('search')}<input id="q" type="search" name="q" value="${q}" maxlength="${longestSearch}" placeholder="Find campaigns and rows" title="By name, id, creator, row or caption">
        <button class="hidden" tabindex="-1">Search</button>
      </form>
      ${mayChange(request) ? html`<a class="button primary" href="${link('/campaigns/new')}">${icon('plus')}New campaign</a>` : ''}
    </div>
  </div>`;
}

function howToBegin(request: PageRequest): Html {
  const { link } = request;
  const begin = mayChange(request)
    ? html`<p><a class="button primary" href="${link('/campaigns/new')}">${icon('plus')}New campaign</a> <a class="button" href="${link('/template.xlsx')}">Example sheet</a></p>`
    : html`<p>An operator can begin one.</p>`;
  return html`<section class="empty" aria-labelledby="begin">
    <h2 id="begin">No campaign yet</h2>
    <p>A campaign begins with a sheet: each row is one post for one creator.</p>
    <ol>
      <li><b>Write the sheet.</b> Excel or CSV, headers in English, Chinese or your own language.
        Begin with the example sheet: <a href="${link('/template.xlsx')}">Excel</a> or <a href="${link('/template.csv')}">CSV</a>.</li>
      <li><b>Drop it, with its media.</b> The page shows every mistake in the sheet, and how to correct it.</li>
      <li><b>Look at the plan, then start.</b> Nothing is sent before that.</li>
    </ol>
    ${begin}
  </section>
  ${smallestSheet('Five columns. Times, music, cover and AI options have more.')}`;
}

function address({ link }: PageRequest, fields: Readonly<Record<string, string | undefined>>): string {
  return changedAddress({ link, query: new URLSearchParams() }, '/campaigns', fields);
}

/** Rows whose key is the searched text, or that have it in their caption. */
function foundRows(request: PageRequest, { q, tab }: Asked, { rows, next }: Found): Html | string {
  const { link } = request;
  const after = next && `${next.campaign}:${next.row}`;
  const more = after
    ? html`<p class="note">Rows and captions are searched part by part. <a href="${address(request, { q, state: tab, after })}">Search older rows</a></p>`
    : '';
  if (rows.length === 0 && more === '') return '';
  const item = ({ key, campaign, caption }: Found['rows'][number]) =>
    html`<li><div><a href="${link(rowPath(campaign.id, key))}">Row <code>${key}</code></a> <small>${words(campaign.name)}, ${campaign.id}</small>${caption === '' ? '' : html`<br><small>${words(excerpt(caption, q))}</small>`}</div></li>`;
  return html`<section aria-labelledby="found"><h2 id="found" class="hidden">Rows found</h2><ul class="points across">${rows.map(item)}</ul>${more}</section>`;
}

const excerptLength = 120;

/** The part of a caption with the searched text. */
function excerpt(caption: string, text: string): string {
  const at = Math.max(0, caption.toLowerCase().indexOf(text.toLowerCase()) - excerptLength / 3);
  const part = caption.slice(at, at + excerptLength).toWellFormed();
  return `${at > 0 ? '…' : ''}${part}${at + excerptLength < caption.length ? '…' : ''}`;
}

/** @param fitting how many campaigns match; the page shows some of them. */
function list(
  request: PageRequest,
  { q, tab, from }: Asked,
  found: Found,
  shown: readonly CampaignOverview[],
  fitting: number,
): Html {
  const views = [undefined, ...shownStates].map((state) => {
    const many = found.campaigns.filter(
      (each) => state === undefined || tabOf(each, request.now) === state,
    ).length;
    const name = `${capitalized(state ?? 'all')} ${number(many)}`;
    return [name, address(request, { q, state }), state === tab] as const;
  });
  const pageAt = (start: number) =>
    address(request, { q, state: tab, from: start > 0 ? String(start) : undefined });
  return html`<section aria-label="Campaigns">
    ${tabs('Which campaigns', views)}
    ${
      shown.length === 0
        ? empty(
            html`<b>No campaign matches.</b> ${q === '' ? '' : words(`Search: “${q}”.`)}`,
            html`<p class="actions"><a class="button" href="${request.link('/campaigns')}">Show all campaigns</a></p>`,
          )
        : html`<ol class="campaigns">${shown.map((one) => entry(request, one))}</ol>${indexPager('Pages', { from, each: campaignsAPage, total: fitting }, ['Newer', 'Older'], pageAt)}`
    }
  </section>`;
}

export const campaignsRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns', role: 'viewer', handle: showCampaigns },
  { method: 'get', path: '/campaigns/events', role: 'viewer', handle: streamCampaigns },
];
