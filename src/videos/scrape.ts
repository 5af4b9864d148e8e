/** Scrapes: by the workers or in this process, what came of them, and the schedule of the nightly one. */
import { setTimeout as wait } from 'node:timers/promises';
import { isTimeZone } from '../api/contract/time-zone.ts';
import type { Scrape, ScrapeCause } from '../ledger/videos/scrapes.ts';
import { presentable } from '../manifest/presentable.ts';
import { hint } from '../manifest/problems/hint.ts';
import { type Cron, nextTime, type ScrapeSchedule } from '../queues/scrape.ts';
import { toleratedMs } from '../redis/clock.ts';
import { unlessAborted, unlessLate } from '../runtime/patience.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { requireAccounts } from '../runtime/service/accounts.ts';
import { requireService } from '../runtime/service/errors.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { createWorkers, drainMs, requireCurrent } from '../runtime/workers.ts';

/**
 * Starts a scrape that the workers carry out.
 * @param campaign id: only its videos. Default: the whole list.
 * @returns `isNew`: false if one was running already. `hasWorkers`: whether a worker for scrapes is running.
 * @throws {UseCaseError} `no_videos`.
 */
export async function startScrape({ ledger, queues }: Pick<Runtime, 'ledger' | 'queues'>, campaign?: string) {
  if ((await ledger.videos.list.size(campaign)) === 0) {
    throw new UseCaseError('no_videos', 'there is no video to update', {
      cure: [hint('importVideos')],
    });
  }
  const { run, isNew } = await ledger.videos.scrapes.start('manual', { campaign });
  await queues.scrapes.wake(run);
  const [scrape, hasWorkers] = await Promise.all([ledger.videos.scrapes.find(run), hasScrapeWorkers(ledger)]);
  if (!scrape) throw new Error(`scrape ${run} has no record`);
  return { scrape, isNew, hasWorkers };
}

/** One scrape, and why videos failed. @param given number of the run, as typed. @throws {UseCaseError} `scrape_not_found`. */
export async function showScrape(
  { ledger }: Pick<Runtime, 'ledger'>,
  given: string,
): Promise<{ readonly scrape: Scrape; readonly causes: readonly ScrapeCause[] }> {
  const run = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  const scrape = run === 0 ? undefined : await ledger.videos.scrapes.find(run);
  if (!scrape) {
    throw new UseCaseError('scrape_not_found', `there is no update ${given.slice(0, 40)}`, {
      cure: 'Only the last 100 are kept.',
    });
  }
  return { scrape, causes: await ledger.videos.scrapes.causes(run) };
}

/** Why videos failed in the last scrapes, by the number of the scrape. */
export async function readScrapeCauses(
  { ledger }: Pick<Runtime, 'ledger'>,
  scrapes: readonly Scrape[],
): Promise<ReadonlyMap<number, readonly ScrapeCause[]>> {
  const failed = scrapes.filter((scrape) => scrape.failed > 0);
  const causes = await Promise.all(
    failed.map(async ({ run }) => [run, await ledger.videos.scrapes.causes(run)] as const),
  );
  return new Map(causes);
}

/** Options of `scrapeVideos`. */
export interface ScrapeOptions {
  /** Only videos of this campaign. */
  readonly campaign?: string | undefined;
  /** Stops the work; a later scrape continues it. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((scrape: Scrape) => void) | undefined;
  /** Called if an unfinished scrape was found and is continued. */
  readonly onGoingOn?: ((scrape: Scrape) => void) | undefined;
}

const lookEveryMs = 100;
/** So long Redis may take for the last look, in milliseconds. */
const lastLookMs = 10_000;

/**
 * Continues an unfinished scrape, or starts one. An unfinished scrape of other videos is finished first.
 * @returns the scrape at its end; undefined if interrupted.
 * @throws {UseCaseError} `account_incomplete`, `service_unreachable`, `clock_wrong`, `ledger_format`.
 */
