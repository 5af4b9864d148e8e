/** The nightly scrape by workers: its schedule, and the last scrapes. */
import { isTimeZone } from '../api/contract/time-zone.ts';
import type { Scrape } from '../ledger/videos/scrapes.ts';
import { type Cron, nextTime, type ScrapeSchedule } from '../queues/scrape.ts';
import { toleratedMs } from '../redis/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';

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

export const usualPattern = '0 2 * * *';

/**
 * Sets the schedule, replacing an earlier one.
 * @param cron a pattern of five fields, or six with seconds; default zone: that of the settings, or else UTC.
 * @throws {UseCaseError} `schedule_invalid`.
 */
export async function setSchedule(
  { queues, settings, now }: Runtime,
  {
    pattern = usualPattern,
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
  const cure =
    'Write it as minute, hour, day, month and weekday, and the zone as an IANA name, for example "0 2 * * *" and Asia/Shanghai.';
  if (!isTimeZone(tz)) {
    throw new UseCaseError('schedule_invalid', `there is no time zone ${tz}`, { cure });
  }
  try {
    if (![5, 6].includes(pattern.trim().split(/\s+/).length)) throw new RangeError('it needs five fields');
    if (nextTime(now, { pattern, tz }) === undefined) throw new RangeError('it is never due');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UseCaseError('schedule_invalid', `"${pattern}" is not a schedule: ${why}`, { cure, cause });
  }
}
