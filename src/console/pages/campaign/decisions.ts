/** Carries out a sheet of decisions that was dropped: its plan, then one button. */
import { html } from 'hono/html';
import { decideAsPlanned, planDecisions } from '../../../campaigns/decisions/decide-planned.ts';
import type { SheetDecided } from '../../../campaigns/decisions/decide-sheet.ts';
import { rowState } from '../../../campaigns/documents/campaign.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { dropKeptSheet, openKeptSheet } from '../../../campaigns/hand-in/kept-sheet.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import type { RowState } from '../../../ledger/states.ts';
import { UseCaseError } from '../../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../../runtime/wording.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { count, number } from '../../parts/numbers.ts';
import { notice, type Point, point } from '../../parts/points.ts';
import { wayBack } from '../../parts/question.ts';
import { wordOf } from '../../parts/state.ts';
import type { Answer, Page, PageRequest } from '../../request.ts';
import { problems } from './into.ts';

export async function showDecisions(request: PageRequest, changed = ''): Promise<Page> {
  const { runtime, params, query, form: fields, link } = request;
  const id = params.id ?? '';
  const campaign = await findCampaign(runtime, id);
  const name = fields.get('name') ?? query.get('name') ?? '';
  const sheet = await openKeptSheet(runtime, params.token ?? '', name);
  const planned = await planDecisions(runtime, campaign, sheet);
  const isRefused = planned.problems.total > 0;
  return {
    kind: 'page',
    title: `Decisions for ${campaign.name}`,
    section: '/campaigns',
    main: html`
      <nav class="crumbs" aria-label="Where you are"><a href="${link('/campaigns')}">Campaigns</a> / <a href="${link(`/campaigns/${id}`)}">${id}</a> / decisions</nav>
      <div class="head"><div><h1>${words(sheet.file)}: decisions for ${words(campaign.name)}</h1><p class="about">${count(planned.rows, 'row')} in the sheet. Nothing has been decided.</p></div></div>
      ${changed === '' ? '' : notice({ state: 'warning', text: sentence(changed), more: 'This is the plan as it is now.' })}
      ${isRefused ? problems({ problems: planned.problems, blocking: [] }) : ''}
      ${plan(planned)}
      ${isRefused ? html`<p class="actions">${wayBack(request, `/campaigns/${id}`, 'Back to the campaign')}</p>` : decide(request, campaign, planned, name)}`,
  };
}

const outcomes: Partial<Readonly<Record<RowState, string>>> = {
  posted: 'posted from now on. Sends nothing',
  waiting: 'go on: what is not there is sent again',
  failed: 'failed, because their scheduled time has passed: give them a new one',
};

function plan({ matched, states, empty, ended, changed, keys }: SheetDecided): Html {
  const shown = keys.length < matched ? `${keys.join(', ')}, …` : keys.join(', ');
  const points: Point[] = [];
  for (const state of rowState.options) {
    const rows = states[state] ?? 0;
    if (rows > 0)
      points.push({
        state,
        what: html`<b>${count(rows, 'row')}: ${outcomes[state] ?? wordOf(state)}</b>`,
        more: shown,
      });
  }
  for (const state of rowState.options) {
    const rows = ended[state] ?? 0;
    if (rows > 0)
      points.push({
        state,
        what: html`<b>${count(rows, 'row')} no longer in review (${wordOf(state)}): left alone</b>`,
      });
  }
  if (changed > 0)
    points.push({
      state: 'warning',
      what: html`<b>${count(changed, 'row')} decided meanwhile: left alone</b>`,
    });
  if (empty > 0)
    points.push({
      state: 'review',
      what: html`<b>${count(empty, 'row')} without a decision: left alone</b>`,
    });
  return html`<section aria-labelledby="plan"><div class="section"><h2 id="plan">What becomes of the rows</h2></div><ul class="points">${points.map(point)}</ul></section>`;
}

/** Whether something is sent because of a decision. Then a person has to say that they have looked. */
function sendsAgain({ states }: SheetDecided): boolean {
  return (states.waiting ?? 0) > 0;
}

function decide(request: PageRequest, { id }: Campaign, planned: SheetDecided, name: string): Html {
  const { matched } = planned;
  if (matched === 0) {
    return html`<p>The sheet decides about no row that is in review.</p><p class="actions">${wayBack(request, `/campaigns/${id}`, 'Back to the campaign')}</p>`;
  }
  return form(request, {
    path: `/campaigns/${id}/decisions/${request.params.token}`,
    body: html`<input type="hidden" name="name" value="${name}"><input type="hidden" name="rows" value="${matched}">
      ${sendsAgain(planned) ? html`<p><label><input type="checkbox" name="sure" value="yes" required> I have looked in the service: what the sheet says is not there is not there</label></p>` : ''}
      <p class="actions">${wayBack(request, `/campaigns/${id}`, 'Leave it')} <button class="primary">Decide about ${count(matched, 'row')}</button></p>`,
  });
}

export async function carryOut(request: PageRequest): Promise<Answer> {
  const { runtime, params, form: fields } = request;
  const id = params.id ?? '';
  const token = params.token ?? '';
  const campaign = await findCampaign(runtime, id);
  const sheet = await openKeptSheet(runtime, token, fields.get('name') ?? '');
  if (fields.get('sure') !== 'yes' && sendsAgain(await planDecisions(runtime, campaign, sheet))) {
    return showDecisions(request);
  }
  try {
    const done = await decideAsPlanned(runtime, campaign, sheet, Number(fields.get('rows') ?? Number.NaN));
    if (done.problems.total > 0) return await showDecisions(request);
    await dropKeptSheet(runtime, token);
    const text = `Decided about ${count(done.matched, 'row')}.`;
    const more =
      done.changed === 0
        ? undefined
        : `${number(done.changed)} ${done.changed === 1 ? 'was' : 'were'} decided meanwhile, and left alone.`;
    return { kind: 'redirect', to: `/campaigns/${id}`, notice: { state: 'done', text, more } };
  } catch (error) {
    if (!(error instanceof UseCaseError) || error.code !== 'plan_changed') throw error;
    return showDecisions(request, capitalized(error.message));
  }
}
