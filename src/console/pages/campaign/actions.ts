/** Changes of a campaign, and its results sheet. Each question first shows what the change takes. */

import { showSpending } from '../../../app/approvals/spending.ts';
import { findCampaign } from '../../../app/campaigns/find.ts';
import { readDeliveriesOf } from '../../../app/campaigns/post-status.ts';
import { resultsName } from '../../../app/campaigns/results/own-sheet.ts';
import { writeResults } from '../../../app/campaigns/results/write.ts';
import { planCreator, type RetryFilter, type RetryResult } from '../../../app/campaigns/retry/retry.ts';
import { describeCancellation, planCancellation } from '../../../app/campaigns/steer.ts';
import { approvalOperations } from '../../../app/operations/approvals.ts';
import { campaignOperations } from '../../../app/operations/campaigns.ts';
import { rowOperations } from '../../../app/operations/rows.ts';
import { rowState } from '../../../app/runtime/documents.ts';
import { aboutCost } from '../../../manifest/money.ts';
import { steps } from '../../../manifest/steps.ts';
import { plural, thousands } from '../../../manifest/wording.ts';
import { downloadName } from '../../../sheets/write/download-name.ts';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { type Html, html, words } from '../../html.ts';
import {
  asksFirst,
  costOf,
  done,
  hidden,
  hiddenFields,
  type QuestionText,
  takesOfRows,
} from '../../parts/form.ts';
import { shownRowStates, wordOf } from '../../parts/state.ts';
import type { Download, Notice, PageRequest, Redirect, Route } from '../../request.ts';
import { rowFilterOf } from './rows.ts';

export const ofCampaign = {
  right: 'run',
  home: ({ params }: PageRequest) => `/campaigns/${params.id}`,
} as const;

export const actionRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns/:id/results.:format', right: 'see', handle: results },
  { method: 'post', path: '/campaigns/:id/pause', right: 'run', handle: pause },
  { method: 'post', path: '/campaigns/:id/resume', right: 'run', handle: resume },
  ...asksFirst({
    ...ofCampaign,
    path: '/campaigns/:id/cancel',
    ask: askCancel,
    needsBox: true,
    carryOut: cancel,
  }),
  ...asksFirst({ ...ofCampaign, path: '/campaigns/:id/retry', ask: askRetry, carryOut: retry }),
  ...asksFirst({ ...ofCampaign, path: '/campaigns/:id/spend', ask: askSpending, carryOut: spend }),
  ...asksFirst({
    ...ofCampaign,
    path: '/campaigns/:id/creators/:creator/resume',
    ask: askCreator,
    carryOut: resumeRowsOf,
  }),
];

function campaignOf({ runtime, params }: PageRequest) {
  return findCampaign(runtime, params.id ?? '');
}

async function pause({ carryOut, params: { id = '' } }: PageRequest): Promise<Redirect> {
  const { state } = await carryOut(campaignOperations.pauseCampaign, { id });
  const text =
    state === 'paused' ? `Campaign ${id} is paused.` : `Nothing to pause: campaign ${id} is not running.`;
  return done(
    `/campaigns/${id}`,
    text,
    'Requests already sent will finish. Nothing more is sent.',
    'paused',
    state === 'paused' ? { label: 'Resume', path: `/campaigns/${id}/resume` } : undefined,
  );
}

async function resume({ carryOut, params: { id = '' } }: PageRequest): Promise<Redirect> {
  const { state } = await carryOut(campaignOperations.resumeCampaign, { id });
  const text =
    state === 'paused'
      ? `Campaign ${id} is paused again: its canary has ended since.`
      : `Campaign ${id} is running again.`;
  const undo = state === 'paused' ? undefined : { label: 'Pause again', path: `/campaigns/${id}/pause` };
  return done(`/campaigns/${id}`, text, undefined, 'done', undo);
}

