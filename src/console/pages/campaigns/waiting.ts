/** The card of things that wait for a person, over all campaigns. */

import { isAtCanary, type Waiting } from '../../../campaigns/list.ts';
import { type Draft, keptMs } from '../../../drafts/draft.ts';
import type { AllDrafts } from '../../../drafts/drafts.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import { type Html, html, words } from '../../html.ts';
import { type Point, point } from '../../parts/blocks.ts';
import { count, dayAndMonth, moment, number } from '../../parts/numbers.ts';
import type { PageRequest } from '../../request.ts';
import { whyPaused } from '../campaign/causes.ts';

const pausedShown = 6;

export function waitingSection(request: PageRequest, waiting: Waiting): Html | string {
  const points = [
    ...review(request, waiting.inReview),
    ...authorize(request, waiting.stopped),
    ...paused(request, waiting.paused),
  ];
  if (points.length === 0) return '';
  return html`<section class="card" aria-labelledby="waits">
    <h2 id="waits">Waits for a person</h2>
    <ul class="points across">${points.map(point)}</ul>
  </section>`;
}

function review({ link }: PageRequest, campaigns: Waiting['inReview']): readonly Point[] {
  const rows = campaigns.reduce((sum, { counts }) => sum + counts.review, 0);
  if (rows === 0) return [];
  return [
    {
      state: 'review',
      what: html`<a href="${link('/review')}">${count(rows, 'row')} to decide</a>`,
      more: html`${namesOf(campaigns)}: nobody can tell what became of ${rows === 1 ? 'it' : 'them'}`,
    },
  ];
}

function authorize({ link }: PageRequest, stopped: Waiting['stopped']): readonly Point[] {
  const [first] = stopped;
  if (first === undefined) return [];
  const creators = [...new Set(stopped.flatMap((one) => one.creators))];
  const rows = stopped.reduce((sum, one) => sum + one.rows, 0);
  return [
    {
      state: 'failed',
      what: html`<a href="${link(`/campaigns/${first.campaign.id}#causes`)}">${count(creators.length, 'creator')} to authorize again</a>`,
      more: html`${words(creators.slice(0, 3).join(', '))}${creators.length > 3 ? ` and ${number(creators.length - 3)} more` : ''}: ${count(rows, 'row')} stopped`,
    },
  ];
}

function paused(request: PageRequest, campaigns: Waiting['paused']): readonly Point[] {
  const { link } = request;
  const points = campaigns.slice(0, pausedShown).map((campaign): Point => {
    const { id, name, counts, pauseReason } = campaign;
    const more = isAtCanary(campaign)
      ? html`${words(name)}: ${number(counts.posted)} posted`
      : html`${words(whyPaused(request, pauseReason))}`;
    const what = isAtCanary(campaign) ? '1 canary to look at' : html`${words(name)} is paused`;
    return { state: 'paused', what: html`<a href="${link(`/campaigns/${id}`)}">${what}</a>`, more };
  });
  const left = campaigns.length - points.length;
  if (left === 0) return points;
  const all = html`<a href="${link('/campaigns?state=paused')}">${number(left)} more paused</a>`;
  return [...points, { state: 'paused', what: all }];
}

function namesOf(campaigns: readonly Campaign[]): Html {
  const [first, ...others] = campaigns;
  return html`${words(first?.name ?? '')}${others.length === 0 ? '' : ` and ${number(others.length)} more`}`;
}

const draftsShown = 12;

export function draftsSection(request: PageRequest, { drafts, unreadable }: AllDrafts): Html | string {
  const open = drafts.filter(({ campaign }) => campaign === undefined);
  if (open.length + unreadable.length === 0) return '';
  const shown = request.query.get('drafts') === 'all' ? open.length : draftsShown;
  const more = open.length - shown;
  return html`<section class="card" aria-labelledby="drafts">
    <h2 id="drafts">Drafts</h2>
    <ul class="points across">${open.slice(0, shown).map((draft) => item(request, draft))}${unreadable.map((draft) => unreadableItem(request, draft))}</ul>
    ${more > 0 ? html`<p class="note">${number(more)} older ones are not shown. <a href="${request.link('/campaigns?drafts=all')}">Show all</a></p>` : ''}
  </section>`;
}

function item({ link, zone, now }: PageRequest, { id, sheet, options, changedAt, owner }: Draft): Html {
  const name = options.name ?? sheet?.name ?? 'Without a sheet yet';
  return point({
    state: 'waiting',
    what: html`<a href="${link(`/campaigns/new/${id}`)}">${words(name)}</a>`,
    more: html`of ${words(owner)}, changed ${moment(changedAt, zone, now)}, kept until ${dayAndMonth(changedAt + keptMs, zone, now)}`,
  });
}

function unreadableItem(
  { zone, now }: PageRequest,
  { id, changedAt }: AllDrafts['unreadable'][number],
): Html {
  return point({
    state: 'failed',
    what: html`A draft that cannot be read`,
    more: html`its record is damaged; the original sheet is on the server, in <code>drafts/${id}/sheet</code> of the data directory. Kept until ${dayAndMonth(changedAt + keptMs, zone, now)}`,
  });
}
