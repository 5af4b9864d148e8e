/** The processor of the queue `scrape`. A part of a scrape has up to 50 videos; its job runs again for those that must wait, until each has its outcome. */
import type { Job, Processor } from 'bullmq';
import { oldChunks, trimHistory } from '../../ledger/videos/next-sample.ts';
import { type PartOfScrape, type Scrape, videosPerPart } from '../../ledger/videos/scrapes.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import {
  nightJobName,
  type PartPayload,
  partPayload,
  scrapeJobName,
  scrapeQueue,
} from '../../queues/scrape.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { jobProcessor } from '../runner/job.ts';
import { done, type JobOutcome } from '../runner/outcome.ts';
import { reportJob } from '../runner/report.ts';
import { LookUps, Slots } from './look-ups.ts';
import { withChunks } from './look-writer.ts';
import { startNight, stopScrape, superviseScrape, supply } from './scrape.ts';

/** Videos in running jobs for each concurrent look-up: while some jobs wait for a busy Redis, others look up. */
const videosPerSlot = 12;

/** Number of concurrent jobs of a worker, for a number of concurrent look-ups. */
export function scrapeJobsAtOnce(lookUps: number): number {
  return 2 + Math.ceil((lookUps * videosPerSlot) / videosPerPart);
}

export function scrapeProcessor(context: ProcessorContext): Processor {
  const slots = new Slots(context.settings.concurrency.scrape);
  return jobProcessor(context, scrapeQueue, async (at) => {
    const { job, signal } = at;
    if (job.name === nightJobName) return { outcome: await startNight(context, job) };
    const worked =
      job.name === scrapeJobName
        ? await superviseScrape(context, job)
        : { outcome: await scrapePart(context, slots, job, signal) };
    return { ...worked, report: () => reportJob(context, at, worked.outcome) };
  });
}

async function scrapePart(
  context: ProcessorContext,
  slots: Slots,
  job: Job,
  signal: AbortSignal | undefined,
): Promise<JobOutcome> {
  const payload = partPayload.parse(job.data);
  const { run, from, to } = payload;
  const { scrapes } = context.ledger.videos;
  let read = await scrapes.readPart(run, { from, to });
  if (read && (await dropOld(context, openOf(read)))) read = await scrapes.readPart(run, { from, to });
  if (read?.scrape.state !== 'running') return done;
  const { scrape } = read;
  const open = openOf(read);
  const wanted = open.filter((video) => isDue(context, scrape, video));
  const lookUps = new LookUps(context, { scrape, slots, signal, failures: payload.failures });
  // For the time now: an answer comes seconds later, and rarely needs another chunk.
  const at = Math.floor(context.now() / 1000);
  const empty = wanted.map((video) => ({ video, chunks: new Map<number, Buffer>() }));
  const later = await lookUps.run(await withChunks(context.ledger, empty, () => at));
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

/** Videos that their scrape has not looked up yet. */
function openOf({ scrape, videos }: PartOfScrape): readonly WatchedVideo[] {
  return videos.filter((video) => video.scrape < scrape.run);
}

/** A gone video is looked up at growing intervals, then no more. A scrape by hand looks it up at once. */
function isDue({ settings, now }: ProcessorContext, { kind }: Scrape, { gone }: WatchedVideo): boolean {
  if (!gone) return true;
  if (gone.answers >= settings.videos.gone.after) return false;
  return kind === 'manual' || gone.askAgainAt <= now();
}

/** Drops samples that are older than the retention. @returns whether there were any. */
async function dropOld(
  { ledger: { videos }, settings, now }: ProcessorContext,
  some: readonly WatchedVideo[],
): Promise<boolean> {
  const cutoff = Math.floor((now() - settings.videos.retention) / 1000);
  const old = some.filter((video) => oldChunks(video, cutoff).length > 0);
  if (old.length === 0) return false;
  const chunks = await videos.history.chunks(
    old.map((video) => ({ id: video.id, starts: oldChunks(video, cutoff) })),
  );
  await Promise.all(
    old.map(async (video, index) => {
      const trimmed = trimHistory(video, chunks[index] ?? new Map(), cutoff);
      if (trimmed) await videos.history.trim(video, trimmed);
    }),
  );
  return true;
}
