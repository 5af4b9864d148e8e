/** Changes of a campaign. Each question first shows what the change takes. */
import { html } from 'hono/html';
import { cancelCampaign } from '../../../campaigns/cancel.ts';
import { stepName } from '../../../campaigns/documents/campaign.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { pauseCampaign, resumeCampaign } from '../../../campaigns/pause-resume.ts';
import { type RetryFilter, retryRows } from '../../../campaigns/retry/retry.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { count, number } from '../../parts/numbers/numbers.ts';
import { wayBack } from '../../parts/question.ts';
import { takesOfRows } from '../../parts/takes.ts';
import type { Answer, PageRequest, Question, Redirect } from '../../request.ts';

/** Most rows in one form. */
const mostChosen = 500;

export async function pause(request: PageRequest): Promise<Redirect> {
  const id = request.params.id ?? '';
  const { state } = await pauseCampaign(request.runtime, id, request.person.name);
  const text =
    state === 'paused' ? `Campaign ${id} is paused.` : `Nothing to pause: campaign ${id} is not running.`;
  return {
    kind: 'redirect',
    to: `/campaigns/${id}`,
    notice: { state: 'paused', text, more: 'Calls under way finish. Nothing more is sent.' },
  };
}

export async function resume(request: PageRequest): Promise<Redirect> {
  const id = request.params.id ?? '';
  const { state } = await resumeCampaign(request.runtime, id, request.person.name);
  const text =
    state === 'paused'
      ? `Campaign ${id} is paused again: its canary has ended meanwhile.`
      : `Campaign ${id} goes on.`;
  return { kind: 'redirect', to: `/campaigns/${id}`, notice: { state: 'done', text } };
}

export async function askCancel(request: PageRequest): Promise<Question> {
  const { id, name, counts, state } = await findCampaign(request.runtime, request.params.id ?? '');
  const { waiting, running, failed, review } = counts;
  const rows = waiting + running;
  const both =
    waiting === 0 || running === 0
      ? ''
      : `: ${number(waiting)} that ${waiting === 1 ? 'waits' : 'wait'} and ${number(running)} that ${running === 1 ? 'runs' : 'run'}`;
  const hasEnded = state === 'ended';
  const inReview = count(review, 'row in review', 'rows in review');
  const kept = [
    ...(failed === 0 ? [] : [count(failed, 'failed row')]),
    ...(review === 0 || hasEnded ? [] : [inReview]),
  ];
  // What the button cancels.
  const what = hasEnded ? inReview : count(rows, 'row');
  const body = html`
    <p><b>${what} will not be ${hasEnded ? 'sent again' : 'posted'}</b>${both}. This cannot be undone.</p>
    <ul>
      ${counts.posted === 0 ? '' : html`<li>${count(counts.posted, 'row stays', 'rows stay')} posted. Posts are not taken back.</li>`}
      ${running === 0 ? '' : html`<li>Calls under way may still post a row. A row whose call gets no answer goes to review.</li>`}
      ${hasEnded ? html`<li>Still decide about ${review === 1 ? 'it' : 'them'}: what is not posted is cancelled.</li>` : ''}
      ${kept.length === 0 ? '' : html`<li>${kept.join(' and ')} ${failed + (hasEnded ? 0 : review) === 1 ? 'stays as it is, and can' : 'stay as they are, and can'} no longer be sent.</li>`}
    </ul>
    ${state === 'running' ? html`<p class="note">Only want to stop for now? Pause can be undone.</p>` : ''}
    ${form(request, {
      path: `/campaigns/${id}/cancel`,
      body: html`<p><label><input type="checkbox" name="sure" value="yes" required> Yes, ${what} shall not be ${hasEnded ? 'sent again' : 'posted'}</label></p>
      <p class="actions">${wayBack(request, `/campaigns/${id}`, hasEnded ? 'Keep it' : 'Keep it going')} <button class="primary danger">Cancel ${what}</button></p>`,
    })}`;
  return { kind: 'question', title: `Cancel ${name}?`, section: '/campaigns', body };
}

export async function cancel(request: PageRequest): Promise<Answer> {
  if (request.form.get('sure') !== 'yes') return askCancel(request);
  const id = request.params.id ?? '';
  const { cancelled, review, was } = await cancelCampaign(request.runtime, id);
  const hasEnded = was === 'ended';
  const inReview = `${count(review, 'row in review', 'rows in review')} will not be sent again`;
  const text = !hasEnded
    ? `${count(cancelled, 'row')} cancelled.`
    : review > 0
      ? `The campaign is cancelled: ${inReview}.`
      : 'Nothing was changed: the campaign has ended.';
  const more =
    hasEnded || review === 0
      ? undefined
      : review === 1
        ? '1 row in review: its call was under way.'
        : `${count(review, 'row')} in review: their calls were under way.`;
  return { kind: 'redirect', to: `/campaigns/${id}`, notice: { state: 'done', text, more } };
}

