/** `campaigns videos scrape`: looks up all videos now, in this process. */
import type { Command } from 'commander';
import { deliverNotifications } from '../../../campaigns/work-off.ts';
import type { Scrape } from '../../../ledger/videos/scrapes.ts';
import { describeScrape } from '../../../videos/describe.ts';
import { scrapeVideos } from '../../../videos/scrape.ts';
import { exitCodes } from '../../exit.ts';
import { listenForInterrupt } from '../../interrupt.ts';
import { createScrapeDisplay, printScrape } from '../../print/videos/scrapes.ts';
import { type CommonOptions, openSession, type Session } from '../../session.ts';

interface ScrapeFlags extends CommonOptions {
  readonly campaign?: string;
}

export function define(command: Command): Command {
  return command
    .option('--campaign <id>', 'look up only videos of this campaign')
    .addHelpText(
      'after',
      `
Each video gets one sample. Ctrl-C stops cleanly, and the next scrape goes on. Videos that no longer exist are asked for
a few more times (videos.gone.after), then no more; that is no failure.

Exit codes: 0 all looked up, 2 usage or settings, 3 some failed, 130 interrupted.

Example:
  campaigns videos scrape --campaign c1`,
    )
    .action(scrape);
}

async function scrape({ campaign, ...flags }: ScrapeFlags): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const ended = await scrapeVisibly(session, campaign);
  if (ended) await deliverNotifications(runtime, []);
  if (!ended) {
    output.document('videos scrape', { interrupted: true });
    output.say('Interrupted. Nothing is lost. Go on:\n  campaigns videos scrape');
    process.exitCode = exitCodes.interrupted;
    return;
  }
  const causes = await runtime.ledger.videos.scrapes.causes(ended.run);
  output.document('videos scrape', {
    ...describeScrape(ended),
    causes: causes.map((cause) => ({ ...cause, cure: cause.cure ?? null })),
  });
  printScrape(output, ended, causes);
  process.exitCode = ended.failed > 0 || ended.state === 'stopped' ? exitCodes.incomplete : exitCodes.ok;
}

async function scrapeVisibly({ runtime, output }: Session, campaign?: string): Promise<Scrape | undefined> {
  using interrupt = listenForInterrupt(runtime);
  const display = createScrapeDisplay(output);
  // Await here: this function listens for signals only until it returns.
  return await scrapeVideos(runtime, {
    campaign,
    signal: interrupt.signal,
    onProgress: display.show,
    onGoingOn: ({ run, campaign: of }) =>
      output.say(
        `Going on with scrape ${run}${of === undefined ? '' : ` of campaign ${of}`}, which was not finished.`,
      ),
  });
}