export async function scrapeVideos(
  runtime: Runtime,
  options: ScrapeOptions = {},
): Promise<Scrape | undefined> {
  const { ledger, accounts, redis } = runtime;
  requireAccounts(accounts);
  const [first] = accounts.names;
  if (first !== undefined) await requireService(accounts.need(first));
  const workers = await createWorkers(runtime, { queues: ['scrape'], isRun: true });
  await workers.start();
  const signal = AbortSignal.any([...(options.signal ? [options.signal] : []), workers.outdated]);
  let scrape: Scrape | undefined;
  try {
    for (let isOurs = false; !isOurs && !signal.aborted; ) {
      const { run, isNew } = await ledger.videos.scrapes.start('manual', { campaign: options.campaign });
      const started = await ledger.videos.scrapes.find(run);
      isOurs = isNew || started?.campaign === options.campaign;
      if (started && !isNew) options.onGoingOn?.(started);
      await runtime.queues.scrapes.wake(run);
      scrape = await follow(runtime, run, { ...options, signal });
    }
  } finally {
    // Without Redis, running jobs cannot record their end.
    await workers.stop(redis.gone.aborted ? 0 : drainMs);
  }
  if (redis.gone.aborted) return undefined;
  requireCurrent(workers);
  // Answers during the stop may have ended it.
  const last = scrape && (await unlessLate(ledger.videos.scrapes.find(scrape.run), lastLookMs));
  return last?.state === 'running' ? undefined : last;
}

