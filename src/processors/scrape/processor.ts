/** The processor of the queue `scrape`. */
import type { Processor } from 'bullmq';
import { videosPerPart } from '../../ledger/videos/scrapes.ts';
import { nightJobName, scrapeJobName, scrapeQueue } from '../../queues/scrape.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { jobProcessor } from '../runner/job.ts';
import { reportJob } from '../runner/report.ts';
import { scrapePart } from './part.ts';
import { startNight, superviseScrape } from './scrape.ts';
import { Slots } from './slots.ts';

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
