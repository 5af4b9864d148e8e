/** Scrapes: by the workers or in this process, and what came of them. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Scrape, ScrapeCause } from '../../ledger/videos/scrapes.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { unlessAborted, unlessLate } from '../runtime/patience.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { requireService } from '../runtime/service-connection.ts';
import { createWorkers } from '../runtime/workers.ts';

/** For the workers. @param campaign id; default: the whole list. @returns `isNew`: false if one ran. @throws {UseCaseError} `no_videos`. */
export async function startScrape({ ledger, queues }: Pick<Runtime, 'ledger' | 'queues'>, campaign?: string) {
  if ((await ledger.videos.list.size(campaign)) === 0) {
    throw new UseCaseError('no_videos', 'there is no video to update', { fix: [hint('importVideos')] });
  }
  const { run, isNew } = await ledger.videos.scrapes.start('manual', { campaign });
  await (await queues.scrapes()).wake(run);
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
      fix: 'Only the last 100 are kept.',
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
  const causes = failed.map(async ({ run }) => [run, await ledger.videos.scrapes.causes(run)] as const);
  return new Map(await Promise.all(causes));
}

export interface ScrapeOptions {
  readonly campaign?: string | undefined;
  /** Stops the work; a later scrape continues it. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((scrape: Scrape) => void) | undefined;
  /** Called if an unfinished scrape was found and is continued. */
  readonly onGoingOn?: ((scrape: Scrape) => void) | undefined;
  readonly onStarted?: ((scrape: Scrape) => Promise<void>) | undefined;
}

const lookEveryMs = 100;
/** So long Redis may take for the last look, in milliseconds. */
const lastLookMs = 10_000;

/** Continues or starts one. @returns undefined if interrupted. @throws {UseCaseError} `service_*`, `clock_wrong`. */
export async function scrapeVideos(
  runtime: Runtime,
  options: ScrapeOptions = {},
): Promise<Scrape | undefined> {
  const { ledger, service, redis } = runtime;
  const { signal = new AbortController().signal } = options;
  await requireService(await service.need());
  const workers = await createWorkers(runtime, { queues: ['scrape'], isRun: true });
  await workers.start();
  let scrape: Scrape | undefined;
  try {
    for (let isOurs = false; !isOurs && !signal.aborted; ) {
      const { run, isNew } = await ledger.videos.scrapes.start('manual', { campaign: options.campaign });
      const started = await ledger.videos.scrapes.find(run);
      isOurs = isNew || started?.campaign === options.campaign;
      if (started && isNew) await options.onStarted?.(started);
      else if (started) options.onGoingOn?.(started);
      await (await runtime.queues.scrapes()).wake(run);
      scrape = await follow(runtime, run, { ...options, signal });
    }
  } finally {
    await workers.stop();
  }
  if (redis.gone.aborted) return undefined;
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

/** Whether a worker for scrapes is running, as far as known. */
export async function hasScrapeWorkers({ presence, findRefusal }: Runtime['ledger']): Promise<boolean> {
  const workers = (await presence.workers()).filter(({ queues }) => queues.includes('scrape'));
  if (workers.some(({ isAlive }) => isAlive)) return true;
  // Without heartbeats nobody knows.
  return workers.length > 0 && (await findRefusal()) !== undefined;
}
