/** Works on campaigns in this process until they have ended or are paused, or only follows them. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Campaign, isUnderWay } from '../../ledger/campaigns/campaign.ts';
import { plural } from '../../manifest/wording.ts';
import { notifyQueue } from '../../queues/campaign-jobs.ts';
import { unlessAborted, unlessLate } from '../runtime/patience.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { requireService } from '../runtime/service-connection.ts';
import { createWorkers } from '../runtime/workers.ts';
import { type CampaignRef, idOf, readCampaigns } from './find.ts';
import { isAllReady } from './post-status.ts';
import { type CampaignProgress, ProgressReader } from './progress/reader.ts';

/** Attempts to end leftover jobs. Jobs of a paused or snoozed queue do not end; the next worker ends them. */
const leftoverTries = 30;
const leftoverEveryMs = 100;
/** After an interrupt, Redis may take so long to answer. */
const lastLookMs = 5000;

export interface WorkOffOptions extends FollowOptions {
  /** Called on the signal, while running jobs finish. */
  readonly onDraining?: (() => void) | undefined;
}

/**
 * Works on campaigns in this process until they have ended or are paused, or their rows wait for their day.
 * @param campaigns those that are neither ended nor paused.
 * @returns the campaigns afterwards; undefined after an interrupt: nothing is lost, and another run continues.
 * @throws {UseCaseError} `clock_wrong`.
 */
export async function runUntilDone(
  runtime: Runtime,
  campaigns: readonly CampaignRef[],
  options: WorkOffOptions = {},
): Promise<readonly Campaign[] | undefined> {
  const { onDraining, signal = new AbortController().signal, ...follow } = options;
  const ids = campaigns.map(idOf);
  const { queues, redis } = runtime;
  const workers = await createWorkers(runtime, { isRun: true });
  for (const id of ids) await queues.wakeAdmission(id);
  await workers.start();
  try {
    await followCampaigns(runtime, ids, { ...follow, signal });
    if (signal.aborted) onDraining?.();
    else await endJobs(runtime, ids, signal);
  } finally {
    await workers.stop();
  }
  if (redis.gone.aborted) return undefined;
  // Read again: answers during the stop may have ended rows. If all rows ended, the interrupt came too late to matter.
  const looking = readCampaigns(runtime, ids);
  const worked = signal.aborted ? await unlessLate(looking, lastLookMs) : await looking;
  if (worked === undefined) return undefined;
  if (!(await isSomeAtWork(runtime, worked))) return worked;
  // Somebody retried a job on Bull Board just as the last row ended.
  return signal.aborted ? undefined : runUntilDone(runtime, ids, options);
}

/** A row may end while another of its jobs waits for its next attempt, which would stay until the next worker starts. */
async function endJobs(runtime: Runtime, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const ended = (await readCampaigns(runtime, ids)).filter(({ state }) => state === 'ended');
  for (const { id } of ended) {
    for (let tries = 0; tries < leftoverTries && (await runtime.queues.promoteDelayed(id)) > 0; tries += 1) {
      await wait(leftoverEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

/** The oldest first. @throws {UseCaseError} `service_not_configured`, `service_unreachable`; neither while there are none. */
export async function findUnfinished({ ledger, service }: Runtime) {
  const campaigns = await ledger.campaigns.list();
  const unfinished = campaigns.filter(({ state }) => state !== 'ended').toReversed();
  const [endedLast] = campaigns
    .filter(({ state }) => state === 'ended')
    .sort((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0));
  if (unfinished.length > 0) await requireService(await service.need());
  return { unfinished, endedLast };
}

/** How long receivers may take; the next run or worker delivers the rest. */
const withinMs = 10_000;
const lookEveryMs = 50;

/** Also those still collected for these campaigns: no process may run in ten minutes. @throws {UseCaseError} `settings_invalid` for a secret. */
export async function deliverNotifications(
  runtime: Runtime,
  campaigns: readonly CampaignRef[],
): Promise<void> {
  const { settings, ledger, redis, notify } = runtime;
  if (settings.notify.length === 0) return;
  await ledger.outbox.endGathering(campaigns.map(idOf));
  if ((await ledger.outbox.pending()) === 0) return;
  const workers = await createWorkers(runtime, { queues: [notifyQueue], isRun: true });
  await workers.start();
  const deadline = Date.now() + withinMs;
  let pending: number;
  try {
    pending = await ledger.outbox.pending();
    while (pending > 0 && Date.now() < deadline && !redis.gone.aborted) {
      await wait(lookEveryMs);
      pending = await ledger.outbox.pending();
    }
  } finally {
    await workers.stop(withinMs);
  }
  if (pending > 0)
    notify(`${plural(pending, 'notification')} not delivered yet; the next run or worker delivers the rest`);
}

/** Looks are frequent at first, then rarer, because small campaigns end within a moment. */
const firstLookMs = 20;
const followEveryMs = 250;
const growth = 1.5;

export interface FollowOptions {
  /** Ends only the following. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress of the first campaign under way, four times a second, and more often in the first second. */
  readonly onProgress?: ((progress: CampaignProgress) => void) | undefined;
  /** Measures the pace since its first look; a new one unless given. */
  readonly reader?: { read(campaign: Campaign): Promise<CampaignProgress> } | undefined;
}

/** Follows campaigns until none of them runs; changes nothing. @returns the campaigns once none of them runs; undefined when the signal came first. */
export async function followCampaigns(
  runtime: Runtime,
  campaigns: readonly CampaignRef[],
  options: FollowOptions = {},
): Promise<readonly Campaign[] | undefined> {
  const { signal = new AbortController().signal, onProgress, reader = new ProgressReader(runtime) } = options;
  for (let waitMs = firstLookMs; !signal.aborted; waitMs = Math.min(followEveryMs, waitMs * growth)) {
    const looking = look(runtime, campaigns, reader, onProgress);
    // Without Redis there is no answer, and an interrupt must not wait for one.
    looking.catch(() => undefined);
    const ended = await unlessAborted(looking, signal);
    if (ended) return ended;
    await wait(waitMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** A campaign is at work while its rows run, or could. */
async function isSomeAtWork({ ledger, now }: Runtime, campaigns: readonly Campaign[]): Promise<boolean> {
  const underWay = campaigns.filter(isUnderWay);
  if (!underWay.every(isAllReady)) return true;
  const next = await Promise.all(underWay.map(({ id }) => ledger.admission.readyAt(id)));
  return next.some((at) => at !== undefined && at <= now());
}

async function look(
  runtime: Runtime,
  refs: readonly CampaignRef[],
  reader: NonNullable<FollowOptions['reader']>,
  onProgress: FollowOptions['onProgress'],
): Promise<readonly Campaign[] | undefined> {
  const campaigns = await readCampaigns(runtime, refs);
  const current = campaigns.find(isUnderWay) ?? campaigns.at(-1);
  if (current && onProgress) onProgress(await reader.read(current));
  return (await isSomeAtWork(runtime, campaigns)) ? undefined : campaigns;
}
