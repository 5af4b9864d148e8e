/** The first card of a campaign: how many posts of how many, how long it takes, what its rows wait for, its steps and its pace. */

import { isAllReady, type ShownCounts } from '../../../app/campaigns/post-status.ts';
import type { Throughput } from '../../../app/campaigns/progress/pace.ts';
import type { ProgressSummary } from '../../../app/campaigns/progress/reader.ts';
import type { StepCounts } from '../../../app/campaigns/progress/step-counts.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { DeliveryCounts } from '../../../ledger/rows/results.ts';
import { printable } from '../../../manifest/printable.ts';
import { capitalized, plural, thousands } from '../../../manifest/wording.ts';
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
import { estimateOf, heldList, nextPost, throughputFigure, turnText } from './progress.ts';
import { lane, tightOf } from './steps.ts';

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
    'campaign-held': heldList(request, progress),
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
  const queued = tightOf(progress, steps)?.queued ?? 0;
  // One figure for all that run, so that nothing moves with each call.
  const word = (each: ShownRowState) =>
    each === 'running' && queued * 2 > shown.running ? queuedWord : wordOf(each);
  const items = states.map(
    (each) =>
      html`<a href="${request.link(`/campaigns/${id}?state=${each}#rows`)}" data-state="${each}">${icon(iconOf(each))} <b>${thousands(shown[each])}</b> ${word(each)}</a> `,
  );
  const [lead, more] = outlook(request, seen);
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
  const { pace, turn, readyAt } = progress;
  const { unapproved } = campaign;
  if (isAllReady(campaign) && unapproved > 0)
    return [
      `${plural(unapproved, 'post')} for approval`,
      readyAt === undefined ? '' : `next post ${at(readyAt)}`,
    ];
  if (isAllReady(campaign) && readyAt !== undefined) {
    const waits = `${plural(counts.ready, 'post waits', 'posts wait')} for ${counts.ready === 1 ? 'its' : 'their'} day`;
    return [`Next ${at(readyAt)}`, waits];
  }
  if (turn) return [nextPost(turn), turnText(progress, turn)];
  if (pace === undefined) return [estimateOf(progress), ''];
  return [capitalized(timeLeft(pace)), endsBetween(pace, now, zone)];
}
