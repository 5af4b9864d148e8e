/** The causes of failed rows and rows in review, each with one action. */

import { mayDo } from '../../../app/access/roles.ts';
import { otherCodes } from '../../../app/campaigns/causes.ts';
import { type Cause, mayPass } from '../../../app/campaigns/repair.ts';
import type { RepairCost } from '../../../app/campaigns/retry/retry-plan.ts';
import type { Campaign, PauseReason } from '../../../ledger/campaigns/campaign.ts';
import { codeTitles, productUnavailable } from '../../../manifest/problems/code-titles.ts';
import { stepFacts } from '../../../manifest/steps.ts';
import { capitalized, plural, sentence, thousands } from '../../../manifest/wording.ts';
import { authorizationExpiredCode, productUnavailableCode } from '../../../service/contract/creators.ts';
import { fixOnPage } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { section } from '../../parts/blocks.ts';
import { ofOutputs, questionLink } from '../../parts/form.ts';
import { creatorPath } from '../../parts/list.ts';
import { moment } from '../../parts/numbers.ts';
import { icon, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { operationOrder } from '../queues/rate-limits.ts';
import type { Films } from './covers.ts';

interface AboutCauses {
  /** Of a retry, for causes where they are known beforehand. */
  readonly costs: ReadonlyMap<Cause, RepairCost>;
  readonly films: Films;
}

export function causesSection(
  request: PageRequest,
  campaign: Campaign,
  causes: readonly Cause[],
  { costs, films }: AboutCauses,
): Html {
  if (causes.length === 0) return html`<div id="campaign-causes"></div>`;
  const rows = campaign.counts.failed + campaign.counts.review;
  const items = causes.map((cause, index) => ({ cause, film: films[index] ?? '', cost: costs.get(cause) }));
  // The most rows first; causes in review last.
  const sorted = items.sort(
    (one, other) => Number(one.cause.state === 'review') - Number(other.cause.state === 'review'),
  );
  const title = html`Not posted <span>${plural(rows, 'row')}, ${plural(causes.length, 'cause')}</span>`;
  return section(
    { part: 'campaign-causes', id: 'causes', title, note: 'Nothing is sent before you confirm.' },
    html`<ol class="card causes">${sorted.map((item) => causeItem(request, campaign.id, item))}</ol>`,
  );
}

interface CauseItem {
  readonly cause: Cause;
  readonly film: Html | string;
  readonly cost: RepairCost | undefined;
}

function causeItem(request: PageRequest, id: string, { cause, film, cost }: CauseItem): Html {
  const { state, code, step, rows, isEstimate, subjects, since, note } = cause;
  // `otherCodes` sums up all causes beyond the hundredth; no filter finds their rows alone.
  const query = new URLSearchParams(code === otherCodes ? { state } : { state, code, step });
  const { zone, now, link } = request;
  const when = since === undefined ? '' : ` since ${moment(Date.parse(since), zone, now)}`;
  const about = subjects.length > 3 ? `${subjects.slice(0, 2).join(', ')} and others` : subjects.join(', ');
  const { what, button, takes } = fix(request, id, cause, cost);
  const service = wordsOfService(cause.message);
  const detail = service === undefined ? detailOf(cause) : html`<q>${words(service)}</q> `;
  return html`<li id="cause-${state}-${step}-${code}" data-state="${state}">
    <a class="many" href="${link(`/campaigns/${id}?${query}#rows`)}">${isEstimate ? 'about ' : ''}${thousands(rows)}<span class="hidden"> ${rows === 1 ? 'row' : 'rows'} ${wordOf(state)}: show ${rows === 1 ? 'it' : 'them'}</span></a>
    <div>
      <h3>${words(titleOf(cause))}</h3>
      ${what === '' ? '' : html`<p>${what}</p>`}
      ${note === undefined ? '' : html`<p>${words(inZone(request, note))}</p>`}
      <details><summary>${service === undefined ? 'Details' : 'What the service says'}</summary><p>${detail}At step ${stepFacts[step].title}${when}${about === '' ? '' : html` · ${words(about)}`}. <code>${code}</code></p></details>
    </div>
    ${film}
    <div class="act">${button}${takes === '' ? '' : html`<small>${takes}</small>`}</div>
  </li>`;
}

/** What to do about a cause: in words, its one button, and what that takes. */
interface CauseFix {
  readonly what: Html | string;
  readonly button: Html | string;
  readonly takes: Html | string;
}

function fix(request: PageRequest, id: string, cause: Cause, cost: RepairCost | undefined): CauseFix {
  const { link } = request;
  const { code, repair, rows, subjects, fix: text } = cause;
  const what = text ? words(text) : '';
  const may = mayDo(request, 'run');
  if (repair === 'decide') {
    const button = html`<a class="button" href="${link(`/review?campaign=${id}`)}">${may ? 'Decide' : 'Look at'} ${plural(rows, 'row')}</a>`;
    return { what, button, takes: may ? '' : 'An operator can decide.' };
  }
  if (repair === 'edit') {
    const query = new URLSearchParams({ only: 'failed', error: code });
    const again = html`<a href="${request.link(`/campaigns/${id}/into`)}">Upload corrected sheet…</a>`;
    const isFirst = mayDo(request, 'edit');
    const button = html`<a class="button" href="${link(`/campaigns/${id}/results.xlsx?${query}`)}" download>${icon('down')}${isFirst ? '1. ' : ''}Download ${plural(rows, 'row')} to fix</a>`;
    const asIs = may && mayPass(code) ? retryOf(request, id, cause, 'Retry without changes…', '') : '';
    return { what, button, takes: html`${isFirst && html`2. ${again}`} ${asIs}` };
  }
  if (!may) {
    const who = `An operator can retry ${rows === 1 ? 'this row' : 'these rows'}.`;
    return { what, button: '', takes: who };
  }
  if (repair === 'authorize') {
    const [only, ...others] = subjects;
    const isOne = only !== undefined && others.length === 0;
    const links = subjects.map((creator) =>
      questionLink(
        request,
        creatorPath(id, creator),
        html`Retry ${isOne ? plural(rows, 'row') : 'rows'} of ${words(creator)}…`,
        isOne ? 'button' : '',
      ),
    );
    const menu = html`<details class="menu"><summary class="button">Retry rows of a creator…</summary><ul>${links.map((each) => html`<li>${each}</li>`)}</ul></details>`;
    const who = isOne ? words(only) : 'the creators';
    return {
      what: html`Ask ${who} to authorize again, then retry.`,
      button: isOne ? html`${links}` : menu,
      takes: takesOf(cost),
    };
  }
  const many = cost?.rows ?? rows;
  if (many === 0) return { what, button: '', takes: leftOut(cost) };
  const button = retryOf(request, id, cause, `Retry ${plural(many, 'row')}…`);
  return { what, button, takes: takesOf(cost) };
}

function retryOf(
  request: PageRequest,
  id: string,
  { code, step }: Cause,
  label: string,
  className?: string,
): Html {
  const query = new URLSearchParams({ code, step });
  return questionLink(request, `/campaigns/${id}/retry?${query}`, label, className);
}

function takesOf(cost: RepairCost | undefined): string {
  if (cost === undefined) return '';
  const { calls, aiOutputs: outputs, paidBefore } = cost;
  return `At least ${plural(calls, 'call')}, ${ofOutputs({ outputs, paidBefore })}. ${leftOut(cost)}`.trim();
}

function leftOut(cost: RepairCost | undefined): string {
  if (cost === undefined || cost.leftOut.length === 0) return '';
  return cost.leftOut.map(({ rows, why }) => `Skips ${plural(rows, 'row')}: ${why}.`).join(' ');
}

const titles = new Map(codeTitles).set(String(productUnavailableCode), productUnavailable);

/** Codes of rows in review whose own title says more than that the outcome is unknown. */
const saysMore: ReadonlySet<string> = new Set([
  'poll_deadline',
  'poll_refused',
  'late',
  'posted_twice',
  'post_of_another_row',
]);

const refusal = 'The service refused the call';

/** The parts of a cause, or of the error of one row, that make a title. */
type Told = Pick<Cause, 'state' | 'code' | 'rows' | 'subjects' | 'message'>;

/** The title of a known code; undefined if only the message tells. */
function knownTitle({ state, code, rows, subjects }: Told): string | undefined {
  if (state === 'review' && !saysMore.has(code)) {
    return `Outcome unknown: ${rows === 1 ? 'it' : 'they'} may already exist`;
  }
  if (code !== String(authorizationExpiredCode)) return titles.get(code);
  const [creator] = subjects;
  const whose = subjects.length === 1 && creator !== undefined ? creator : 'creators';
  return `The authorization of ${whose} has expired`;
}

/** `The AI generation failed`. */
export function titleOf(cause: Told): string {
  const isRefusal = wordsOfService(cause.message) !== undefined;
  return knownTitle(cause) ?? (isRefusal ? refusal : plainMessage(cause.message));
}

/** What happened, in one sentence, without codes and raw words of the service: `The service did not answer.` */
export function sentenceOf(cause: Pick<Cause, 'code' | 'message'>): string {
  const isRefusal = wordsOfService(cause.message) !== undefined;
  const known = titles.get(cause.code) ?? (isRefusal ? refusal : plainMessage(cause.message));
  return sentence(known);
}

/** The words of the service or the runner, unless the title says the same. */
export function detailOf(cause: Told): Html | string {
  const service = wordsOfService(cause.message);
  if (service !== undefined) return html`The service says: <q>${words(service)}</q> `;
  return knownTitle(cause) === undefined ? '' : html`${words(sentence(plainMessage(cause.message)))} `;
}

/** The cause in a list to choose from: `The AI generation failed (3)`. If the title would be a long message, the code stands in. */
export function optionOf(code: string, causes: readonly Cause[]): string {
  const same = causes.filter((cause) => cause.code === code);
  const [first] = same;
  if (first === undefined) return code;
  const rows = same.reduce((sum, cause) => sum + cause.rows, 0);
  const about = same.some(({ isEstimate }) => isEstimate) ? 'about ' : '';
  return `${knownTitle(first) ?? code} (${about}${plural(rows, 'row')})`;
}

/** `createCreatorPost was refused with code 7` becomes `The call was refused with code 7`. */
export function plainMessage(message: string): string {
  const operation = operationOrder.find((name) => message.startsWith(name));
  const rest = operation === undefined ? undefined : message.slice(operation.length);
  if (rest?.startsWith(' was ')) return `The call${rest}`;
  return capitalized(rest?.startsWith(': ') ? rest.slice(2) : message);
}

const refused = 'The call was refused with ';

/** The words of the service, if the message quotes them: `The call was refused with code 7: Try again` becomes `Try again`. */
export function wordsOfService(message: string): string | undefined {
  const text = plainMessage(message);
  const colon = text.indexOf(': ');
  return text.startsWith(refused) && colon > 0 ? text.slice(colon + 2) : undefined;
}

const isoTimes = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** A text with its UTC times converted to the zone of the page. */
export function inZone({ zone, now }: PageRequest, text: string): string {
  return text.replace(isoTimes, (time) => moment(Date.parse(time), zone, now));
}

/** Why a campaign is paused; empty if no reason is known. */
export function whyPaused(request: PageRequest, reason: PauseReason | undefined): string {
  return inZone(
    request,
    [plainMessage(reason?.message ?? ''), fixOnPage(reason?.hints)].filter(Boolean).join(' '),
  );
}