/** One cause, or rows that were chosen. */
function readTarget(fields: URLSearchParams): RetryFilter {
  const rows = fields.getAll('row').slice(0, mostChosen);
  if (rows.length > 0) return { rows };
  const step = stepName.options.find((each) => each === fields.get('step'));
  return { error: fields.get('code') ?? undefined, creator: fields.get('creator') ?? undefined, step };
}

interface Outcome {
  readonly rows: number;
  readonly matched: number;
  readonly posted: number;
  /** Retried rows that had a post: they wait for a moment. */
  readonly waits: number;
  /** Rows that match but cannot be retried now. */
  held: number;
  readonly calls: number;
  readonly outputs: number;
  readonly leftOut: Map<string, number>;
}

async function retryAll(request: PageRequest, fields: URLSearchParams, dryRun: boolean): Promise<Outcome> {
  const campaign = await findCampaign(request.runtime, request.params.id ?? '');
  const filter = readTarget(fields);
  const result = await retryRows(request.runtime, campaign, filter, { dryRun });
  const { rows, matched, posted, plan } = result;
  const outcome: Outcome = {
    rows,
    matched,
    posted,
    waits: result.held,
    held: 0,
    outputs: plan?.aiOutputs ?? 0,
    leftOut: new Map(),
    calls: Object.values(plan?.calls ?? {}).reduce((sum, calls) => sum + calls, 0),
  };
  for (const { why, rows, creator, unread, changed } of result.leftOut) {
    // Rows outside the filter are not mentioned.
    const matches = creator !== undefined || unread !== undefined || changed !== undefined;
    if (!matches && filter.rows === undefined) continue;
    if (matches) outcome.held += rows;
    outcome.leftOut.set(why, (outcome.leftOut.get(why) ?? 0) + rows);
  }
  return outcome;
}

export async function askRetry(request: PageRequest): Promise<Question> {
  const id = request.params.id ?? '';
  const { matched, posted, held, calls, outputs, leftOut } = await retryAll(request, request.query, true);
  const left = [...leftOut.values()].reduce((sum, rows) => sum + rows, 0);
  const rows = matched - posted - held;
  const fields = [...request.query].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const button = rows === 0 ? '' : html`<button class="primary">Retry ${count(rows, 'row')}</button>`;
  const body = html`
    ${rows === 0 ? html`<p>${matched === 0 ? 'No failed row matches.' : 'No row can be retried now.'}</p>` : takesOfRows({ rows, calls, outputs })}
    ${leftOutList(leftOut, left)}
    ${form(request, {
      path: `/campaigns/${id}/retry`,
      body: html`${fields}<p class="actions">${wayBack(request, `/campaigns/${id}`, rows === 1 ? 'Leave it' : 'Leave them')} ${button}</p>`,
    })}`;
  return {
    kind: 'question',
    title: `Retry ${held > 0 && rows > 0 ? `${number(rows)} of ${count(matched - posted, 'row')}` : count(rows, 'row')}?`,
    section: '/campaigns',
    body,
  };
}

function leftOutList(leftOut: ReadonlyMap<string, number>, left: number): Html {
  if (left === 0) return html`<p>Leaves out no row.</p>`;
  return html`<p>Leaves out ${count(left, 'row')}:</p><ul>${[...leftOut].map(([reason, rows]) => html`<li>${number(rows)}: ${reason}</li>`)}</ul>`;
}

export async function retry(request: PageRequest): Promise<Redirect> {
  const id = request.params.id ?? '';
  const { rows, posted, waits, leftOut } = await retryAll(request, request.form, false);
  const left = [...leftOut].map(([reason, many]) => `${number(many)} left out: ${reason}`);
  const found = posted === 0 ? [] : [`${count(posted, 'row')} turned out to be posted.`];
  if (waits > 0) {
    found.push(
      `${count(waits, 'row')} had a post: sent in 10 seconds. Until then, the page of the row takes its retry back.`,
    );
  }
  return {
    kind: 'redirect',
    to: `/campaigns/${id}`,
    notice: {
      state: rows > 0 ? 'done' : 'warning',
      text: rows === 1 ? '1 row is sent again.' : `${number(rows)} rows are sent again.`,
      more: [...found, ...left].join(' ') || undefined,
    },
  };
}
