/** The summary of the start, and its button. The form has the version and the number of posts that the person has seen. */
import { html } from 'hono/html';
import { describeDuration } from '../../../../../runtime/wording.ts';
import type { Html } from '../../../../html.ts';
import { mayChange } from '../../../../parts/form.ts';
import { count, number } from '../../../../parts/numbers.ts';
import type { ShownDraft } from '../shown.ts';
import { leavesOut } from './options.ts';

/** Shorter times are not shown, in milliseconds. */
const leastTold = 1000;

export function dock({ request, view, checked }: ShownDraft): Html {
  const { plan, accepted, refused, leftOut, blocking, warnings, isOutdated } = checked;
  const { options } = view.draft;
  const otherTimes = warnings.find(({ code }) => code === 'posted_at_another_time')?.count ?? 0;
  const out = leftOut + (leavesOut(options) ? refused : 0);
  const facts = [
    ...(plan.aiOutputs.total > 0 ? [count(plan.aiOutputs.total, 'AI output')] : []),
    ...(isOutdated
      ? ['the plan is being brought up to date']
      : plan.shortestMs < leastTold
        ? []
        : [`at least ${describeDuration(plan.shortestMs)}`]),
    ...(options.canary === undefined ? [] : [`holds after the first ${number(options.canary)}`]),
    ...(otherTimes > 0 ? [`${number(otherTimes)} posted before, at another time`] : []),
    ...(plan.unlabelled > 0 ? [`${number(plan.unlabelled)} without AI label`] : []),
    ...(out > 0 ? [`${count(out, 'row')} left out`] : []),
  ];
  return html`<div class="dock" id="draft-dock">
    <input type="hidden" name="posts" value="${accepted}">
    <p><b>${count(accepted, 'post')}</b> ${facts.map((fact) => html`<span>${fact}</span> `)}</p>
    ${button()}
  </div>`;

  function button(): Html {
    if (!mayChange(request)) return html`<p>An operator can start this campaign.</p>`;
    if (blocking.length > 0) return html`<p>The sheet as a whole has a problem: see above.</p>`;
    if (accepted === 0) return html`<p>No row can be posted yet.</p>`;
    if (refused > 0 && !leavesOut(options)) {
      return html`<p>${count(refused, 'row')} to mend, or:</p><button name="skip" value="yes">Leave out ${count(refused, 'row')} and start ${count(accepted, 'post')}</button>`;
    }
    return html`<button class="primary">Start ${count(accepted, 'post')}</button>`;
  }
}
