/** The plan: posts, calls, AI outputs, bytes, and the least time within the budgets. */
import { html } from 'hono/html';
import { defaultAccount } from '../../../../../config/access.ts';
import type { BudgetedOperation } from '../../../../api/contract/operations.ts';
import { budgetsOf } from '../../../../runtime/accounts.ts';
import { describeDuration, describeRate } from '../../../../runtime/wording.ts';
import type { Html } from '../../../html.ts';
import { fileSize } from '../../../parts/bytes.ts';
import { clock, count, day, number } from '../../../parts/numbers.ts';
import { operationOrder, operationTitle } from '../../queues/names.ts';
import type { ShownDraft } from './shown.ts';

export function planSection(shown: ShownDraft): Html {
  const { checked } = shown;
  const { plan, isOutdated } = checked;
  const { aiOutputs, videos, photos, rows } = plan;
  const kinds = [
    ...(videos > 0 ? [count(videos, 'video')] : []),
    ...(photos > 0 ? [count(photos, 'photo post')] : []),
  ].join(', ');
  const operations = operationOrder.filter((each) => (plan.calls[each as BudgetedOperation] ?? 0) > 0);
  return html`<section aria-labelledby="plan" id="draft-plan">
    <div class="section"><h2 id="plan">The plan</h2><p>${count(rows, 'post')}${kinds === '' ? '' : `: ${kinds}`}${aiOutputs.total > 0 ? `, with ${count(aiOutputs.total, 'AI output')}` : ''}</p></div>
    ${isOutdated ? html`<p class="note">The plan is being brought up to date with what was mended.</p>` : ''}
    ${
      operations.length === 0
        ? ''
        : html`<div class="scroller" role="group" aria-labelledby="plan" tabindex="0"><table>
      <thead><tr><th scope="col">What</th><th scope="col" class="n">Calls</th><th scope="col" class="n">Budget</th><th scope="col">Note</th></tr></thead>
      <tbody>${operations.map((each) => line(shown, each as BudgetedOperation))}</tbody></table></div>`
    }
    <p class="note after">${missed(shown)}</p>
  </section>`;
}

function line({ request, view, checked: { plan } }: ShownDraft, operation: BudgetedOperation): Html {
  const budgets = budgetsOf(request.runtime.settings, view.draft.options.account ?? defaultAccount);
  const budget = budgets[operation] ?? budgets.default;
  const isDeciding = plan.decidedBy === operation;
  const notes = [
    ...(operation === 'listAiTasksByScheduleId' ? ['more while the results are made'] : []),
    ...(operation === 'createAiGenerationSchedule' ? [models(plan.aiOutputs.byModel)] : []),
    ...(operation === 'createFileUpload' && plan.bytes > 0 ? [fileSize(plan.bytes)] : []),
    ...(isDeciding ? [`decides how long it takes: at least ${describeDuration(plan.shortestMs)}`] : []),
  ];
  return html`<tr${isDeciding ? html` class="decides"` : ''}><th scope="row">${operationTitle(operation)}</th><td class="n">${operation === 'listAiTasksByScheduleId' ? 'at least ' : ''}${number(plan.calls[operation] ?? 0)}</td><td class="n">${budget === undefined ? '' : describeRate((budget.rate * 1000) / budget.per)}</td><td>${notes.join('; ')}</td></tr>`;
}

function models(byModel: Readonly<Record<string, number>>): string {
  const each = Object.entries(byModel).map(([model, outputs]) => `${count(outputs, 'output')} of ${model}`);
  return `costs: ${each.join(', ')}`;
}

function missed({ request, checked }: ShownDraft): string {
  const { plan, times, timezone, refused, columns, groups } = checked;
  const column = columns.find((each) => each.column === 'scheduled_at');
  const faulty = groups
    .filter(({ position }) => position === column?.position)
    .reduce((sum, group) => sum + group.count, 0);
  const zone = timezone ?? request.zone;
  const first =
    times === undefined
      ? ''
      : ` The first is ${day(times.first, zone, request.now)}, ${clock(times.first, zone)} in ${zone}.`;
  if (plan.missed > 0)
    return `${count(plan.missed, 'scheduled time')} would pass before ${plan.missed === 1 ? 'its' : 'their'} turn.${first}`;
  if (times !== undefined) return `No scheduled time would be missed.${first}`;
  if (refused === 0) return 'No row has a time: posts go out as soon as they are ready.';
  const none = 'No row that can be posted now has a time: it would go out as soon as it is ready.';
  return faulty === 0
    ? none
    : `${none} ${count(faulty, 'row has', 'rows have')} a time with a problem: see above.`;
}
