/** The head of `/campaigns`: how the service is used now, what waits for a person, and how to begin. */
import { mayDo } from '../../../app/access/roles.ts';
import { isAtCanary, type ServiceUsage, type Waiting } from '../../../app/campaigns/list.ts';
import type { Note } from '../../../app/campaigns/progress/notes.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { plural, sentence, thousands } from '../../../manifest/wording.ts';
import { fixOnPage } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { empty, notice } from '../../parts/blocks.ts';
import { moment } from '../../parts/numbers.ts';
import { filmOfKeys, filmOfRows } from '../../parts/post-pictures.ts';
import { smallestSheet } from '../../parts/sheets.ts';
import { icon, iconOf, type ShownState } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

/** One line: posts a minute, posts of today, how many are not live yet, when all is done. */
export function pulse({ zone, now }: PageRequest, usage: ServiceUsage): Html {
  const { posts, acceptedToday, unpublished, doneIn } = usage;
  const perMinute = posts && Number(posts.perMinute.toFixed(posts.perMinute < 10 ? 1 : 0));
  const isIdle = posts === undefined && acceptedToday === 0;
  return html`<p class="pulse" id="pulse">
    ${perMinute === undefined || perMinute === 0 ? '' : html`<span><b>${thousands(perMinute)}</b> ${perMinute === 1 ? 'post' : 'posts'} a minute now${posts?.isFull && html`<span class="opt">, the full rate limit</span>`}</span>`}
    ${isIdle ? html`<span>Nothing is running.</span>` : html`<span><b>${thousands(acceptedToday)}</b> posted or scheduled today</span>${unpublished > 0 && html`<span><b>${thousands(unpublished)}</b> not live yet</span>`}`}
    ${doneIn === undefined ? '' : html`<span>all done by about <b>${moment(now + doneIn, zone, now)}</b></span>`}
  </p>`;
}

interface Need {
  readonly state: ShownState;
  readonly many: number;
  readonly what: string;
  readonly more: Html | string;
  readonly address: string;
  /** What the person does next. */
  readonly verb: string;
  readonly film: Html | string;
}

/** Pictures beside what waits. */
const mostInFilm = 4;

/** What waits for a person, one line each, with pictures of its posts and a verb; empty when nothing does. */
export async function needs(
  request: PageRequest,
  { inReview, unapproved, unpaid, stopped, paused }: Waiting,
): Promise<Html> {
  const canaries = paused.filter(isAtCanary);
  const others = paused.filter((campaign) => !isAtCanary(campaign));
  const isByPerson = ({ pauseReason }: Campaign) => (pauseReason?.code ?? 'paused') === 'paused';
  const found = await Promise.all([
    review(request, inReview),
    approvals(request, unapproved),
    spending(request, unpaid),
    authorize(request, stopped),
    canaries.length === 1
      ? canary(request, canaries)
      : pausedNeed(request, canaries, 'canaries to look at', 'Look at them'),
    pausedNeed(
      request,
      others.filter((each) => !isByPerson(each)),
      'stopped automatically',
      'See why',
    ),
    pausedNeed(request, others.filter(isByPerson), 'paused', 'Look'),
  ]);
  const shown = found.filter((need) => need !== undefined);
  if (shown.length === 0) return html`<div id="needs"></div>`;
  return html`<nav id="needs" aria-label="Waiting for you"><ul class="card needs">${shown.map(
    ({ state, many, what, more, address, verb, film }) =>
      html`<li><a href="${address}" data-state="${state}">${icon(iconOf(state))}<span><b>${thousands(many)}</b> ${what}<small>${more}</small></span>${film}<span class="button">${verb}</span></a></li>`,
  )}</ul></nav>`;
}

async function review(request: PageRequest, campaigns: Waiting['inReview']): Promise<Need | undefined> {
  const [first] = campaigns;
  if (first === undefined) return undefined;
  const rows = campaigns.reduce((sum, { counts }) => sum + counts.review, 0);
  const ledger = request.runtime.ledger.rows;
  const positions = await ledger.someInState(first.id, 'review', first.counts.review, 1000);
  return {
    state: 'review',
    many: rows,
    what: `${rows === 1 ? 'row' : 'rows'} to decide`,
    more: namesOf(campaigns),
    address: request.link('/review'),
    verb: mayDo(request, 'run') ? 'Decide' : 'Look',
    film: await filmOfRows(request, first, positions.slice(0, mostInFilm)),
  };
}

async function approvals(request: PageRequest, campaigns: Waiting['unapproved']): Promise<Need | undefined> {
  const [first] = campaigns;
  if (first === undefined) return undefined;
  const posts = campaigns.reduce((sum, { unapproved }) => sum + unapproved, 0);
  const waiting = await request.runtime.ledger.approvals.waiting(first.id, { most: mostInFilm });
  const positions = waiting.map(({ row }) => row);
  return {
    state: 'ready',
    many: posts,
    what: `${posts === 1 ? 'post' : 'posts'} for your approval`,
    more: namesOf(campaigns),
    address: request.link('/approvals'),
    verb: mayDo(request, 'approve') ? 'Approve' : 'Look',
    film: await filmOfRows(request, first, positions),
  };
}

