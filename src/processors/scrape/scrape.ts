/** Runs a scrape: starts it by the schedule, queues its parts, and ends it. */
import { Semaphore, type SemaphoreInterface } from 'async-mutex';
import type { Job, Processor } from 'bullmq';
import { type Scrape, type StopReason, type TakenParts, videosPerPart } from '../../ledger/videos/scrapes.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { scrapeQueue } from '../../queues/campaign-jobs.ts';
import {
  nightJobName,
  type PartPayload,
  partPayload,
  scrapeJobName,
  scrapePayload,
} from '../../queues/scrape.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { jobProcessor } from '../runner/job.ts';
import { done, type JobOutcome } from '../runner/outcome.ts';
import { reportJob } from '../runner/report.ts';
import { LookUps } from './look-ups.ts';

/** How often the job of a scrape checks it. In between, each part queues the next ones. */
const lookEveryMs = 2000;
/** Milliseconds without progress after which it searches for missing jobs: three commands for each open part. A pause after a 429 lasts seconds. */
const reviveAfterMs = 30_000;

type Tools = Pick<ProcessorContext, 'ledger' | 'queues' | 'log'>;

/** The scheduled job: starts a scrape of the whole list, unless one still runs. */
async function startNight({ ledger, queues, log }: Tools, job: Job): Promise<JobOutcome> {
  const { run, isNew } = await ledger.videos.scrapes.start('scheduled', { origin: job.id });
  if (isNew) {
    log.info({ scrape: run }, 'scrape started');
    await (await queues.scrapes()).ensure(run);
  } else {
    const facts = { event: 'scrape.failed', scrape: run, code: 'scrape_overlap' };
    log.warn(facts, 'scrape skipped: the previous one is still running');
  }
  return done;
}

/** The job of a scrape. It ends when the scrape does. */
export async function superviseScrape(
  context: ProcessorContext,
  job: Job,
): Promise<{ readonly outcome: JobOutcome; readonly result?: ScrapeResult | undefined }> {
  const { ledger, queues, now } = context;
  const { run } = scrapePayload.parse(job.data);
  await supply(context, run, await ledger.videos.scrapes.takeParts(run));
  const scrape = await ledger.videos.scrapes.find(run);
  if (!scrape) return { outcome: done };
  const progress = resultOf(scrape);
  if (scrape.state !== 'running') {
    await job.updateProgress(progress);
    report(context, scrape);
    return { outcome: done, result: progress };
  }
  let since = unchangedSince(job, progress, now());
  // Without progress, jobs may be missing: lost in a crash, or failed or removed by hand.
  if (now() - since >= reviveAfterMs) {
    await (await queues.scrapes()).reviveParts(run, await ledger.videos.scrapes.openParts(run));
    since = now();
  }
  await job.updateProgress({ ...progress, unchangedSince: new Date(since).toISOString() });
  return { outcome: { kind: 'again', at: now() + lookEveryMs } };
}

/** Since when the job has seen this progress, or when it last looked for missing jobs: Unix epoch, milliseconds. */
function unchangedSince(job: Job, progress: ScrapeResult, now: number): number {
  const { unchangedSince: since, ...seen } = job.progress as Readonly<Record<string, unknown>>;
  if (JSON.stringify(seen) !== JSON.stringify(progress)) return now;
  // The clock of another machine may be ahead.
  return Math.min(Date.parse(String(since)) || now, now);
}

/** Queues the parts that were taken, and wakes the job of a scrape at its end. */
async function supply(
  { queues }: Pick<Tools, 'queues'>,
  run: number,
  { parts, hasEnded }: TakenParts,
): Promise<void> {
  await (await queues.scrapes()).addParts(run, parts);
  if (hasEnded) await (await queues.scrapes()).wake(run);
}

async function stopScrape({ ledger, queues, log }: Tools, run: number, reason: StopReason): Promise<void> {
  if (!(await ledger.videos.scrapes.stop(run, reason))) return;
  log.error({ scrape: run, code: reason.code }, 'scrape stopped');
  await (await queues.scrapes()).wake(run);
}

type ScrapeResult = Readonly<Record<string, string | number>>;

function resultOf(scrape: Scrape): ScrapeResult {
  const { state, startedAt, endedAt, total, done, failed, gone, skipped, reason } = scrape;
  const counts = { total, done, failed, gone, skipped };
  return {
    state,
    started: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { ended: new Date(endedAt).toISOString(), durationMs: endedAt - startedAt }),
    ...counts,
    ...(reason && { reason: reason.message }),
  };
}

function report({ log }: Tools, scrape: Scrape): void {
  const { run, state, total, done, failed, gone, reason } = scrape;
  const facts = { scrape: run, total, done, failed, gone, code: reason?.code };
  if (state === 'ended' && failed === 0) log.info(facts, 'scrape ended');
  else log.warn({ event: 'scrape.failed', ...facts }, 'scrape ended: not all videos were looked up');
}

/** Videos in running jobs for each concurrent look-up: while some jobs wait for a busy Redis, others look up. */
const videosPerSlot = 12;

/** Number of concurrent jobs of a worker, for a number of concurrent look-ups. */
export function scrapeJobsAtOnce(lookUps: number): number {
  return 1 + Math.ceil((lookUps * videosPerSlot) / videosPerPart);
}

export function scrapeProcessor(context: ProcessorContext): Processor {
  const slots = new Semaphore(context.settings.concurrency.scrape);
  return jobProcessor(context, scrapeQueue, async (running) => {
    const { job, signal } = running;
    if (job.name === nightJobName) return { outcome: await startNight(context, job) };
    const worked =
      job.name === scrapeJobName
        ? await superviseScrape(context, job)
        : { outcome: await scrapePart(context, slots, job, signal) };
    return { ...worked, report: () => reportJob(context, running, worked.outcome) };
  });
}

async function scrapePart(
  context: ProcessorContext,
  slots: SemaphoreInterface,
  job: Job,
  signal: AbortSignal | undefined,
): Promise<JobOutcome> {
  const payload = partPayload.parse(job.data);
  const { run, from, to } = payload;
  const { scrapes, history } = context.ledger.videos;
  const read = await scrapes.readPart(run, { from, to });
  if (read?.scrape.state !== 'running') return done;
  const { scrape } = read;
  // Those that their scrape has not looked up yet.
  const open = read.videos.filter((video) => video.scrape < run);
  await history.trim(open, Math.floor((context.now() - context.settings.videos.retention) / 1000));
  const wanted = open.filter((video) => isDue(context, scrape, video));
  const lookUps = new LookUps(context, { scrape, slots, signal, failures: payload.failures });
  const later = await lookUps.run(wanted);
  if (lookUps.stopReason) {
    await stopScrape(context, run, lookUps.stopReason);
    return done;
  }
  if (later.length > 0) {
    const failures = { ...payload.failures };
    for (const { id, at, hasFailed } of later) {
      if (hasFailed) failures[id] = { count: (failures[id]?.count ?? 0) + 1, next: at };
    }
    await job.updateData({ ...payload, failures } satisfies PartPayload);
    return { kind: 'again', at: Math.min(...later.map(({ at }) => at)) };
  }
  await supply(context, run, await scrapes.finishPart(run, from, open.length - wanted.length));
  return done;
}

/** A gone video is looked up at growing intervals, then no more. A scrape by hand looks it up at once. */
function isDue({ settings, now }: ProcessorContext, { kind }: Scrape, { gone }: WatchedVideo): boolean {
  if (!gone) return true;
  if (gone.answers >= settings.videos.gone.after) return false;
  return kind === 'manual' || gone.askAgainAt <= now();
}
