/** Takes a mended sheet into its campaign: upload, then the plan, then one button. */
import { html } from 'hono/html';
import { findCampaign } from '../../../../campaigns/find.ts';
import {
  type IntoOptions,
  type MergedAsPlanned,
  mergeAsPlanned,
  planInto,
  rowsOf,
} from '../../../../campaigns/import/into.ts';
import { dropKeptSheet, openKeptSheet } from '../../../../campaigns/import/kept-sheet.ts';
import type { CheckResult } from '../../../../importers/check/check.ts';
import type { Match, MatchedRows, SheetMatches } from '../../../../importers/into/match-rows.ts';
import type { Campaign } from '../../../../ledger/campaigns/campaigns.ts';
import type { Html } from '../../../html.ts';
import { chosenEncoding } from '../../../parts/encoding.ts';
import { form } from '../../../parts/form.ts';
import { words } from '../../../parts/language.ts';
import { count } from '../../../parts/numbers/numbers.ts';
import { notice, point } from '../../../parts/points.ts';
import { problemsTable } from '../../../parts/problems.ts';
import { wayBack } from '../../../parts/question.ts';
import type { ShownState } from '../../../parts/state.ts';
import type { Answer, Page, PageRequest, Question } from '../../../request.ts';
import { changesSection } from './changes.ts';
import { crumbs, isAgain, planName, readAgain, readingFields, readingPage, sheetName } from './reading.ts';

export async function askInto(request: PageRequest): Promise<Question> {
  const campaign = await findCampaign(request.runtime, request.params.id ?? '');
  return {
    kind: 'question',
    title: titleOf(campaign),
    section: '/campaigns',
    body: uploadForm(request, campaign),
  };
}

function titleOf({ name }: Campaign): string {
  return `Hand in a mended sheet of ${name}`;
}

function uploadForm(request: PageRequest, { id }: Campaign): Html {
  return html`
    <p>Rows are matched by their key. New rows are added, failed and changed rows are done again, posted rows are left alone. You see the plan before anything is sent.</p>
    ${form(request, {
      path: `/campaigns/${id}/into`,
      isUpload: true,
      body: html`<p><label>Sheet: CSV, Excel or JSON<input type="file" name="sheet" accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl" required></label></p>
      <p class="actions">${wayBack(request, `/campaigns/${id}`, 'Back')} <button class="primary">See the plan</button></p>`,
    })}`;
}

/** Keeps the sheet, and redirects to its plan. */
export async function takeSheet(request: PageRequest): Promise<Answer> {
  const { runtime, sheet, params } = request;
  const campaign = await findCampaign(runtime, params.id ?? '');
  if (sheet === undefined) return askInto(request);
  const query = new URLSearchParams({ name: sheet.name });
  return { kind: 'redirect', to: `/campaigns/${campaign.id}/into/${sheet.keep()}?${query}` };
}

export async function showPlan(request: PageRequest): Promise<Page> {
  const { runtime, params, plans } = request;
  const campaign = await findCampaign(runtime, params.id ?? '');
  const sheet = await openKeptSheet(runtime, params.token ?? '', sheetName(request));
  const make = (onRead: NonNullable<Parameters<typeof planInto>[3]>['onRead']) =>
    planInto(runtime, sheet, campaign.id, { onRead, ...optionsOf(request) });
  const found = await plans.into.look(planName(request), make, request.person.name);
  if (found.kind === 'planned') return planPage(request, sheet.file, found.plan);
  const title = `${sheet.file} into ${campaign.name}`;
  return readingPage(request, 'into', { campaign, title, crumb: 'sheet', rows: found.rows });
}

function optionsOf(request: PageRequest): Pick<IntoOptions, 'again' | 'sheet'> {
  return { again: isAgain(request), sheet: { encoding: chosenEncoding(request) } };
}

function planPage(request: PageRequest, file: string, planned: MergedAsPlanned): Page {
  const { campaign, matches, check, changes, unread, kind } = planned;
  return {
    kind: 'page',
    title: titleOf(campaign),
    section: '/campaigns',
    main: html`
      ${crumbs(request, campaign, 'sheet')}
      <div class="head"><div><h1>${words(file)} into ${words(campaign.name)}</h1><p class="about">${count(check.rows, 'row')} in the sheet. Nothing has been changed.</p></div></div>
      ${kind === 'changed' ? notice({ state: 'warning', text: 'The campaign has changed since the plan was made.', more: 'This is the plan as it is now. Nothing was sent.' }) : ''}
      ${kind === 'problems' ? html`${problems(check)}${readAgain(request, 'into', check.problems.kept)}` : ''}
      ${planSection(outcomes(matches, unread))}${changesSection(changes, matches.changed.count)}
      ${kind === 'problems' ? html`${postAgain(request, planned)}${again(request, campaign)}` : start(request, planned)}`,
  };
}

function planSection(found: readonly Outcome[]): Html | string {
  if (found.length === 0) return '';
  return html`<section aria-labelledby="plan">
    <div class="section"><h2 id="plan">What becomes of the rows</h2></div>
    <ul class="points">${found.map(point)}</ul>
  </section>`;
}

interface Outcome {
  readonly state: ShownState;
  readonly what: Html;
  readonly more: string;
}

