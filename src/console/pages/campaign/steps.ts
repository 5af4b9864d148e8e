/** The way of a row: five steps side by side. */
import { html } from 'hono/html';
import { stepName } from '../../../campaigns/documents/campaign.ts';
import type { CampaignProgress } from '../../../campaigns/progress/reader.ts';
import type { Step } from '../../../ledger/states.ts';
import type { Html } from '../../html.ts';
import { number } from '../../parts/numbers.ts';
import { bar } from '../../parts/state.ts';

/** The step `poll` waits for the result of an AI generation. */
export const stepNames: Readonly<Record<Step, string>> = {
  showcase: 'Showcase',
  generate: 'Generate',
  poll: 'AI result',
  upload: 'Upload',
  post: 'Post',
};

export function lane(progress: CampaignProgress): Html {
  return html`<div id="campaign-steps"><h2 class="hidden" id="steps">Steps</h2>
  <ol class="lane" aria-labelledby="steps">${stepName.options.map((step) => lanePart(step, progress))}</ol></div>`;
}

function lanePart(step: Step, { steps: all, campaign, isUnderWay }: CampaignProgress): Html {
  const { done, active, waiting, delayed, failed } = all[step];
  // Jobs of a queue belong to all campaigns: what is at work is told only while this one runs.
  const now = isUnderWay ? active : 0;
  const inQueue = isUnderWay ? waiting + delayed : 0;
  const said = [
    ...(now > 0 ? [`${number(now)} now`] : []),
    ...(failed > 0 ? [`${number(failed)} failed or in review`] : []),
    ...(inQueue > 0 ? [`${number(inQueue)} in the queue`] : []),
  ];
  const share = (many: number) => (campaign.rows === 0 ? 0 : Math.min(100, (many / campaign.rows) * 100));
  const label = `${stepNames[step]}: ${number(done)} done, of ${number(campaign.rows)} rows`;
  return html`<li>
    <h3>${stepNames[step]} <span>${number(done)} done</span></h3>
    ${bar(
      [
        { state: 'posted', share: share(done) },
        { state: 'running', share: share(now) },
        { state: 'failed', share: share(failed) },
      ],
      label,
      'thin',
    )}
    <p>${said.length === 0 ? 'nothing at work' : said.join(', ')}</p>
  </li>`;
}
