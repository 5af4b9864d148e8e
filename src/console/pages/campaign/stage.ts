/** The first card of a campaign: how many posts of how many, how long it takes, what its rows wait for, its steps and its pace. */
import { isAllReady, type ShownCounts } from '../../../app/campaigns/post-status.ts';
import type { Throughput } from '../../../app/campaigns/progress/pace.ts';
import type { ProgressSummary } from '../../../app/campaigns/progress/reader.ts';
import type { StepCount, StepCounts } from '../../../app/campaigns/progress/step-counts.ts';
import { stepName } from '../../../app/runtime/documents.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { DeliveryCounts } from '../../../ledger/rows/results.ts';
import { printable } from '../../../manifest/printable.ts';
import { type Step, stepFacts, steps } from '../../../manifest/steps.ts';
import { capitalized, describeDuration, plural, thousands } from '../../../manifest/wording.ts';
import { operationsFor } from '../../../service/contract/operations.ts';
import { type Html, html } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { endsBetween, moment, timeLeft } from '../../parts/numbers.ts';
import {
  icon,
  iconOf,
  progressBar,
  queuedWord,
  type ShownRowState,
  shownRowStates,
  wordOf,
} from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { describeRate } from '../queues/rate-limits.ts';
import { estimateOf, heldList, nextPost, throughputFigure, turnText } from './progress.ts';

export interface StageFigures {
  readonly campaign: Campaign;
  readonly shown: ShownCounts;
  readonly progress: ProgressSummary;
  readonly throughput: Throughput;
  readonly steps: StepCounts | undefined;
  readonly deliveries: DeliveryCounts;
}

/** Each changes at its own pace. */
export function stageParts(request: PageRequest, seen: StageFigures) {
  const { campaign, progress, steps, throughput } = seen;
  const tight = tightOf(progress, steps);
  return {
    'campaign-counts': counts(request, seen),
    'campaign-held': heldList(request, withNeeded(progress, steps)),
    'campaign-steps': lane(request, campaign, steps, tight),
    'campaign-throughput': throughputFigure(request, progress, throughput),
  } satisfies LiveParts;
}

export function stage(parts: ReturnType<typeof stageParts>): Html {
  return html`<div class="card stage">
    ${parts['campaign-counts']}
    ${parts['campaign-held']}
    <div class="pace">${parts['campaign-steps']}${parts['campaign-throughput']}</div>
  </div>`;
}

/** `43 of 220, Autumn drop`: also the title of the page. */
export function titleOf({ campaign, progress }: Pick<StageFigures, 'campaign' | 'progress'>): string {
  const { name, rows, counts } = campaign;
  const shown = printable(name);
  return progress.isUnderWay ? `${thousands(counts.posted)} of ${thousands(rows)}, ${shown}` : shown;
}

function counts(request: PageRequest, seen: StageFigures): Html {
  const { campaign, shown, progress, steps } = seen;
  const { counts, rows, id } = campaign;
  const states = shownRowStates.filter((each) => shown[each] > 0);
  const tight = tightOf(progress, steps);
  const queued = tight?.queued ?? 0;
  // One figure for all that run, so that nothing moves with each call.
  const word = (each: ShownRowState) =>
    each === 'running' && queued * 2 > shown.running ? queuedWord : wordOf(each);
  const items = states.map(
    (each) =>
      html`<a href="${request.link(`/campaigns/${id}?state=${each}#rows`)}" data-state="${each}">${icon(iconOf(each))} <b>${thousands(shown[each])}</b> ${word(each)}</a> `,
  );
  const [lead, more] = tight?.isPaused ? ['Waits for its queue', tight.text] : outlook(request, seen);
  return html`<div id="campaign-counts" data-title="${titleOf(seen)}">
    <div class="hero">
      <p class="figure">${thousands(counts.posted)}<small> of ${thousands(rows)} ${shown.scheduled + shown.unconfirmed > 0 ? 'posted or scheduled' : 'posted'}</small></p>
      <p class="eta"><b>${lead}</b> ${more}</p>
    </div>
    ${progressBar(shown, 'thick', queued)}
    <p class="counts${progress.isUnderWay && !isAllReady(campaign) && ' steady'}">${items}</p>
  </div>`;
}

