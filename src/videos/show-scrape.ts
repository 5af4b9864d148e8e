/** One scrape, and why videos failed. */
import type { Scrape, ScrapeCause } from '../ledger/videos/scrapes.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';

/** @throws {UseCaseError} `scrape_not_found`. */
export async function showScrape(
  { ledger }: Pick<Runtime, 'ledger'>,
  run: number,
): Promise<{ readonly scrape: Scrape; readonly causes: readonly ScrapeCause[] }> {
  const scrape = await ledger.videos.scrapes.find(run);
  if (!scrape) {
    throw new UseCaseError('scrape_not_found', `there is no scrape ${run}`, {
      cure: 'Only the last 100 are kept.',
    });
  }
  return { scrape, causes: await ledger.videos.scrapes.causes(run) };
}