async function askCancel(request: PageRequest): Promise<QuestionText> {
  const campaign = await campaignOf(request);
  const { name, counts, state } = campaign;
  const { scheduled } = await readDeliveriesOf(request.runtime, campaign);
  const planned = await planCancellation(request.runtime, campaign);
  const { unusedAiOutputs: unused, unusedCost } = planned;
  const { waiting, running, ready, failed, review, posted } = counts;
  const hasEnded = state === 'ended';
  const inReview = plural(review, 'row in review', 'rows in review');
  const kept = [
    ...(failed === 0 ? [] : [plural(failed, 'failed row')]),
    ...(review === 0 || hasEnded ? [] : [inReview]),
  ];
  const keepsOne = failed + (hasEnded ? 0 : review) === 1;
  const both =
    planned.review > 0 || waiting === 0 || running === 0
      ? ''
      : `: ${thousands(waiting)} that ${waiting === 1 ? 'waits' : 'wait'} and ${thousands(running)} that ${running === 1 ? 'runs' : 'run'}`;
  // What the button cancels.
  const what = hasEnded ? inReview : plural(waiting + running + ready, 'row');
  return {
    title: `Cancel ${name}?`,
    text: html`<p><b>${hasEnded ? `The ${review === 1 ? 'row' : plural(review, 'row')} in review can no longer be resent` : describeCancellation(planned)}</b>${both}. This cannot be undone.</p>
    <ul>
      ${posted === 0 ? '' : html`<li>${plural(posted, 'row stays', 'rows stay')} posted. Posts are not taken back.</li>`}
      ${scheduled === 0 ? '' : html`<li><b>${plural(scheduled, 'scheduled post')} will still be published.</b> To stop ${scheduled === 1 ? 'it' : 'one'}, delete it in the service. <a href="${request.link(`/campaigns/${campaign.id}/results.xlsx?only=scheduled`)}" download>Download ${scheduled === 1 ? 'this post (with its ID)' : 'these posts (with IDs)'}</a></li>`}
      ${unused === 0 ? '' : html`<li><b>${plural(unused, 'AI output')}${aboutCost(unusedCost)} ${unused === 1 ? 'is' : 'are'} paid for and will not be used.</b></li>`}
      ${running === 0 ? '' : html`<li>Calls under way may still post a row. A row whose call gets no answer goes to review.</li>`}
      ${hasEnded ? html`<li>${review === 1 ? 'You can still say whether it was posted. If not, it is cancelled' : 'You can still say which were posted. The others are cancelled'}.</li>` : ''}
      ${kept.length === 0 ? '' : html`<li>${kept.join(' and ')} ${keepsOne ? 'stays as it is, and can' : 'stay as they are, and can'} no longer be sent.</li>`}
    </ul>
    ${state === 'running' ? html`<p class="note">Only want to stop for now? Pause can be undone.</p>` : ''}`,
    sure: `Yes, cancel ${what}`,
    back: 'Don’t cancel',
    button: `Cancel ${what}`,
    isDangerous: true,
  };
}

async function askSpending({ runtime, params: { id = '' } }: PageRequest): Promise<QuestionText> {
  const { rows, more, outputs, cost, spent, maxOutputs, perMonth } = await showSpending(runtime, id);
  const limits = [
    ...(maxOutputs === null ? [] : [`${thousands(maxOutputs)} for a campaign`]),
    ...(perMonth === null ? [] : [`${thousands(perMonth)} a month`]),
  ];
  const what = `${plural(outputs, 'AI output')} of ${plural(rows, 'row')}`;
  return {
    title: 'Allow AI outputs beyond the limit?',
    text: html`<p><b>${what}${aboutCost(cost)}</b> ${outputs === 1 ? 'waits' : 'wait'}. The campaign has asked for ${plural(spent, 'output')} so far${limits.length > 0 && `; the settings allow ${limits.join(' and ')}`}.${more > 0 && ` ${plural(more, 'other row')} can be allowed next.`}</p>`,
    fields: hidden('outputs', outputs),
    button: rows === 0 ? undefined : `Allow ${plural(outputs, 'output')}`,
  };
}

