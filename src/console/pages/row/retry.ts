/** Retries one row: a question that shows the cost, then the change. */
import { html } from 'hono/html';
import { findCampaign } from '../../../campaigns/find.ts';
import { type RetryResult, retryRows } from '../../../campaigns/retry/retry.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { questionLink, wayBack } from '../../parts/question.ts';
import { takes } from '../../parts/takes.ts';
import type { PageRequest, Question, Redirect } from '../../request.ts';
import { creatorPath, rowPath } from './address.ts';

async function retryOne({ runtime, params }: PageRequest, dryRun: boolean): Promise<RetryResult> {
  const campaign = await findCampaign(runtime, params.id ?? '');
  return retryRows(runtime, campaign, { row: params.key ?? '' }, { dryRun });
}

export async function askRetryRow(request: PageRequest): Promise<Question> {
  const { id = '', key = '' } = request.params;
  const { matched, plan, leftOut } = await retryOne(request, true);
  const calls = Object.values(plan?.calls ?? {}).reduce((sum, many) => sum + many, 0);
  const isReady = matched > 0 && calls > 0;
  const body = html`
    ${isReady ? takes({ calls, outputs: plan?.aiOutputs ?? 0 }) : html`<p>The row cannot be retried now: ${leftOut.map(({ why }) => why).join('; ') || 'it has not failed'}.</p>${toCreators(request, id, leftOut)}`}
    ${form(request, {
      path: rowPath(id, key, '/retry'),
      body: html`<p class="actions">${wayBack(request, rowPath(id, key), 'Leave it')} ${isReady ? html`<button class="primary">Retry this row</button>` : ''}</p>`,
    })}`;
  return { kind: 'question', title: `Retry ${key}?`, section: '/campaigns', body };
}

/** Link to retry all rows of a creator who has to authorize again. */
function toCreators(request: PageRequest, id: string, leftOut: RetryResult['leftOut']): readonly Html[] {
  return leftOut.flatMap(({ creator }) =>
    creator === undefined
      ? []
      : [
          html`<p>${questionLink(request, creatorPath(id, creator), html`Retry rows of ${words(creator)}…`)}</p>`,
        ],
  );
}

export async function retryRow(request: PageRequest): Promise<Redirect> {
  const { id = '', key = '' } = request.params;
  const { rows, held, posted, leftOut } = await retryOne(request, false);
  const isDone = rows + posted > 0;
  const more = isDone ? undefined : leftOut.map(({ why }) => why).join('; ') || undefined;
  const text =
    posted > 0
      ? `Row ${key} turned out to be posted.`
      : rows > 0
        ? `Row ${key} is sent again${held > 0 ? ' in 10 seconds. Until then, you can take it back' : ''}.`
        : `Row ${key} was not retried.`;
  const state = isDone ? 'done' : 'failed';
  return { kind: 'redirect', to: rowPath(id, key), notice: { state, text, more } };
}