function spending(request: PageRequest, campaigns: Waiting['unpaid']): Need | undefined {
  const [first] = campaigns;
  if (first === undefined) return undefined;
  const rows = campaigns.reduce((sum, { unpaid }) => sum + unpaid, 0);
  return {
    state: 'warning',
    many: rows,
    what: `${rows === 1 ? 'row' : 'rows'} with AI outputs beyond the limit`,
    more: namesOf(campaigns),
    address: request.link(`/campaigns/${first.id}`),
    verb: mayDo(request, 'run') ? 'Allow them' : 'Look',
    film: '',
  };
}

async function authorize(request: PageRequest, stopped: Waiting['stopped']): Promise<Need | undefined> {
  const [first] = stopped;
  if (first === undefined) return undefined;
  const creators = [...new Set(stopped.flatMap((one) => one.creators))];
  const rows = stopped.reduce((sum, one) => sum + one.rows, 0);
  const others = creators.length > 3 ? ` and ${thousands(creators.length - 3)} more` : '';
  return {
    state: 'failed',
    many: creators.length,
    what: `${creators.length === 1 ? 'creator' : 'creators'} to authorize again`,
    more: html`${words(creators.slice(0, 3).join(', '))}${others}: ${plural(rows, 'row')} stopped`,
    address: request.link(`/campaigns/${first.campaign.id}#causes`),
    verb: creators.length === 1 ? 'Ask the creator' : 'Ask them',
    film: await filmOfKeys(request, first.campaign, first.examples.slice(0, mostInFilm)),
  };
}

async function canary(request: PageRequest, [first]: readonly Campaign[]): Promise<Need | undefined> {
  if (first === undefined) return undefined;
  const { id, counts, begun } = first;
  return {
    state: 'paused',
    many: counts.waiting,
    what: `${counts.waiting === 1 ? 'row waits' : 'rows wait'} for the canary`,
    more: doneOf(first),
    address: request.link(`/campaigns/${id}`),
    verb: `Check ${plural(begun, 'post')}`,
    film: await filmOfRows(request, first, firstRows(begun)),
  };
}

function firstRows(many: number): readonly number[] {
  return Array.from({ length: Math.min(many, mostInFilm) }, (_, index) => index);
}

/** One campaign is named with its rows, several by their names. */
async function pausedNeed(
  request: PageRequest,
  campaigns: readonly Campaign[],
  what: string,
  verb: string,
): Promise<Need | undefined> {
  const [first, ...others] = campaigns;
  if (first === undefined) return undefined;
  return {
    state: 'paused',
    many: campaigns.length,
    what,
    more: others.length === 0 ? doneOf(first) : namesOf(campaigns),
    address: request.link(others.length === 0 ? `/campaigns/${first.id}` : '/campaigns?state=paused'),
    verb,
    film: await filmOfRows(request, first, firstRows(first.rows)),
  };
}

/** `Winter scents: 6 of 80 posted`. */
function doneOf({ name, rows, counts }: Campaign): Html {
  const failed = counts.failed + counts.review;
  return html`${words(name)}: ${failed > 0 ? `${thousands(failed)} failed or in review` : `${thousands(counts.posted)} of ${thousands(rows)} posted`}`;
}

function namesOf(campaigns: readonly Campaign[]): Html {
  const names = campaigns.slice(0, 3).map(({ name }) => name);
  const more = campaigns.length - names.length;
  return html`${words(names.join(', '))}${more > 0 ? ` and ${thousands(more)} more` : ''}`;
}

/** Campaigns that this machine remembers, but Redis does not have. */
export function forgottenNotice({ text, hints }: Note): Html {
  return notice({ state: 'failed', text: sentence(text), more: fixOnPage(hints) || undefined });
}

/** Stands in for the list while there is no campaign. */
export function howToBegin(request: PageRequest): Html {
  const { link } = request;
  const begin = mayDo(request, 'edit')
    ? html`<p class="actions"><a class="button primary" href="${link('/campaigns/new')}">${icon('plus')}New campaign</a><a class="button" href="${link('/template.xlsx')}">Example sheet</a></p>`
    : html`<p>An editor can begin one.</p>`;
  const steps = html`<ol>
      <li><b>Write the sheet.</b> Excel or CSV, headers in English, Chinese or another language.
        Begin with the example sheet: <a href="${link('/template.xlsx')}">Excel</a> or <a href="${link('/template.csv')}">CSV</a>.</li>
      <li><b>Drop it, with its media.</b> The page shows every mistake in the sheet, and how to fix it.</li>
      <li><b>Look at the plan, then start.</b> Nothing is sent before that.</li>
    </ol>
    ${begin}`;
  const lead = html`<b>No campaign yet.</b> A campaign begins with a sheet: each row is one post for one creator.`;
  return html`${empty(lead, steps)}
  ${smallestSheet('Five columns. Times, music, cover and AI options have more.')}`;
}