async function spend({ carryOut, params: { id = '' }, form }: PageRequest): Promise<Notice> {
  const { outputs, rows } = await carryOut(approvalOperations.allowSpending, {
    id,
    outputs: Number(form.get('outputs')),
  });
  return { state: 'done', text: `${plural(outputs, 'AI output')} of ${plural(rows, 'row')} allowed.` };
}

async function cancel({ carryOut, params: { id = '' } }: PageRequest): Promise<Notice> {
  const cancellation = await carryOut(campaignOperations.cancelCampaign, { id });
  const { cancelled, review, was, unusedAiOutputs: unused, unusedCost } = cancellation;
  const inReview = plural(review, 'row in review', 'rows in review');
  if (was === 'ended') {
    return review > 0
      ? { state: 'done', text: `The campaign is cancelled: ${inReview} will not be resent.` }
      : { state: 'done', text: 'Nothing was changed: the campaign has ended.' };
  }
  const calls = review === 1 ? 'its call was' : 'their calls were';
  const more = review === 0 ? undefined : `${plural(review, 'row')} in review: ${calls} under way.`;
  const paid =
    unused === 0
      ? ''
      : ` ${plural(unused, 'AI output')}${aboutCost(unusedCost)} paid for ${unused === 1 ? 'is' : 'are'} not used.`;
  return { state: 'done', text: `${plural(cancelled, 'row')} cancelled.${paid}`, more };
}

const mostChosen = 500;

/** One cause, or rows that were chosen. */
function readTarget(fields: URLSearchParams): RetryFilter {
  const rows = fields.getAll('row').slice(0, mostChosen);
  if (rows.length > 0) return { rows };
  const step = steps.find((each) => each === fields.get('step'));
  return { error: fields.get('code') ?? undefined, creator: fields.get('creator') ?? undefined, step };
}

interface Retried extends RetryResult {
  /** Rows that match but cannot be retried now. */
  readonly stopped: number;
  /** Numbers of rows that are left out, by the reason. */
  readonly reasons: ReadonlyMap<string, number>;
}

async function retryAll(request: PageRequest, fields: URLSearchParams, dryRun: boolean): Promise<Retried> {
  const filter = readTarget(fields);
  const { id = '' } = request.params;
  const result = await request.carryOut(rowOperations.retryRows, {
    id,
    dryRun,
    ...filter,
    rows: filter.rows?.slice(),
  });
  const reasons = new Map<string, number>();
  let stopped = 0;
  for (const { why, rows, creator, unread, changed } of result.leftOut) {
    // Rows outside the filter are not mentioned.
    const matches = creator !== undefined || unread !== undefined || changed !== undefined;
    if (!matches && filter.rows === undefined) continue;
    if (matches) stopped += rows;
    reasons.set(why, (reasons.get(why) ?? 0) + rows);
  }
  return { ...result, stopped, reasons };
}

async function askRetry(request: PageRequest): Promise<QuestionText> {
  const { matched, posted, stopped, plan, reasons } = await retryAll(request, request.query, true);
  const rows = matched - posted - stopped;
  const none = matched === 0 ? 'No failed row matches.' : 'No row can be retried now.';
  return {
    title: `Retry ${stopped > 0 && rows > 0 ? `${thousands(rows)} of ${plural(matched - posted, 'row')}` : plural(rows, 'row')}?`,
    text: html`${rows === 0 ? html`<p>${none}</p>` : takesOfRows(rows, costOf(plan))}${leftOutList(reasons)}`,
    fields: hiddenFields(request.query),
    button: rows === 0 ? undefined : `Retry ${plural(rows, 'row')}`,
  };
}