/** How long it takes, when its turn is, or when it ended. */
function outlook(
  request: PageRequest,
  { campaign, progress, deliveries }: StageFigures,
): readonly [lead: string, more: Html | string] {
  const { now, zone } = request;
  const { state, endedAt, cancelledAt, counts } = campaign;
  const at = (ms: number) => moment(ms, zone, now);
  if (state === 'cancelling') return ['Being cancelled', ''];
  if (state === 'paused')
    return ['Paused', `${plural(counts.waiting + counts.running + counts.ready, 'row')} not posted yet`];
  if (state === 'ended') {
    const { firstAt, lastAt } = deliveries;
    if (cancelledAt !== undefined)
      return [
        `Cancelled ${at(cancelledAt)}`,
        counts.cancelled === 0 ? '' : `${plural(counts.cancelled, 'row')} will not be posted`,
      ];
    if (firstAt !== undefined)
      return [
        `Next post ${at(firstAt)}`,
        lastAt === undefined || lastAt === firstAt ? '' : `last ${at(lastAt)}`,
      ];
    return [endedAt === undefined ? 'Ended' : `Ended ${at(endedAt)}`, ''];
  }
  const {
    pace,
    turn,
    due: { readyAt },
  } = progress;
  const { unapproved, unpaid } = campaign;
  if (isAllReady(campaign) && unapproved > 0)
    return ['Sent once approved', readyAt === undefined ? '' : `next goes to the service ${at(readyAt)}`];
  if (isAllReady(campaign) && readyAt !== undefined) {
    const ready = counts.ready - unpaid;
    const waits = `${plural(ready, 'post waits', 'posts wait')} for ${ready === 1 ? 'its' : 'their'} time`;
    return [`Next goes to the service ${at(readyAt)}`, waits];
  }
  if (isAllReady(campaign) && unpaid > 0) return ['Continues once allowed', ''];
  if (turn) return [nextPost(turn), turnText(progress, turn)];
  if (pace === undefined) {
    const isByLimit = progress.heldBackBy.some(({ operation }) => operation === 'createCreatorPost');
    return [estimateOf(progress), isByLimit ? 'by the rate limit alone' : ''];
  }
  return [capitalized(timeLeft(pace)), endsBetween(pace, now, zone)];
}

interface Tight {
  readonly step: Step;
  readonly text: string;
  /** Running rows that only wait for its rate limit. */
  readonly queued: number;
  readonly isPaused?: true;
}

/** A paused queue is told only where rows still need it. @param steps undefined while nobody knows. */
function withNeeded(progress: ProgressSummary, steps: StepCounts | undefined): ProgressSummary {
  if (steps === undefined) return progress;
  const isNeeded = (step: Step) => steps[step].now + steps[step].toCome > 0;
  const isStep = (name: string): name is Step => Object.hasOwn(steps, name);
  const pausedQueues = progress.pausedQueues.filter((name) => !isStep(name) || isNeeded(name));
  return { ...progress, pausedQueues };
}

export function stepOf(operation: string): Step | undefined {
  return steps.find((step) => operationsFor(stepFacts[step].units).some((one) => one === operation));
}

/** @returns undefined unless a step holds the others back. */
function tightOf(
  { campaign, heldBackBy, pausedQueues }: ProgressSummary,
  counts: StepCounts | undefined,
): Tight | undefined {
  if (campaign.state !== 'running' || counts === undefined) return undefined;
  const busy = steps.filter((step) => counts[step].now > 0);
  const isPaused = (step: Step) => pausedQueues.includes(step);
  const paused = busy.find(isPaused);
  if (paused)
    return {
      step: paused,
      text: `${thousands(counts[paused].now)} wait: the queue is paused`,
      queued: 0,
      isPaused: true,
    };
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
function lane(
  request: PageRequest,
  campaign: Campaign,
  steps: StepCounts | undefined,
  tight: Tight | undefined,
): Html {
  if (steps === undefined)
    return html`<p id="campaign-steps" class="note">The rows of this large sheet are being counted by step.</p>`;
  // Of one that has ended, its causes say what is left to do.
  const needed = campaign.state === 'ended' ? [] : stepName.options.filter((step) => steps[step].all > 0);
  return html`<ol id="campaign-steps" class="steps" aria-label="Steps">${needed.map((step) => lanePart(request, campaign, { step, count: steps[step], tight }))}</ol>`;
}

function lanePart(
  { link }: PageRequest,
  { id }: Campaign,
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
  const said = [
    ...(isTight ? [html`<b>${tight.text}</b>`] : now > 0 ? [html`${thousands(now)} now`] : []),
    ...(failed > 0 ? [rows('failed', `${thousands(failed)} failed`)] : []),
    ...(review > 0 ? [rows('review', `${thousands(review)} in review`)] : []),
    ...(notReached > 0 && !isTight ? [html`${thousands(notReached)} didn’t get this far`] : []),
    ...(toCome > 0 && !isTight ? [html`${thousands(toCome)} to come`] : []),
  ];
  const isDone = said.length === 0;
  return html`<li class="${isTight ? 'tight' : ''}"><b>${stepFacts[step].title}</b> <span>${thousands(done)} / ${thousands(all)}</span> <small>${isDone ? html`${icon('posted')} all done` : said.map((part, index) => html`${index > 0 ? ', ' : ''}${part}`)}</small></li>`;
}
