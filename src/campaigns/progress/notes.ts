/** Why a campaign does not go on, and what a person can do about it. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { WorkerPresence } from '../../ledger/presence.ts';
import type { UnreachableService } from '../../ledger/service/service-reach.ts';
import { type Hint, hint } from '../../manifest/problems/hint.ts';
import { describeDuration, describeRate, plural } from '../../runtime/wording.ts';
import type { CampaignProgress, Hold } from './reader.ts';
import {
  describePausedQueues,
  describeSilence,
  describeUnknownWorkers,
  describeUnreachable,
  describeWrongClock,
} from './workers.ts';

export interface Note {
  /** Subject of the note: it is shown again only when this changes. */
  readonly about: string;
  readonly text: string;
  readonly hints: readonly Hint[];
}

/** The most urgent first. */
export function notesOf(progress: CampaignProgress): readonly Note[] {
  const { campaign, heldBackBy, unreachable, pausedQueues } = progress;
  const isRunning = campaign.state === 'running';
  return [
    ...workerNotes(progress),
    ...(isRunning ? pausedQueueNotes(pausedQueues) : []),
    ...(isRunning ? unreachable.map(unreachableNote) : []),
    ...(isRunning ? heldBackBy.map(holdNote) : []),
    ...asleepNote(progress),
    ...reviewNote(progress),
  ];
}

function pausedQueueNotes(queues: CampaignProgress['pausedQueues']): readonly Note[] {
  const text = describePausedQueues(queues);
  return text === undefined ? [] : [{ about: text, text, hints: [] }];
}

function unreachableNote(service: UnreachableService): Note {
  return { about: `unreachable ${service.host}`, text: describeUnreachable(service), hints: [] };
}

function workerNotes({ campaign, workers, redisRefuses }: CampaignProgress): readonly Note[] {
  if (redisRefuses !== undefined)
    return [{ about: 'redis refuses', text: describeUnknownWorkers(redisRefuses), hints: [] }];
  return [
    ...(campaign.state === 'running' ? noWorkerNote(campaign, workers) : []),
    ...workers.filter(({ isAlive }) => !isAlive).map(silentNote),
    ...workers.flatMap(wrongClockNote),
  ];
}

function noWorkerNote({ counts }: Campaign, workers: readonly WorkerPresence[]): readonly Note[] {
  if (workers.some(({ isAlive }) => isAlive)) return [];
  const left = counts.waiting + counts.running;
  const text = `no worker is alive, and ${plural(left, 'row')} ${left === 1 ? 'waits' : 'wait'}`;
  return [{ about: 'no worker', text, hints: [hint('startWorker')] }];
}

function silentNote(worker: WorkerPresence): Note {
  return { about: `silent ${worker.id}`, text: describeSilence(worker), hints: [] };
}

function wrongClockNote(worker: WorkerPresence): readonly Note[] {
  const text = describeWrongClock(worker);
  return text === undefined ? [] : [{ about: `clock ${worker.id}`, text, hints: [] }];
}

function holdNote({ operation, perSecond, pausedMs, isThrottled }: Hold): Note {
  const rate = describeRate(perSecond);
  if (pausedMs > 0) {
    const text = `429 (too many requests): ${operation} pauses for ${describeDuration(pausedMs)}, then goes on at ${rate}`;
    return { about: `paused ${operation}`, text, hints: [] };
  }
  if (isThrottled) {
    const text = `held back by the rate limit of ${operation}, at ${rate} after a 429`;
    return { about: `throttled ${operation}`, text, hints: [] };
  }
  const text = `held back by the rate limit of ${operation}, ${rate}`;
  return { about: `held ${operation}`, text, hints: [hint('rate', { operation })] };
}

function asleepNote({ campaign }: CampaignProgress): readonly Note[] {
  if (campaign.asleep === 0) return [];
  const text = `${plural(campaign.asleep, 'row')} asleep until ${campaign.asleep === 1 ? 'its' : 'their'} generation is due (ai_exec_at), not counted in the estimate`;
  return [{ about: 'asleep', text, hints: [] }];
}

function reviewNote({ campaign }: CampaignProgress): readonly Note[] {
  const { review } = campaign.counts;
  if (review === 0) return [];
  const text = `${plural(review, 'row')} in review: a person must decide`;
  return [{ about: 'review', text, hints: [hint('show', { campaign: campaign.id })] }];
}