async function follow(
  { ledger }: Runtime,
  run: number,
  { signal, onProgress }: ScrapeOptions & { readonly signal: AbortSignal },
): Promise<Scrape | undefined> {
  for (let last: Scrape | undefined; ; ) {
    const looking = ledger.videos.scrapes.find(run);
    // An interrupt must not wait for a Redis that is silent.
    looking.catch(() => undefined);
    const scrape = await unlessAborted(looking, signal);
    if (!scrape) return signal.aborted ? last : undefined;
    last = scrape;
    onProgress?.(scrape);
    if (scrape.state !== 'running' || signal.aborted) return scrape;
    await wait(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The schedule of the nightly scrape, and the last scrapes. */
export interface ShownSchedule {
  /** Undefined: nothing is scheduled. */
  readonly schedule: ScrapeSchedule | undefined;
  readonly scrapes: readonly Scrape[];
  /** Whether a worker for scheduled jobs is running. */
  readonly hasWorkers: boolean;
}

const shownScrapes = 10;

/** Shows the schedule of the nightly scrape, and the last scrapes. */
export async function showSchedule({
  ledger,
  queues,
}: Pick<Runtime, 'ledger' | 'queues'>): Promise<ShownSchedule> {
  const [schedule, scrapes, hasWorkers] = await Promise.all([
    queues.scrapes.scheduled(),
    ledger.videos.scrapes.list(shownScrapes),
    hasScrapeWorkers(ledger),
  ]);
  return { schedule, scrapes, hasWorkers };
}

/**
 * When the figures of all videos are, or were, to be brought up to date next. A scrape that has not begun, still runs or was stopped
 * leaves it in the past, so it tells for how long they have been old: by any schedule, and even if no scrape has ever ended.
 * @returns Unix epoch, milliseconds; undefined without a schedule.
 */
export function dueSince({
  schedule,
  scrapes,
}: Pick<ShownSchedule, 'schedule' | 'scrapes'>): number | undefined {
  // What ran before a new schedule was not due by it.
  if (!schedule?.hasRun) return schedule?.next;
  const ofAll = scrapes.filter(({ campaign }) => campaign === undefined);
  const ended = ofAll.find(({ state }) => state === 'ended');
  // A worker whose clock is a little ahead begins a night early.
  if (ended) return nextTime(ended.startedAt + toleratedMs, schedule);
  return ofAll.at(-1)?.startedAt ?? schedule.next;
}

/** Whether a worker for scrapes is running, as far as known. */
export async function hasScrapeWorkers({ presence, findRefusal }: Runtime['ledger']): Promise<boolean> {
  const workers = (await presence.workers()).filter(({ queues }) => queues.includes('scrape'));
  if (workers.some(({ isAlive }) => isAlive)) return true;
  // Without heartbeats nobody knows.
  return workers.length > 0 && (await findRefusal()) !== undefined;
}

/** Every night at this time. */
export const usualTime = '02:00';

const timeOfDay = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const daily = /^([0-5]?\d) ([01]?\d|2[0-3]) \* \* \*$/;

/** The pattern of "every night at". @param time `03:00`. @throws {UseCaseError} `schedule_invalid`. */
export function nightlyAt(time: string): string {
  const [, hour, minute] = timeOfDay.exec(time.trim()) ?? [];
  if (hour !== undefined && minute !== undefined) return `${Number(minute)} ${Number(hour)} * * *`;
  throw new UseCaseError('schedule_invalid', `"${time}" is not a time of day`, {
    cure: 'Write it as hours and minutes, for example 03:00.',
  });
}

/** The time of a pattern that is "every night at"; undefined for any other. */
export function timeOfNightly(pattern: string): string | undefined {
  const [, minute, hour] = daily.exec(pattern.trim()) ?? [];
  return minute && hour && `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

/**
 * Sets the schedule, replacing an earlier one.
 * @param cron a pattern of five fields, or six with seconds; default zone: that of the settings, or else UTC.
 * @throws {UseCaseError} `schedule_invalid`.
 */
export async function setSchedule(
  { queues, settings, now }: Runtime,
  {
    pattern = nightlyAt(usualTime),
    tz = settings.timezone ?? 'UTC',
  }: { readonly [Key in keyof Cron]?: string | undefined } = {},
): Promise<void> {
  const cron = { pattern, tz };
  requireCron(cron, now());
  await queues.scrapes.schedule(cron);
}

/** Ends the nightly scrape. @returns whether there was a schedule. */
export function removeSchedule({ queues }: Pick<Runtime, 'queues'>): Promise<boolean> {
  return queues.scrapes.unschedule();
}

/** @throws {UseCaseError} `schedule_invalid`. */
function requireCron({ pattern, tz }: Cron, now: number): void {
  if (!isTimeZone(tz)) {
    const cure = 'Write it as an IANA name, for example Asia/Shanghai.';
    throw new UseCaseError('schedule_invalid', `there is no time zone ${tz}`, { cure });
  }
  const cure =
    'Write it as minute, hour, day, month and weekday, for example "0 2 * * *" for every night at 02:00.';
  const why = faultOf(pattern.trim().split(/\s+/), (fields) => isDue(fields.join(' '), tz, now));
  if (why === undefined) return;
  throw new UseCaseError('schedule_invalid', `"${pattern}" is not a schedule: ${why}`, { cure });
}

function isDue(pattern: string, tz: string, now: number): boolean {
  try {
    return nextTime(now, { pattern, tz }) !== undefined;
  } catch {
    return false;
  }
}

/** The fields of a pattern, and what may stand in them. */
const cronFields = [
  ['second', '0 to 59'],
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day', '1 to 31'],
  ['month', '1 to 12, or JAN to DEC'],
  ['weekday', '0 to 7, or SUN to SAT'],
] as const;

/** What is wrong with a pattern: the field that cannot be read even alone. */
function faultOf(
  fields: readonly string[],
  isRead: (fields: readonly string[]) => boolean,
): string | undefined {
  if (fields.length !== 5 && fields.length !== 6) return 'it needs five fields';
  if (isRead(fields)) return undefined;
  const named = cronFields.slice(-fields.length);
  const wrong = fields.findIndex(
    (text, index) => !isRead(fields.map((_other, at) => (at === index ? text : '*'))),
  );
  const [name, allowed] = named[wrong] ?? [];
  if (name === undefined) return 'no day has such a date';
  return `its ${name} is "${presentable(fields[wrong] ?? '')}"; it may be ${allowed}, lists such as 1,3, and *`;
}
