/** Resumes a creator who has authorized again: a question that shows the cost, then the change. */
import { html } from 'hono/html';
import { findCampaign } from '../../../campaigns/find.ts';
import { planCreator, resumeCreator } from '../../../campaigns/retry/retry.ts';
import { form } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { count } from '../../parts/numbers/numbers.ts';
import { wayBack } from '../../parts/question.ts';
import { takesOfRows } from '../../parts/takes.ts';
import type { PageRequest, Question, Redirect } from '../../request.ts';
import { creatorPath } from '../row/address.ts';

export async function askCreator(request: PageRequest): Promise<Question> {
  const { id = '', creator = '' } = request.params;
  const campaign = await findCampaign(request.runtime, id);
  const { matched, posted, plan } = await planCreator(request.runtime, campaign, creator);
  const rows = matched - posted;
  const calls = Object.values(plan?.calls ?? {}).reduce((sum, many) => sum + many, 0);
  const body = html`
    <p>Do this after ${words(creator)} has authorized again in the service. Otherwise the service refuses the first call, and the rows stop again without further calls.</p>
    ${rows === 0 ? html`<p>No row of this campaign waits for it. The button takes ${words(creator)} off hold.</p>` : takesOfRows({ rows, calls, outputs: plan?.aiOutputs ?? 0 })}
    ${form(request, {
      path: creatorPath(id, creator),
      body: html`<p class="actions">${wayBack(request, `/campaigns/${id}`, 'Back')} <button class="primary">${rows === 0 ? 'Take off hold' : `Retry ${count(rows, 'row')}`}</button></p>`,
    })}`;
  return {
    kind: 'question',
    title: `Retry ${count(rows, 'row')} of ${creator}?`,
    section: '/campaigns',
    body,
  };
}

export async function takeUpCreator({ runtime, params }: PageRequest): Promise<Redirect> {
  const { id = '', creator = '' } = params;
  const { wasOpen, rows, state } = await resumeCreator(runtime, await findCampaign(runtime, id), creator);
  const again = rows === 1 ? '1 row is sent again.' : `${count(rows, 'row')} are sent again.`;
  return {
    kind: 'redirect',
    to: `/campaigns/${id}`,
    notice: {
      state: 'done',
      text: `${creator} ${wasOpen ? 'is no longer on hold' : 'was not on hold'}. ${again}`,
      more:
        state === 'paused' && rows > 0
          ? `The campaign is paused: ${rows === 1 ? 'it waits' : 'they wait'} until it goes on.`
          : undefined,
    },
  };
}