/** `one`: the text for a single row, if it differs. */
const verdicts: Readonly<Record<Match, readonly [state: ShownState, text: string, one?: string]>> = {
  new: ['running', 'new: added'],
  changed: ['running', 'changed: done again, as the sheet has it now'],
  redone: ['running', 'failed: done again'],
  posted: ['posted', 'posted: left alone'],
  running: ['waiting', 'begun: left alone'],
  unchanged: ['waiting', 'waiting, unchanged: left alone'],
  cancelled: ['cancelled', 'cancelled: left alone'],
  review: ['review', 'in review: decide about them first', 'in review: decide about it first'],
  unread: [
    'warning',
    'failed, and their posts could not be looked up: left alone',
    'failed, and its post could not be looked up: left alone',
  ],
};
const keysShown = 8;

function outcomes(matches: SheetMatches, unread: string | undefined): readonly Outcome[] {
  const found = (Object.keys(verdicts) as Match[])
    .filter((match) => matches[match].count > 0)
    .map((match) => {
      const rows = matches[match].count;
      const [state, many, one = many] = verdicts[match];
      const text = rows === 1 ? one : many;
      const why = match === 'unread' && unread !== undefined ? `: ${unread}` : '';
      return {
        state,
        what: html`<b>${count(rows, 'row')} ${text}</b>`,
        more: `${keysOf(matches[match])}${why}`,
      };
    });
  return matches.edited.count === 0 ? found : [...found, edited(matches.edited)];
}

/** The point about changed rows that are left alone: their new cells are ignored. */
function edited(rows: MatchedRows): Outcome {
  const of = rows.count === 1 ? 'that is left alone was changed' : 'that are left alone were changed';
  const what = html`<b>${count(rows.count, 'row')} ${of} in the sheet: the change is ignored</b>`;
  return { state: 'warning', what, more: keysOf(rows) };
}

function keysOf({ count: rows, keys }: MatchedRows): string {
  return `${keys.slice(0, keysShown).join(', ')}${rows > keysShown ? ', …' : ''}`;
}

/** The problems of a mended sheet. */
export function problems({
  problems: { total, kept },
  blocking,
}: Pick<CheckResult, 'problems' | 'blocking'>): Html {
  return problemsTable([...blocking, ...kept], total + blocking.length);
}

/** If the only problems are posts of other campaigns: the plan with them. */
function postAgain(request: PageRequest, { campaign, check }: MergedAsPlanned): Html | string {
  const { total, byCode } = check.problems;
  const rows = byCode.get('already_posted') ?? 0;
  if (rows === 0 || rows < total) return '';
  const query = new URLSearchParams({ name: sheetName(request), again: 'yes' });
  const path = `/campaigns/${campaign.id}/into/${request.params.token}?${query}`;
  return html`<p class="actions"><a class="button" href="${request.link(path)}">See the plan with ${count(rows, 'row')} posted again</a></p>`;
}

function again(request: PageRequest, campaign: Campaign): Html {
  return html`<section class="card" aria-labelledby="again"><h2 id="again">The mended sheet</h2>${uploadForm(request, campaign)}</section>`;
}

function start(request: PageRequest, { campaign, matches, check }: MergedAsPlanned): Html {
  const rows = rowsOf(matches);
  const all = rows.new + rows.changed + rows.redone;
  const { id } = campaign;
  if (all === 0) {
    return html`<p>No row of this sheet would be sent.</p><p class="actions">${wayBack(request, `/campaigns/${id}`, 'Back to the campaign')}</p>`;
  }
  const calls = Object.values(check.plan.calls).reduce((sum, each) => sum + each, 0);
  const outputs = check.plan.aiOutputs.total;
  const takes = `At least ${count(calls, 'call')}, ${outputs === 0 ? 'no AI outputs' : `${count(outputs, 'AI output')}, which ${outputs === 1 ? 'costs' : 'cost'}`}.`;
  return form(request, {
    path: `/campaigns/${id}/into/${request.params.token}`,
    body: html`${readingFields(request)}<input type="hidden" name="new" value="${rows.new}"><input type="hidden" name="changed" value="${rows.changed}"><input type="hidden" name="redone" value="${rows.redone}">
      <p>${takes}${campaign.state === 'paused' ? ` The campaign is paused: ${all === 1 ? 'it waits' : 'they wait'} until it goes on.` : ''}</p>
      <p class="actions">${wayBack(request, `/campaigns/${id}`, 'Leave it')} <button class="primary">Take ${count(all, 'row')} in</button></p>`,
  });
}

export async function merge(request: PageRequest): Promise<Answer> {
  const { runtime, params, form: fields } = request;
  const id = params.id ?? '';
  const token = params.token ?? '';
  const rows = (name: string) => Number(fields.get(name) ?? Number.NaN);
  const sheet = await openKeptSheet(runtime, token, sheetName(request));
  const agreed = { new: rows('new'), changed: rows('changed'), redone: rows('redone') };
  const merged = await mergeAsPlanned(runtime, sheet, id, { ...agreed, ...optionsOf(request) });
  if (merged.kind !== 'merged') return planPage(request, sheet.file, merged);
  await dropKeptSheet(runtime, token);
  const taken = agreed.new + agreed.changed + agreed.redone - merged.moved;
  const more =
    merged.moved === 0
      ? undefined
      : `${count(merged.moved, 'row')} left alone: a worker took ${merged.moved === 1 ? 'it' : 'them'} up meanwhile.`;
  return {
    kind: 'redirect',
    to: `/campaigns/${id}`,
    notice: { state: 'done', text: `${count(taken, 'row')} taken in.`, more },
  };
}
