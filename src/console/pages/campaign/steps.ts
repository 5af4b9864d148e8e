/** The five steps of a row, side by side. */
import { html } from 'hono/html';
import { stepName } from '../../../campaigns/documents/campaign.ts';
import type { StepCount, StepCounts } from '../../../campaigns/progress/step-counts.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import { type Step, stepFacts } from '../../../manifest/steps.ts';
import type { Html } from '../../html.ts';
import { number } from '../../parts/numbers/numbers.ts';
import { bar } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

/** @param steps undefined while a large sheet is read for the first time. */
export function lane(request: PageRequest, campaign: Campaign, steps: StepCounts | undefined): Html {
  const list =
    steps === undefined
      ? html`<p class="note">The rows of this large sheet are being counted by step.</p>`
      : html`<ol class="lane" aria-labelledby="steps">${stepName.options.map((step) => lanePart(request, campaign, step, steps[step]))}</ol>`;
  return html`<div id="campaign-steps"><h2 class="hidden" id="steps">Steps</h2>${list}</div>`;
}

function lanePart(
  { link }: PageRequest,
  { id, state }: Campaign,
  step: Step,
  { all, done, now, failed, review, toCome }: StepCount,
): Html {
  const share = (many: number) => (all === 0 ? 0 : Math.min(100, (many / all) * 100));
  const rows = (at: 'failed' | 'review', text: string) =>
    html`<a href="${link(`/campaigns/${id}?${new URLSearchParams({ state: at, step })}#rows`)}">${text}</a>`;
  const said = [
    ...(now > 0 ? [html`${number(now)} now`] : []),
    ...(failed > 0 ? [rows('failed', `${number(failed)} failed`)] : []),
    ...(review > 0 ? [rows('review', `${number(review)} in review`)] : []),
    // Includes rows that failed or went to review at an earlier step.
    ...(toCome > 0 ? [html`${number(toCome)} ${state === 'ended' ? 'not reached' : 'to come'}`] : []),
  ];
  const nothing = all === 0 ? 'no row needs it' : 'all done';
  const label = `${stepFacts[step].title}: ${number(done)} of ${number(all)} done`;
  return html`<li>
    <h3>${stepFacts[step].title} <span>${number(done)} / ${number(all)}</span></h3>
    ${bar(
      [
        { state: 'posted', share: share(done) },
        { state: 'running', share: share(now) },
        { state: 'failed', share: share(failed) },
        { state: 'review', share: share(review) },
      ],
      label,
      'thin',
    )}
    <p>${said.length === 0 ? nothing : said.map((part, index) => html`${index > 0 ? ', ' : ''}${part}`)}</p>
  </li>`;
}
