/** The present state of a row, and what can be done about it. */
import { mayDo } from '../../../app/access/roles.ts';
import { repairOf } from '../../../app/campaigns/repair.ts';
import { whyNotEditable } from '../../../app/campaigns/rows/edit.ts';
import { describeRows } from '../../../app/campaigns/rows/list.ts';
import { type ReadRow, type ShownRow, showRow } from '../../../app/campaigns/rows/show-row.ts';
import { describeReview } from '../../../app/decisions/review-rows.ts';
import { rowOperations } from '../../../app/operations/rows.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Delivery } from '../../../ledger/rows/results.ts';
import type { RowError } from '../../../ledger/states.ts';
import type { Undoable } from '../../../ledger/transitions/decisions.ts';
import { stepFacts } from '../../../manifest/steps.ts';
import { type Html, html, words } from '../../html.ts';
import { notice } from '../../parts/blocks.ts';
import { asksFirst, costOf, form, hidden, hiddenFields, questionLink, takes } from '../../parts/form.ts';
import { creatorPath, rowPath, rowSubject } from '../../parts/list.ts';
import { clockWithSeconds, endsBetween, moment, timeLeft } from '../../parts/numbers.ts';
import { icon, iconOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { nameOf, placeOf } from '../approvals/posts.ts';
import { detailOf, titleOf } from '../campaign/causes.ts';
import { estimateOf, rateText } from '../campaign/progress.ts';
import { stepOf } from '../campaign/stage.ts';
import { reviewCase } from '../review/case.ts';
import { undoForm, undoResend, undoTerm, undoWhilePaused } from '../review/undo.ts';

/** @param undoable the last decision or retry, while it can be taken back. */
export async function rowNow(
  request: PageRequest,
  campaign: Campaign,
  row: ShownRow,
  undoable: Undoable | undefined,
): Promise<Html> {
  const { id } = campaign;
  const isToCome = row.state === 'running' || row.state === 'waiting';
  const now = isToCome ? await underWay(request, campaign, row) : said(request, campaign, row);
  return html`<div id="row-now">${now}${undo(request, id, row, undoable)}</div>`;
}

/** What it waits for, and until when. */
async function underWay(
  request: PageRequest,
  campaign: Campaign,
  { position, state }: ShownRow,
): Promise<Html> {
  if (campaign.state === 'paused') {
    const more = 'This row continues when the campaign resumes.';
    return notice({ state: 'paused', text: 'The campaign is paused.', more });
  }
  const [[row], progress] = await Promise.all([
    describeRows(request.runtime, campaign, [position]),
    request.progress.summary(campaign),
  ]);
  const { heldBackBy, pace } = progress;
  const hold = heldBackBy.find(({ operation }) => row?.step && stepOf(operation) === row.step);
  const step = row?.step ? stepFacts[row.step].title : 'its first step';
  const turn = state === 'waiting' ? 'Waits for its turn.' : `Under way: ${step}.`;
  const text = hold === undefined ? turn : `${rateText(hold)}.`;
  const { now, zone } = request;
  const left =
    pace === undefined
      ? [estimateOf(progress).toLowerCase()]
      : [timeLeft(pace), endsBetween(pace, now, zone)].filter(Boolean);
  return notice({ state: 'running', text, more: `The whole campaign: ${left.join(', ')}.` });
}

function said(request: PageRequest, of: Campaign, row: ShownRow): Html | string {
  const campaign = of.id;
  const { position, state, error, result, delivery = 'posted', isUnapproved } = row;
  const { zone, now } = request;
  if (isUnapproved) {
    const look = html`<a class="button" href="${request.link(`/approvals?campaign=${campaign}#${placeOf({ campaign, position })}`)}">Look at it</a>`;
    return notice({ state: 'warning', text: 'It waits for an approval.' }, look);
  }
  if (row.approvedBy !== undefined) return approved(request, campaign, row, row.approvedBy);
  if (state === 'ready' && row.readyUntil === undefined) {
    const ask = mayDo(request, 'run') && questionLink(request, `/campaigns/${campaign}/spend`, 'Allow them…');
    return notice(
      { state: 'warning', text: 'It waits: its AI outputs are beyond the limit of the settings.' },
      ask,
    );
  }
  if (state === 'failed' && error !== undefined) return failure(request, of, row, error);
  if (state === 'posted' && result !== undefined) {
    const isAhead = delivery === 'scheduled' || delivery === 'unconfirmed';
    const { postStatus, postId, at } = result;
    const text = deliveryText[delivery];
    return html`<div class="notice" data-state="${delivery}"><p>${icon(iconOf(delivery))}<span><b>${isAhead ? 'Sent to the service' : 'Posted'} ${moment(at, zone, now)}</b>
      <small>${text}</small>
      <small>Post ID <code class="id">${words(postId)}</code></small></span></p>
      ${postStatus !== '' && html`<details><summary>Details</summary><p class="note">Service status: <code>${words(postStatus)}</code></p></details>`}</div>`;
  }
  return '';
}

/** While it waits for its day. Withdrawn without a question: it can be approved again. */
function approved(request: PageRequest, campaign: string, row: ShownRow, by: string): Html {
  const button =
    mayDo(request, 'approve') && postForm(request, campaign, row, '/approvals/withdraw', 'Withdraw approval');
  return notice({ state: 'ready', text: `Approved by ${by}.` }, button);
}

/** Decides its post as the page of approvals does, and leads back here. */
function postForm(request: PageRequest, campaign: string, row: ShownRow, path: string, label: string): Html {
  const post = nameOf({ ...row, campaign, seen: null });
  const fields = hiddenFields(Object.entries({ post, home: rowPath(campaign, row.key) }));
  return form(request, { path, body: html`${fields}<button>${label}</button>` });
}

/** Why it failed, and what to do; framed, together with the field at fault that follows. The service's words are folded. */
function failure(request: PageRequest, of: Campaign, row: ShownRow, error: RowError): Html {
  const campaign = of.id;
  const { key, assets } = row;
  const { code, message, subject } = error;
  const same = request.link(`/campaigns/${campaign}?${new URLSearchParams({ state: 'failed', code })}#rows`);
  const cause = {
    state: 'failed',
    code,
    message,
    rows: 1,
    subjects: subject === undefined ? [] : [subject],
  } as const;
  const repair = repairOf(code);
  // Rows of a creator on hold are retried together.
  const creator = repair === 'authorize' ? subject : undefined;
  const fix = creator === undefined ? error.fix : `Ask ${creator} to authorize again, then retry.`;
  // What is to be edited in the row has its button below the form.
  const question = !mayDo(request, 'run')
    ? ''
    : code === 'rejected' && assets.length > 0
      ? postForm(request, campaign, row, '/approvals/renew', 'Generate again…')
      : repair === 'edit'
        ? ''
        : creator === undefined
          ? retryQuestion(request, campaign, key, 'Retry…', 'button primary')
          : retryOfCreator(request, campaign, creator);
  // Otherwise its form is in sight.
  const edit =
    repair !== 'edit' &&
    whyNotEditable(of, row.state) === undefined &&
    html`<a class="button" href="#edit-row">Edit the row</a>`;
  return html`<div class="fault" data-state="failed">
    <p>${icon('failed')}<span><b>${words(titleOf(cause))}</b>
      ${fix ? html`<small>${words(fix)}</small>` : ''}</span></p>
    ${question === '' ? '' : html`<p class="actions after">${question}${edit}</p>`}
    <details class="after"><summary>Details</summary><p class="note">${detailOf(cause)}<code>${code}</code> · <a href="${same}">Rows with the same cause</a></p></details>
  </div>`;
}

/** @param label ends with `…`. @param className as of a link that asks. */
export function retryQuestion(
  request: PageRequest,
  campaign: string,
  key: string,
  label: string,
  className?: string,
): Html {
  return questionLink(request, rowPath(campaign, key, '/retry'), label, className);
}

const deliveryText = {
  scheduled: 'The service publishes it at its time. To stop it, delete it in the service.',
  unconfirmed: 'Its time has passed, and no publishing record confirms it yet. Look in the social app.',
  live: 'The publishing records say that it is published.',
  posted: 'To change it, use the service.',
} as const satisfies Record<Delivery, string>;

function undo(
  request: PageRequest,
  campaign: string,
  { key, place, position }: ShownRow,
  undoable: Undoable | undefined,
): Html | string {
  if (undoable === undefined) return '';
  const what = undoable.was === 'failed' ? 'Retried' : 'Decided';
  const { zone, now } = request;
  const button = mayDo(request, 'run') && undoForm(request, { campaign, key, place, undoable }, 'row');
  return html`<div class="notice" data-state="review" id="decided-${position}"><p>${icon('review')}<span><b>${what} ${undoable.isHeld ? html`at ${clockWithSeconds(undoable.at, zone)}` : moment(undoable.at, zone, now)}.</b>
    <small>${undoTerm(undoable, now)}</small></span></p>${button}</div>`;
}

function retryOne({ carryOut, params: { id = '', key = '' } }: PageRequest, dryRun: boolean) {
  return carryOut(rowOperations.retryRows, { id, row: key, dryRun });
}

/** Shows the cost of a retry first. */
export const retryRoutes = asksFirst({
  right: 'run',
  path: '/campaigns/:id/rows/:key/retry',
  home: ({ params: { id = '', key = '' } }) => rowPath(id, key),
  ask: async (request) => {
    const { id = '', key = '' } = request.params;
    const { matched, plan, leftOut } = await retryOne(request, true);
    const { place = key } = await showRow(request.runtime, id, key);
    const cost = costOf(plan);
    const isReady = matched > 0 && cost.calls > 0;
    const reasons = leftOut.map(({ why }) => why).join('; ') || 'it has not failed';
    // All rows of a creator who has to authorize again are retried together.
    const creators = leftOut.flatMap(({ creator }) => creator ?? []);
    const links = creators.map((creator) => html`<p>${retryOfCreator(request, id, creator)}</p>`);
    return {
      title: `Retry ${place}?`,
      text: isReady ? takes(cost) : html`<p>The row cannot be retried now: ${reasons}.</p>${links}`,
      button: isReady ? 'Retry this row' : undefined,
    };
  },
  carryOut: async (request) => {
    const { id = '', key = '' } = request.params;
    const { rows, held, posted, leftOut, state } = await retryOne(request, false);
    const row = rowSubject(await showRow(request.runtime, id, key));
    if (posted > 0) return `${row} turned out to be posted.`;
    const resent =
      state === 'paused'
        ? `${row} is resent when the campaign resumes. ${undoWhilePaused}`
        : `${row} is resent in 10 seconds. ${undoResend}`;
    if (rows > 0) return held > 0 ? resent : `${row} is retried.`;
    const more = leftOut.map(({ why }) => why).join('; ') || undefined;
    return { state: 'failed', text: `${row} was not retried.`, more };
  },
});

/** Of a waiting or ready row. */
export const cancelRoutes = asksFirst({
  right: 'run',
  path: '/campaigns/:id/rows/:key/cancel',
  home: ({ params: { id = '', key = '' } }) => rowPath(id, key),
  ask: async ({ runtime, params: { id = '', key = '' } }) => {
    const { revision, place = key } = await showRow(runtime, id, key);
    return {
      title: `Cancel ${place}?`,
      text: html`<p><b>The row will not be posted.</b> The others continue. To bring it back, save it on its page.</p>`,
      fields: hidden('revision', revision),
      button: 'Cancel this row',
    };
  },
  carryOut: async ({ carryOut, runtime, params: { id = '', key = '' }, form }) => {
    await carryOut(rowOperations.cancelRow, { id, key, revision: Number(form.get('revision')) });
    return `${rowSubject(await showRow(runtime, id, key))} is cancelled.`;
  },
});

function retryOfCreator(request: PageRequest, campaign: string, creator: string): Html {
  return questionLink(request, creatorPath(campaign, creator), html`Retry rows of ${words(creator)}…`);
}

/** Empty unless the row is in review. */
export async function decideSection(
  request: PageRequest,
  { campaign, row }: ReadRow,
): Promise<Html | string> {
  if (row.state !== 'review') return '';
  const [item] = await describeReview(request.runtime, campaign, [row.position]);
  if (item === undefined) return '';
  return reviewCase(request, item, {
    picture: undefined,
    isOnRowPage: true,
    fields: [
      ['row-campaign', campaign.id],
      ['row-key', row.key],
    ],
    button: 'Decide',
  });
}
