/** One scrape, and why videos failed. */
import type { Scrape, ScrapeCause } from '../ledger/videos/scrapes.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';

/** @param given number of the run, as typed. @throws {UseCaseError} `scrape_not_found`. */
export async function showScrape(
  { ledger }: Pick<Runtime, 'ledger'>,
  given: string,
): Promise<{ readonly scrape: Scrape; readonly causes: readonly ScrapeCause[] }> {
  const run = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  const scrape = run === 0 ? undefined : await ledger.videos.scrapes.find(run);
  if (!scrape) {
    throw new UseCaseError('scrape_not_found', `there is no scrape ${given.slice(0, 40)}`, {
      cure: 'Only the last 100 are kept.',
    });
  }
  return { scrape, causes: await ledger.videos.scrapes.causes(run) };
}
