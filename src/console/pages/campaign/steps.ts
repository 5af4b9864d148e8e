/** The steps that a campaign's rows need, one line each. The one that decides the pace says what it waits for. */

import type { ProgressSummary } from '../../../app/campaigns/progress/reader.ts';
import type { StepCount, StepCounts } from '../../../app/campaigns/progress/step-counts.ts';
import { stepName } from '../../../app/runtime/documents.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { type Step, stepFacts, steps } from '../../../manifest/steps.ts';
import { describeDuration, thousands } from '../../../manifest/wording.ts';
import { operationsFor } from '../../../service/contract/operations.ts';
import { type Html, html } from '../../html.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { describeRate } from '../queues/rate-limits.ts';

export interface Tight {
  readonly step: Step;
  /** What its rows wait for. */
  readonly text: string;
  /** Running rows that only wait for its rate limit. */
  readonly queued: number;
}

export function stepOf(operation: string): Step | undefined {
  return steps.find((step) => operationsFor(stepFacts[step].units).some((one) => one === operation));
}

/** @returns undefined unless a step holds the others back. */
export function tightOf(
  { campaign, heldBackBy, pausedQueues }: ProgressSummary,
  counts: StepCounts | undefined,
): Tight | undefined {
  if (campaign.state !== 'running' || counts === undefined) return undefined;
  const busy = steps.filter((step) => counts[step].now > 0);
  const isPaused = (step: Step) => pausedQueues.includes(step);
  const paused = busy.find(isPaused);
  if (paused)
    return { step: paused, text: `${thousands(counts[paused].now)} wait: the queue is paused`, queued: 0 };
  for (const { operation, perSecond, pausedMs } of heldBackBy) {
    const step = busy.find((each) => each === stepOf(operation));
    if (step === undefined) continue;
    const { now } = counts[step];
    const queued = `${thousands(now)} ${now === 1 ? 'waits' : 'wait'} for the rate limit`;
    const text =
      pausedMs > 0
        ? `429: pauses for ${describeDuration(pausedMs)}`
        : `${queued}, ${describeRate(perSecond)}`;
    return { step, text, queued: now };
  }
  return undefined;
}

/** @param steps undefined while a large sheet is read for the first time. */
export function lane(
  request: PageRequest,
  campaign: Campaign,
  steps: StepCounts | undefined,
  tight: Tight | undefined,
): Html {
  if (steps === undefined)
    return html`<p id="campaign-steps" class="note">The rows of this large sheet are being counted by step.</p>`;
  // Nothing is left of a campaign that was cancelled before its first post, and nothing to be said of one that is done.
  const isOver = campaign.state === 'ended' && campaign.counts.posted === campaign.rows;
  const needed = isOver ? [] : stepName.options.filter((step) => steps[step].all > 0);
  return html`<ol id="campaign-steps" class="steps" aria-label="Steps">${needed.map((step) => lanePart(request, campaign, { step, count: steps[step], tight }))}</ol>`;
}

function lanePart(
  { link }: PageRequest,
  { id, state }: Campaign,
  {
    step,
    count: { all, done, now, failed, review, notReached, toCome },
    tight,
  }: {
    readonly step: Step;
    readonly count: StepCount;
    readonly tight: Tight | undefined;
  },
): Html {
  const rows = (at: 'failed' | 'review', text: string) =>
    html`<a href="${link(`/campaigns/${id}?${new URLSearchParams({ state: at, step })}#rows`)}">${text}</a>`;
  const isTight = tight?.step === step;
  const isOver = state === 'ended';
  const missed = notReached + (isOver ? toCome : 0);
  const said = [
    ...(isTight ? [html`<b>${tight.text}</b>`] : now > 0 ? [html`${thousands(now)} now`] : []),
    ...(failed > 0 ? [rows('failed', `${thousands(failed)} failed`)] : []),
    ...(review > 0 ? [rows('review', `${thousands(review)} in review`)] : []),
    ...(missed > 0 && !isTight ? [html`${thousands(missed)} didn’t get this far`] : []),
    ...(toCome > 0 && !isTight && !isOver ? [html`${thousands(toCome)} to come`] : []),
  ];
  const isDone = said.length === 0;
  return html`<li class="${isTight ? 'tight' : ''}"><b>${stepFacts[step].title}</b> <span>${thousands(done)} / ${thousands(all)}</span> <small>${isDone ? html`${icon('posted')} all done` : said.map((part, index) => html`${index > 0 ? ', ' : ''}${part}`)}</small></li>`;
}