function leftOutList(reasons: Retried['reasons']): Html | string {
  const left = [...reasons.values()].reduce((sum, rows) => sum + rows, 0);
  if (left === 0) return '';
  return html`<p>Skips ${plural(left, 'row')}:</p><ul>${[...reasons].map(([reason, rows]) => html`<li>${thousands(rows)}: ${reason}</li>`)}</ul>`;
}

async function retry(request: PageRequest): Promise<Notice> {
  const { rows, posted, held, reasons, state } = await retryAll(request, request.form, false);
  const sent = state === 'paused' ? 'when the campaign resumes' : 'in 10 seconds';
  const waits = `${plural(held, 'row')} whose earlier post was not published: resent ${sent}. Until then, you can undo the retry on the row’s page.`;
  const more = [
    ...(posted === 0 ? [] : [`${plural(posted, 'row')} turned out to be posted.`]),
    ...(held === 0 ? [] : [waits]),
    ...[...reasons].map(([reason, many]) => `${thousands(many)} skipped: ${reason}`),
  ];
  return {
    state: rows > 0 ? 'done' : 'warning',
    text: `${plural(rows, 'row')} will be retried.`,
    more: more.join(' ') || undefined,
  };
}

async function askCreator(request: PageRequest): Promise<QuestionText> {
  const { creator = '' } = request.params;
  const { matched, posted, plan } = await planCreator(request.runtime, await campaignOf(request), creator);
  const rows = matched - posted;
  const none = html`<p>No rows of this campaign wait for this creator. The button takes ${words(creator)} off hold.</p>`;
  return {
    title: `Retry ${plural(rows, 'row')} of ${creator}?`,
    text: html`<p>Do this after ${words(creator)} has authorized again in the service. Otherwise the service refuses the first call, and the rows stop again without further calls.</p>
    ${rows === 0 ? none : takesOfRows(rows, costOf(plan))}`,
    button: rows === 0 ? 'Take off hold' : `Retry ${plural(rows, 'row')}`,
  };
}

async function resumeRowsOf(request: PageRequest): Promise<Notice> {
  const { id = '', creator = '' } = request.params;
  const resumed = await request.carryOut(campaignOperations.resumeCreator, { id, creator });
  const { wasOpen, rows, state } = resumed;
  const again = `${plural(rows, 'row')} will be retried.`;
  const waits = `The campaign is paused: ${rows === 1 ? 'it waits' : 'they wait'} until it is resumed.`;
  return {
    state: 'done',
    text: `${creator} ${wasOpen ? 'is no longer on hold' : 'was not on hold'}. ${again}`,
    more: state === 'paused' && rows > 0 ? waits : undefined,
  };
}

/** The results sheet: of all rows, of rows in some states, or of chosen rows. Streamed. */
async function results(request: PageRequest): Promise<Download> {
  const { runtime, params, query, now, zone } = request;
  const campaign = await campaignOf(request);
  const format = params.format === 'xlsx' ? 'xlsx' : 'csv';
  const asked = query.get('only')?.split(',') ?? [];
  const keys = query.getAll('row').slice(0, mostChosen);
  const rows = await Promise.all(keys.map((key) => runtime.ledger.rowKeys.find(campaign, key)));
  const only = rowState.options.filter((state) => asked.includes(state));
  // Alone, because it is one part of the posted rows.
  const delivered = shownRowStates.find((state) => state === asked.join());
  const what =
    keys.length > 0 ? 'chosen rows' : only.join(' and ') || (delivered && wordOf(delivered)) || 'results';
  return {
    kind: 'download',
    fileName: downloadName(await resultsName(runtime, campaign), what, { format, now, zone }),
    contentType: sheetContentTypes[format],
    write: async (to) => {
      await writeResults(runtime, campaign, {
        to,
        format,
        withMark: true,
        ...(only.length > 0 ? { state: new Set(only) } : rowFilterOf(runtime, delivered)),
        error: query.get('error') ?? undefined,
        ...(keys.length > 0 && { rows: new Set(rows.filter((row) => row !== undefined)) }),
      });
    },
  };
}
