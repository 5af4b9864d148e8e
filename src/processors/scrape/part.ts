/** A part of a scrape: up to 50 videos. The job runs again for those that must wait, until each has its outcome. */
import type { Job } from 'bullmq';
import { chunksNeeded } from '../../ledger/videos/growth.ts';
import { oldChunks, trimHistory } from '../../ledger/videos/next-sample.ts';
import type { PartOfScrape, Scrape } from '../../ledger/videos/scrapes.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { type PartPayload, partPayload } from '../../queues/scrape.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { done, type JobOutcome } from '../frame/outcome.ts';
import { LookUps } from './look-ups.ts';
import type { ReadVideo } from './look-writer.ts';
import { stopScrape, supply } from './scrape.ts';
import type { Slots } from './slots.ts';

export async function scrapePart(
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
  const later = await lookUps.run(await withChunks(context, wanted));
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

/** Reads the chunks for the time now. An answer comes seconds later, and rarely needs another chunk. */
async function withChunks(
  { ledger: { videos }, now }: ProcessorContext,
  some: readonly WatchedVideo[],
): Promise<readonly ReadVideo[]> {
  const at = Math.floor(now() / 1000);
  const chunks = await videos.history.chunks(
    some.map((video) => ({ id: video.id, starts: chunksNeeded(video, at) })),
  );
  return some.map((video, index) => ({ video, chunks: chunks[index] ?? new Map() }));
}
