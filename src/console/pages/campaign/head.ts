/** The head of a campaign: its state and its buttons, and what is left of its sheet or held after its canary. */
import { mayDo } from '../../../app/access/roles.ts';
import { isSheetAddress } from '../../../app/campaigns/import/sheet-address.ts';
import { isAtCanary } from '../../../app/campaigns/list.ts';
import type { ShownCounts } from '../../../app/campaigns/post-status.ts';
import { planRelease, type ReleasePlan } from '../../../app/campaigns/progress/release.ts';
import { findIgnored } from '../../../app/campaigns/results/ignored-edits.ts';
import { mostRows } from '../../../app/campaigns/rows/list.ts';
import { findNotInSheet, type MissingRows } from '../../../app/campaigns/rows/not-in-sheet.ts';
import { findDraftOf } from '../../../app/drafts/drafts.ts';
import { rowState } from '../../../app/runtime/documents.ts';
import type { Campaign, PausedBy, PauseReason } from '../../../ledger/campaigns/campaign.ts';
import { printable } from '../../../manifest/printable.ts';
import { capitalized, describeDuration, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { notice } from '../../parts/blocks.ts';
import { costOf, form, questionLink } from '../../parts/form.ts';
import { rowPath } from '../../parts/list.ts';
import { moment, timesIn } from '../../parts/numbers.ts';
import { icon, stateBadge, stateOfCampaign, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { changesSection, countIgnored } from '../new/draft/update.ts';
import { whyPaused } from './causes.ts';

interface HeadFigures {
  readonly campaign: Campaign;
  readonly creators: number;
  readonly shown: ShownCounts;
}

/** Rows that wait until an operator allows their AI outputs. */
function unpaid(request: PageRequest, { id, unpaid: rows, state }: Campaign): Html | string {
  if (rows === 0 || state !== 'running') return '';
  const wait = rows === 1 ? 'waits: its' : 'wait: their';
  const text = `${plural(rows, 'row')} ${wait} AI outputs are beyond the limit of the settings.`;
  const ask = mayDo(request, 'run') && questionLink(request, `/campaigns/${id}/spend`, 'Allow them…');
  return notice({ state: 'warning', text }, ask || '');
}

export function head(request: PageRequest, { campaign, creators, shown: counts }: HeadFigures): Html {
  const { name, rows, source, createdAt, canary, state, pauseReason, pausedBy, released } = campaign;
  const { canaryOf, stopAfter, leftOut } = campaign;
  const { now, zone } = request;
  const [shown, word] = stateOfCampaign(campaign, counts);
  const failed = state === 'ended' && counts.failed > 0 && `, ${thousands(counts.failed)} failed`;
  const ahead = state === 'ended' && counts.scheduled > 0 && `, ${thousands(counts.scheduled)} to come`;
  const whose = `${plural(rows, 'row')} · ${plural(creators, 'creator')}`;
  const by = campaign.startedBy === undefined ? '' : ` by ${printable(campaign.startedBy)}`;
  const when = [
    `started ${moment(createdAt, zone, now)}${by}`,
    ...(canary === null
      ? []
      : [
          `canary of ${thousands(canary)}${canaryOf === undefined ? '' : ` (${canaryOf})`}${released ? ` ${didAt(request, released)}` : ''}`,
        ]),
    ...(stopAfter === null ? [] : [`pauses if more than ${stopAfter}% fail`]),
    ...(leftOut === 0 ? [] : [`${plural(leftOut, 'row')} skipped`]),
    ...(pausedBy?.did === 'resumed' && state === 'running' ? [didAt(request, pausedBy)] : []),
  ].join(' · ');
  const held =
    state === 'paused' && pauseReason && !isAtCanary(campaign)
      ? notice(
          { state: 'paused', text: whyHeld(request, campaign, pauseReason) },
          resumeButton(request, campaign),
        )
      : '';
  return html`<div id="campaign-head">
    <div class="head">
      <div>
        <h1>${words(name)} ${stateBadge(shown, html`${capitalized(word)}${failed}${ahead}`, 'tag')}</h1>
        <p class="about">${whose} · <span class="opt">${words(sheetName(source))} · </span>${when}<span class="opt"> · ${timesIn(request)}</span></p>
      </div>
      <div class="actions">${actions(request, campaign, counts)}</div>
    </div>
    ${held}${unpaid(request, campaign)}
  </div>`;
}

/** The file, or the host of an address. */
function sheetName(source: string): string {
  const name = source.split('/').at(-1) ?? source;
  return isSheetAddress(source) ? `at ${URL.parse(source)?.hostname ?? source}` : name;
}

function whyHeld(request: PageRequest, { pausedBy }: Campaign, reason: PauseReason): string {
  const { zone, now } = request;
  if (reason.code !== 'paused' || pausedBy?.did !== 'paused') return whyPaused(request, reason);
  return `Paused by ${printable(pausedBy.by)}, ${moment(pausedBy.at, zone, now)}.`;
}

/** `released 14:53 by ops-1`. */
function didAt({ zone, now }: PageRequest, { did, at, by }: PausedBy): string {
  return `${did} ${moment(at, zone, now)} by ${printable(by)}`;
}

/** An ended campaign is cancelled for its rows in review: they can no longer be sent then. */
function isCancellable({ state, cancelledAt, counts }: Campaign): boolean {
  if (state === 'ended') return cancelledAt === undefined && counts.review > 0;
  return state !== 'cancelling';
}

function actions(request: PageRequest, campaign: Campaign, counts: ShownCounts): Html {
  const { id, state } = campaign;
  if (!mayDo(request, 'run')) return html`${results(request, campaign, counts)}${more(request, campaign)}`;
  const button = html`<button>${icon('hold')}Pause</button>`;
  const pause = form(request, { path: `/campaigns/${id}/pause`, body: button });
  return html`${state === 'running' ? pause : ''}${results(request, campaign, counts)}${more(request, campaign)}`;
}

/** What comes second; the danger is the last of it. */
function more(request: PageRequest, campaign: Campaign): Html {
  const { id, cancelledAt, rows, source } = campaign;
  const { link } = request;
  const into = html`<a href="${link(`/campaigns/${id}/into`)}">Update with corrected sheet…</a>`;
  const again = questionLink(request, `/campaigns/${id}/read-again`, 'Read the sheet again…', '');
  const cancel = questionLink(request, `/campaigns/${id}/cancel`, 'Cancel campaign…', 'danger');
  const all = rows > mostRows ? `The first ${thousands(mostRows)} rows on one page` : 'All rows on one page';
  return html`<details class="menu">
    <summary class="button">More…</summary>
    <ul>
      ${mayDo(request, 'edit') && cancelledAt === undefined ? html`<li>${into}</li>${isSheetAddress(source) && html`<li>${again}</li>`}` : ''}
      ${mayDo(request, 'manage') && html`<li>${questionLink(request, `/campaigns/${id}/links`, 'Client links…', '')}</li>`}
      <li><a href="${link(`/calendar?campaign=${id}`)}">Show in the calendar</a></li>
      <li><a href="${link(`/campaigns/${id}?sort=line&rows=all`)}">${all}, to print</a></li>
      ${mayDo(request, 'run') && isCancellable(campaign) ? html`<li class="apart">${cancel}</li>` : ''}
    </ul>
  </details>`;
}

function results({ link }: PageRequest, { id }: Campaign, counts: ShownCounts): Html {
  const file = (name: string) => link(`/campaigns/${id}/${name}`);
  const toEdit = counts.failed + counts.review;
  return html`<details class="menu">
    <summary class="button">${icon('down')}Results</summary>
    <ul>
      <li><a href="${file('results.xlsx')}" download>Excel, all rows</a></li>
      <li><a href="${file('results.csv')}" download>CSV, all rows</a></li>
      ${toEdit === 0 ? '' : html`<li><a href="${file('results.xlsx?only=failed,review')}" download>Excel, only the ${thousands(toEdit)} to fix</a></li>`}
      ${(['scheduled', 'unconfirmed'] as const).filter((of) => counts[of] > 0).map((of) => html`<li><a href="${file(`results.xlsx?only=${of}`)}" download>Excel, only the ${thousands(counts[of])} ${wordOf(of)}, with post IDs</a></li>`)}
    </ul>
  </details>`;
}

function resumeButton(request: PageRequest, { id }: Campaign): Html {
  if (!mayDo(request, 'run')) return html`<p>An operator can resume it.</p>`;
  const button = html`<button>${icon('play')}Resume</button>`;
  return form(request, { path: `/campaigns/${id}/resume`, body: button });
}

/** Empty unless posts of the campaign wait for an approval. */
export function approvalsNotice({ link }: PageRequest, { id, unapproved }: Campaign): Html {
  if (unapproved === 0) return html`<div id="campaign-approvals"></div>`;
  const text = `${plural(unapproved, 'post waits', 'posts wait')} for an approval.`;
  const look = html`<a class="button primary" href="${link(`/approvals?campaign=${id}`)}">Look at ${unapproved === 1 ? 'it' : 'them'}</a>`;
  return html`<div id="campaign-approvals">${notice({ state: 'warning', text }, look)}</div>`;
}

/** Empty unless the campaign is held after its canary. */
export async function canarySection(request: PageRequest, campaign: Campaign): Promise<Html> {
  if (!isAtCanary(campaign)) return html`<div id="campaign-canary"></div>`;
  const plan = await planRelease(request.runtime, campaign, await request.progress.needs.of(campaign));
  const operator = mayDo(request, 'run');
  const button = html`<button class="primary">${icon('play')}Release ${plural(plan.rows, 'row')}</button>`;
  return html`<div id="campaign-canary" class="notice" data-state="paused" role="status">
    <p>${icon('paused')}<span><b>Paused after the canary: ${endedOf(campaign)}.</b>
    <small>${operator ? 'Check them in the service. Then release' : 'An operator can release'} the other ${plan.rows === 1 ? 'row' : thousands(plan.rows)}: ${takes(plan)}. The campaign won't pause for a canary again.</small>
    ${due(request, plan)}</span></p>
    ${operator ? form(request, { path: `/campaigns/${campaign.id}/resume`, body: button }) : ''}
  </div>`;
}

/** The next scheduled time among the held rows, and how many times have passed. */
function due({ zone, now }: PageRequest, { rows, nextAt, late }: ReleasePlan): Html | string {
  const passed = late === 0 ? '' : ` The scheduled time of ${plural(late, 'row')} has passed.`;
  if (nextAt === undefined) return late === 0 ? '' : html`<small>${passed.trim()}</small>`;
  return html`<small>The next scheduled time ${rows === 1 ? '' : `among the ${thousands(rows)} `}is <b>${moment(nextAt, zone, now)}</b>: in ${describeDuration(nextAt - now)}.${passed}</small>`;
}

/** `the first 20 rows have ended, all posted`. */
function endedOf({ begun, counts, canaryOf }: Campaign): string {
  const states = rowState.options.filter(
    (state) => state !== 'waiting' && state !== 'cancelled' && counts[state] > 0,
  );
  const one = states.length === 1 && states[0] !== undefined ? `all ${wordOf(states[0])}` : undefined;
  const each = one ?? states.map((state) => `${thousands(counts[state])} ${wordOf(state)}`).join(', ');
  if (canaryOf !== undefined) return `${canaryOf} ended, ${each}`;
  return `the first ${begun === 1 ? 'row has' : `${thousands(begun)} rows have`} ended, ${begun === 1 && states[0] ? wordOf(states[0]) : each}`;
}

function takes({ plan, shortestMs }: ReleasePlan): string {
  const time = shortestMs < 1000 ? 'no wait for rate limits' : `at least ${describeDuration(shortestMs)}`;
  if (plan === undefined) return time;
  const { calls, outputs } = costOf(plan);
  return `${plural(calls, 'call')}, ${outputs === 0 ? 'no AI outputs' : plural(outputs, 'AI output')}, ${time}`;
}

const mostNamed = 5;
const mostRowsOfIgnored = 10;

/** With old and new texts, until the next update. */
export async function ignoredNote({ runtime }: PageRequest, campaign: Campaign): Promise<Html | string> {
  const { count, rows, isKeyless } = await findIgnored(runtime, campaign);
  if (count === 0) return '';
  const changes = rows.slice(0, mostRowsOfIgnored);
  return changesSection(
    'ignored',
    { changes, isKeyless },
    count,
    `Last update: ${countIgnored(count, rows)}`,
  );
}

/** Names rows that are published although the last version of the sheet no longer has them. */
export async function notInSheetNote(request: PageRequest, campaign: Campaign): Promise<Html> {
  const { sent, scheduled } = await findNotInSheet(request.runtime, campaign);
  const named = ({ count, rows: found }: MissingRows, what: string, todo: (isOne: boolean) => string) => {
    if (count === 0) return '';
    const are = count === 1 ? 'is' : 'are';
    const rows = found.slice(0, mostNamed).map((row, index) => {
      const path = rowPath(campaign.id, row.key);
      return html`${index > 0 && ', '}<a href="${request.link(path)}">${row.place ?? printable(row.key)}</a>`;
    });
    const isOld = found.some(({ place }) => place !== undefined);
    const more = `${count > mostNamed ? ', …' : ''}${isOld ? ' of an earlier version' : ''}`;
    return html`<p class="note notice" data-state="warning"><span>${plural(count, 'row')} ${are} no longer in the sheet, but ${what}: ${rows}${more}. ${todo(count === 1)}</span></p>`;
  };
  const cancel = (isOne: boolean) =>
    isOne
      ? 'If you do not want it sent, cancel it on its page.'
      : 'If you do not want them sent, cancel them on their pages.';
  const remove = (isOne: boolean) =>
    isOne
      ? 'If you do not want it published, delete its post in the service.'
      : 'If you do not want them published, delete their posts in the service.';
  return html`${named(sent, 'will still be sent', cancel)}${named(scheduled, 'will still be published', remove)}`;
}

export async function leftOutNote(request: PageRequest, campaign: Campaign): Promise<Html | string> {
  const { leftOut } = campaign;
  if (leftOut === 0) return '';
  const draft = await findDraftOf(request.runtime, campaign);
  if (draft === undefined) return '';
  const sheet = request.link(`/campaigns/new/${draft.id}/sheet/problems`);
  return html`<p class="note notice" data-state="waiting"><a href="${sheet}" download>${plural(leftOut, 'row')} skipped at the start, with ${leftOut === 1 ? 'its' : 'their'} problems</a></p>`;
}
