/** Handlers of the forms about rate limits and queues, for all campaigns. */
import { html } from 'hono/html';
import { pauseQueue, requireQueue, resumeQueue } from '../../../campaigns/queues.ts';
import { changeRateLimit, requireOperation, resetRateLimits } from '../../../campaigns/rate-limits.ts';
import { nameOfAccount } from '../../../runtime/service/accounts.ts';
import { UseCaseError } from '../../../runtime/use-case-error.ts';
import { parseRate } from '../../../runtime/wording.ts';
import { form } from '../../parts/form.ts';
import { count } from '../../parts/numbers/numbers.ts';
import { wayBack } from '../../parts/question.ts';
import type { Notice, PageRequest, Question, Redirect } from '../../request.ts';
import { operationTitle, queueTitle } from './names.ts';
import { describeRate } from './rates.ts';

const longestReason = 200;

/** @throws {UseCaseError} `operation_unknown`, `account_unknown`, `rate_invalid`. */
export async function setRateLimit(request: PageRequest): Promise<Redirect> {
  const { runtime, params, form: fields, person } = request;
  const operation = params.operation ?? '';
  requireOperation(operation);
  const account = nameOfAccount(runtime, fields.get('account') ?? undefined);
  const title = operationTitle(operation);
  const to = `/queues?${new URLSearchParams({ account })}#rate-limits`;
  if (fields.has('reset')) {
    await resetRateLimits(runtime, { operation, account, by: person.name });
    return back(to, `${title}: reset to the settings.`);
  }
  const written = `${fields.get('rate')?.trim()}/${fields.get('per')}`;
  const perSecond = parseRate(written);
  if (perSecond === undefined) {
    throw new UseCaseError('rate_invalid', `"${written}" is not a valid rate`, {
      cure: 'Write a number above 0, such as 20, and choose the unit.',
    });
  }
  await changeRateLimit(runtime, operation, { perSecond }, { account, by: person.name });
  return back(to, `${title}: ${describeRate(perSecond)}, in all workers until it is reset.`);
}

export async function askPause(request: PageRequest): Promise<Question> {
  const name = requireQueue(request.params.name ?? '');
  const title = queueTitle(name);
  const { waiting = 0 } = await request.runtime.queues.queue(name).getJobCounts('waiting');
  const body = html`
    <p><b>All campaigns wait at this queue. It has ${waiting === 0 ? 'no job' : count(waiting, 'job')} now.</b> Running jobs finish. To hold one campaign, pause the campaign.</p>
    ${form(request, {
      path: `/queues/${name}/pause`,
      body: html`<p><label>Why? Others can read it.<input name="why" maxlength="${longestReason}"></label></p>
      <p class="actions">${wayBack(request, '/queues', 'Keep it going')} <button class="primary">Pause ${title}</button></p>`,
    })}`;
  return { kind: 'question', title: `Pause queue ${title}?`, section: '/queues', body };
}

export async function pause(request: PageRequest): Promise<Redirect> {
  const { runtime, params, person, form: fields } = request;
  const why = fields.get('why')?.trim().slice(0, longestReason);
  const was = await pauseQueue(runtime, params.name ?? '', { by: person.name, why });
  const title = queueTitle(params.name ?? '');
  return back(
    '/queues#queues',
    was ? `Queue ${title} is paused.` : `Queue ${title} was already paused.`,
    'paused',
  );
}

export async function resume({ runtime, params, person }: PageRequest): Promise<Redirect> {
  const was = await resumeQueue(runtime, params.name ?? '', { by: person.name });
  const title = queueTitle(params.name ?? '');
  return back('/queues#queues', was ? `Queue ${title} goes on.` : `Queue ${title} was not paused.`);
}

function back(to: string, text: string, state: Notice['state'] = 'done'): Redirect {
  return { kind: 'redirect', to, notice: { state, text } };
}
