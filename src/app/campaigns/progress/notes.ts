/** Why a campaign does not go on, and what a person can do about it. */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { WorkerPresence } from '../../../ledger/presence.ts';
import type { UnreachableService } from '../../../ledger/service/service-reach.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { type FixPart, type Hint, hint } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import {
  describeClock,
  describeDuration,
  describeRate,
  plural,
  sentence,
} from '../../../manifest/wording.ts';
import type { QueueName } from '../../../queues/queues.ts';
import type { Document } from '../../runtime/documents.ts';
import { describeDue } from '../post-status.ts';
import { unreachableDocument, workersDocument } from '../queues.ts';
import type { CampaignProgress, Hold, progressSchema } from './reader.ts';

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
    ...(isRunning ? rateNotes(heldBackBy) : []),
    ...asleepNote(progress),
    ...reviewNote(progress),
  ];
}

/** @param key in Redis of a campaign that cannot be read. */
export function unreadableNote(key: string): Note {
  const text = `a campaign cannot be read, and its rows are left alone: the key ${key} in Redis holds something else. Find out which program writes there, and restore the key from a backup`;
  return { about: `unreadable ${key}`, text, hints: [] };
}

function pausedQueueNotes(queues: CampaignProgress['pausedQueues']): readonly Note[] {
  const text = describePausedQueues(queues);
  return text === undefined ? [] : [{ about: text, text, hints: [] }];
}

function unreachableNote(service: UnreachableService): Note {
  return { about: `unreachable ${service.host}`, text: describeUnreachable(service), hints: [] };
}

function workerNotes(progress: CampaignProgress): readonly Note[] {
  const { campaign, workers, redisRefuses } = progress;
  if (redisRefuses !== undefined)
    return [{ about: 'redis refuses', text: describeUnknownWorkers(redisRefuses), hints: [] }];
  return [
    ...(campaign.state === 'running' ? noWorkerNote(progress) : []),
    ...workers.filter(({ isAlive }) => !isAlive).map(silentNote),
  ];
}

function noWorkerNote({ workers, due }: CampaignProgress): readonly Note[] {
  const rows = describeDue(due);
  if (rows === '' || workers.some(({ isAlive }) => isAlive)) return [];
  return [{ about: 'no worker', text: `no worker is alive, and ${rows}`, hints: [hint('startWorker')] }];
}

function silentNote(worker: WorkerPresence): Note {
  return { about: `silent ${worker.id}`, text: describeSilence(worker), hints: [] };
}

/** Rate limits that are used up share one note: it is new when another one is the first. */
function rateNotes(holds: readonly Hold[]): readonly Note[] {
  const lowered = holds.filter(({ pausedMs, isThrottled }) => pausedMs > 0 || isThrottled).map(loweredNote);
  const full = holds.filter(({ pausedMs, isThrottled }) => pausedMs === 0 && !isThrottled);
  const [first] = full;
  if (first === undefined) return lowered;
  const { operation } = first;
  const rates = full.map((hold) => `${hold.operation}, ${describeRate(hold.perSecond)}`);
  const text = `rate-limited: ${rates.join('; ')}`;
  return [...lowered, { about: `held ${operation}`, text, hints: [hint('rate', { operation })] }];
}

/** After a 429. */
function loweredNote({ operation, perSecond, pausedMs }: Hold): Note {
  const rate = describeRate(perSecond);
  if (pausedMs > 0) {
    const text = `429 (too many requests): ${operation} pauses for ${describeDuration(pausedMs)}, then continues at ${rate}`;
    return { about: `paused ${operation}`, text, hints: [] };
  }
  const text = `rate-limited: ${operation}, ${rate} after a 429`;
  return { about: `throttled ${operation}`, text, hints: [] };
}

function asleepNote({ campaign }: CampaignProgress): readonly Note[] {
  if (campaign.asleep === 0) return [];
  const text = `${plural(campaign.asleep, 'row')} ${campaign.asleep === 1 ? 'waits until its' : 'wait until their'} generation is due (ai_exec_at); the estimate leaves ${campaign.asleep === 1 ? 'it' : 'them'} out`;
  return [{ about: 'asleep', text, hints: [] }];
}

