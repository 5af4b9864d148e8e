/** `/campaigns/ID`: how far it is, what holds it back, what did not come through, and its rows. */
import { html } from 'hono/html';
import type { CampaignProgress } from '../../../campaigns/progress/reader.ts';
import type { Throughput } from '../../../campaigns/progress/throughput.ts';
import { type ShownCampaign, showCampaign } from '../../../campaigns/show.ts';
import { shownCounts } from '../../../campaigns/shown-states.ts';
import type { Campaign } from '../../../ledger/campaigns.ts';
import { presentable } from '../../../manifest/presentable.ts';
import type { Html } from '../../html.ts';
import type { LiveParts } from '../../live/hub.ts';
import { icon } from '../../parts/icons.ts';
import { count, number } from '../../parts/numbers.ts';
import { endsBetween, timeLeft } from '../../parts/outlook.ts';
import { progressBar, shownRowStates, wordOf } from '../../parts/state.ts';
import type { Page, PageRequest, Stream } from '../../request.ts';
import { canarySection } from './canary.ts';
import { causesSection } from './causes.ts';
import { head } from './head.ts';
import { heldSection } from './held.ts';
import { rowsSection } from './rows.ts';
import { lane } from './steps.ts';
import { throughputSection } from './throughput.ts';

interface Seen extends ShownCampaign {
  readonly progress: CampaignProgress;
  readonly throughput: Throughput;
}

async function look(request: PageRequest): Promise<Seen> {
  const shown = await showCampaign(request.runtime, request.params.id ?? '');
  const [progress, throughput] = await Promise.all([
    request.progress.read(shown.campaign),
    request.progress.throughput(shown.campaign),
  ]);
  return { ...shown, progress, throughput };
}

export async function showCampaignPage(request: PageRequest): Promise<Page> {
  const seen = await look(request);
  const { campaign } = seen;
  const parts = liveParts(request, seen);
  return {
    kind: 'page',
    title: titleOf(seen),
    section: '/campaigns',
    stream: `/campaigns/${campaign.id}/events`,
    main: html`
      <nav class="crumbs" aria-label="Where you are"><a href="${request.link('/campaigns')}">Campaigns</a> / ${campaign.id}</nav>
      ${parts['campaign-head']}
      ${await canarySection(request, campaign)}
      ${parts['campaign-counts']}
      ${parts['campaign-steps']}
      <div class="two">${parts['campaign-throughput']}${parts['campaign-held']}</div>
      ${parts['campaign-causes']}
      ${await rowsSection(request, campaign, seen.causes)}`,
  };
}

export function streamCampaignPage(request: PageRequest): Stream {
  const { runtime, params, zone, person } = request;
  let kept: { readonly of: string; readonly part: Html } | undefined;
  // What a release takes is read from the rows: only when their number has changed.
  const canary = async (at: PageRequest, campaign: Campaign) => {
    const of = `${campaign.state} ${campaign.counts.waiting}`;
    if (kept?.of !== of) kept = { of, part: await canarySection(at, campaign) };
    return kept.part;
  };
  const read = async () => {
    const at = { ...request, now: runtime.now() };
    const seen = await look(at);
    return { ...liveParts(at, seen), 'campaign-canary': await canary(at, seen.campaign) };
  };
  return {
    kind: 'stream',
    view: { key: `campaign ${params.id} ${zone} ${person.role} ${request.csrf}`, read },
  };
}

function liveParts(request: PageRequest, seen: Seen): LiveParts {
  return {
    'campaign-head': head(request, seen.campaign),
    'campaign-counts': counts(request, seen),
    'campaign-steps': lane(seen.progress),
    'campaign-throughput': throughputSection(request, seen.throughput),
    'campaign-held': heldSection(request, seen.progress),
    'campaign-causes': causesSection(request, seen),
  };
}

function titleOf({ campaign, isUnderWay }: Seen): string {
  const { name, rows, counts } = campaign;
  const shown = presentable(name);
  return isUnderWay ? `${number(counts.posted)} of ${number(rows)}, ${shown}` : shown;
}

function counts(request: PageRequest, seen: Seen): Html {
  const { campaign } = seen;
  const shown = shownCounts(campaign);
  const always = ['posted', 'running', 'review', 'failed', 'waiting'];
  const states = shownRowStates.filter((state) => always.includes(state) || shown[state] > 0);
  const word = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return html`<div id="campaign-counts" data-title="${titleOf(seen)}">
    <ul class="tally">
      ${states.map(
        (state) =>
          html`<li><a href="${request.link(`/campaigns/${campaign.id}?state=${state}#rows`)}" data-state="${state}">${icon(state)} ${word(wordOf(state))} <b>${number(shown[state])}</b></a></li>`,
      )}
    </ul>
    ${progressBar(shown)}
    ${outlook(request, seen)}
  </div>`;
}

function outlook({ now, zone }: PageRequest, { isUnderWay, progress }: Seen): Html | string {
  const { pace } = progress;
  if (!isUnderWay || pace === undefined) return '';
  const ends = endsBetween(pace, now, zone);
  return html`<p class="outlook"><span><b>${timeLeft(pace)}</b>${ends === '' ? '' : `, ${ends}`}</span> <span><b>${count(Math.round(pace.rowsPerMinute), 'row')} a minute</b></span></p>`;
}
