/** Starts a scrape that the workers carry out. */
import type { Scrape } from '../ledger/videos/scrapes.ts';
import { hint } from '../manifest/problems/hint.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { hasScrapeWorkers } from './schedule.ts';

export interface StartedScrape {
  readonly scrape: Scrape;
  /** False if one was running already. */
  readonly isNew: boolean;
  /** Whether a worker for scrapes is running. */
  readonly hasWorkers: boolean;
}

/**
 * @param campaign id: only its videos. Default: the whole list.
 * @throws {UseCaseError} `no_videos`.
 */
export async function startScrape(
  { ledger, queues }: Pick<Runtime, 'ledger' | 'queues'>,
  campaign?: string,
): Promise<StartedScrape> {
  if ((await ledger.videos.list.size(campaign)) === 0) {
    throw new UseCaseError('no_videos', 'there is no video to read', {
      cure: [hint('importVideos')],
    });
  }
  const { run, isNew } = await ledger.videos.scrapes.start('manual', { campaign });
  await queues.scrapes.wake(run);
  const [scrape, hasWorkers] = await Promise.all([ledger.videos.scrapes.find(run), hasScrapeWorkers(ledger)]);
  if (!scrape) throw new Error(`scrape ${run} has no record`);
  return { scrape, isNew, hasWorkers };
}