function reviewNote({ campaign }: CampaignProgress): readonly Note[] {
  const { review } = campaign.counts;
  if (review === 0) return [];
  const text = `${plural(review, 'row')} in review: a person must decide`;
  return [{ about: 'review', text, hints: [hint('show', { campaign: campaign.id })] }];
}

/** @param why as `redisRefuses`. */
export function describeUnknownWorkers(why: string): string {
  return `Redis takes no writes (${why}): nothing is sent until it does, and it is unknown which workers are alive`;
}

/** Describes a worker without recent heartbeats that did not stop normally. */
export function describeSilence({ host, pid, seenMsAgo }: WorkerPresence): string {
  return `worker ${host}:${pid} went silent ${describeDuration(seenMsAgo)} ago: check that machine`;
}

/** What becomes of the jobs of a silent worker. */
export function describeLeftJobs(workers: readonly WorkerPresence[]): string {
  return workers.some(({ isAlive }) => isAlive)
    ? 'Other workers take over its jobs; nothing is lost.'
    : 'Its jobs wait for another worker; nothing is lost.';
}

/** Describes a worker that takes no jobs because its clock is wrong; undefined for any other. */
export function describeWrongClock({ host, pid, isAlive, clockAheadMs }: WorkerPresence): string | undefined {
  if (!isAlive || clockAheadMs === undefined) return undefined;
  return `worker ${host}:${pid} takes no jobs: its clock is ${describeClock(clockAheadMs)}`;
}

export function describeUnreachable({ host, reason, since, at }: UnreachableService): string {
  const long = at > since ? ` for ${describeDuration(at - since)}` : '';
  return `the service does not answer ${host}${long}: ${sentence(reason)} Unsent rows wait, and use no attempts`;
}

/** @param queues queues that somebody paused. @returns undefined for none. */
export function describePausedQueues(queues: readonly QueueName[]): string | undefined {
  if (queues.length === 0) return undefined;
  const subject = queues.length === 1 ? `queue ${queues[0]} is` : `queues ${queues.join(', ')} are`;
  return `${subject} paused for all campaigns: resume on the page Queues of the console`;
}

/** @param rows running rows that stay without a live job. */
export function describeLostJobs(campaign: string, rows: number): string | undefined {
  if (rows === 0) return undefined;
  const [those, their] = rows === 1 ? ['row', 'its'] : ['rows', 'their'];
  return `${rows} running ${those} of ${campaign} lost ${their} jobs, and new jobs did not help: see the logs of the workers`;
}

export function progressDocument(progress: CampaignProgress): Document<typeof progressSchema> {
  const { ended, steps, pace, heldBackBy, unreachable, pausedQueues, campaign } = progress;
  return {
    ended,
    asleep: campaign.asleep,
    steps,
    rowsPerMinute: pace?.rowsPerMinute ?? null,
    remainingMs: pace ? { least: pace.remaining.least, most: pace.remaining.most ?? null } : null,
    heldBackBy,
    unreachable: unreachable.map(unreachableDocument),
    pausedQueues,
    ...workersDocument(progress),
    notes: notesOf(progress).map(({ text }) => text),
  };
}

/** @throws {UseCaseError} `campaign_cancelled`. */
export function refuseCancelled(campaign: Campaign): void {
  if (campaign.cancelledAt === undefined) return;
  const problem = `campaign ${campaign.id} was cancelled: its rows are not resent`;
  throw new UseCaseError('campaign_cancelled', problem, { fix: rowsAnew(campaign) });
}

/** How to post rows of a cancelled campaign. @returns undefined if there are none. */
export function rowsAnew(campaign: Campaign): readonly FixPart[] | undefined {
  const { id, counts, mediaRoot, timezone, map, header } = campaign;
  const states = (['cancelled', 'failed'] as const).filter((state) => counts[state] > 0);
  if (states.length === 0) return undefined;
  const edit = counts.failed > 0 ? ', fix what failed' : '';
  const headers = new Set(header.map(foldHeader));
  return [
    `Its ${states.join(' and ')} rows can be posted as a new campaign. ` +
      `Write them to a sheet, remove its column \`campaign\`${edit}, and import it.`,
    hint('rowsAnew', {
      campaign: id,
      states,
      mediaRoot,
      timezone,
      // The sheet may be in another folder than the manifest, and has its headers.
      map: Object.fromEntries([...map].filter(([name]) => headers.has(foldHeader(name)))),
    }),
  ];
}
