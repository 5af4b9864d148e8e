/** The present state of a row, and what can be done about it. */
import { html } from 'hono/html';
import { repairOf } from '../../../campaigns/causes/error-codes.ts';
import type { ShownRow } from '../../../campaigns/rows/show-row.ts';
import type { Undoable } from '../../../ledger/transitions/decisions.ts';
import type { Html } from '../../html.ts';
import { form, mayChange } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import { moment } from '../../parts/numbers/numbers.ts';
import { questionLink } from '../../parts/question.ts';
import type { PageRequest } from '../../request.ts';
import { detailOf, titleOf } from '../campaign/causes/title.ts';
import { creatorPath, rowPath } from './address.ts';

/** @param undoable the last decision or retry, while it can be taken back. */
export function rowNow(
  request: PageRequest,
  campaign: string,
  row: ShownRow,
  undoable: Undoable | undefined,
): Html {
  return html`<div id="row-now">${said(request, campaign, row)}${undo(request, campaign, row, undoable)}</div>`;
}

function said(
  request: PageRequest,
  campaign: string,
  { key, state, error, result }: ShownRow,
): Html | string {
  const { link, zone, now } = request;
  if (state === 'failed' && error !== undefined) {
    const same = link(
      `/campaigns/${campaign}?${new URLSearchParams({ state: 'failed', code: error.code })}#rows`,
    );
    const { code, message, subject } = error;
    const cause = { state, code, message, rows: 1, subjects: subject === undefined ? [] : [subject] };
    // Rows of a creator on hold are retried together.
    const creator = repairOf(code) === 'authorize' ? subject : undefined;
    const question =
      creator === undefined
        ? questionLink(request, rowPath(campaign, key, '/retry'), 'Retry…')
        : questionLink(request, creatorPath(campaign, creator), html`Retry rows of ${words(creator)}…`);
    const retry = mayChange(request) ? question : html`<span>An operator can retry this row.</span>`;
    const cure = creator === undefined ? error.cure : `Let ${creator} authorize again. Then retry.`;
    return html`<div class="notice" data-state="failed">
      <p>${icon('failed')}<span><b>${words(titleOf(cause))}</b>
        <small>${detailOf(cause)}${cure ? html`${words(cure)} ` : ''}<a href="${same}">Rows with the same cause</a> <code>${error.code}</code></small></span></p>
      <span class="actions">${retry}</span>
    </div>`;
  }
  if (state === 'posted' && result !== undefined) {
    return html`<div class="notice" data-state="posted"><p>${icon('posted')}<span><b>Posted as <code>${words(result.postId)}</code></b>
      <small>${moment(result.at, zone, now)}${result.postStatus === '' ? '' : html`, ${words(result.postStatus.toLowerCase())}`}</small></span></p></div>`;
  }
  return '';
}

function undo(
  request: PageRequest,
  campaign: string,
  { key, position }: ShownRow,
  undoable: Undoable | undefined,
): Html | string {
  if (undoable === undefined) return '';
  const what = undoable.was === 'failed' ? 'Retried' : 'Decided';
  const { zone, now } = request;
  const button = mayChange(request)
    ? form(request, {
        path: '/review/undo',
        body: html`<input type="hidden" name="campaign" value="${campaign}"><input type="hidden" name="key" value="${key}"><input type="hidden" name="back" value="row"><button>${icon('again')}Take it back</button>`,
      })
    : '';
  return html`<div class="notice" data-state="review" id="decided-${position}"><p>${icon('review')}<span><b>${what} ${moment(undoable.at, zone, now)}.</b>
    <small>It can be taken back for 10 minutes, unless the row has gone on.</small></span></p>${button}</div>`;
}
