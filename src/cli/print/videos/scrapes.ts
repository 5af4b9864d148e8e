/** Scrapes in words: progress, result, and why videos failed. */
import type { Scrape, ScrapeCause } from '../../../ledger/videos/scrapes.ts';
import { describeDuration, plural, sentence } from '../../../runtime/wording.ts';
import type { Output } from '../output.ts';
import { columnsOf, redraw } from '../terminal.ts';

const plainEveryMs = 5000;

export interface ScrapeDisplay {
  readonly show: (scrape: Scrape) => void;
}

/** Redrawn in place on a terminal, otherwise a plain line now and then. */
export function createScrapeDisplay(output: Output, now: () => number = Date.now): ScrapeDisplay {
  const isLive = columnsOf('stderr') !== undefined && !output.json;
  let drawn = 0;
  let last = Number.NEGATIVE_INFINITY;
  let lastText = '';
  return {
    show(scrape) {
      const text = `scrape ${scrape.run}: ${describeProgress(scrape)}`;
      if (isLive) {
        redraw([text], drawn);
        drawn = 1;
      } else if (text !== lastText && now() - last >= plainEveryMs) {
        output.say(text);
        last = now();
        lastText = text;
      }
    },
  };
}

/** `120/1,000 videos, 2 failed, 1 gone` */
function describeProgress({ total, done, failed, gone, skipped }: Scrape): string {
  const ended = done + failed + gone + skipped;
  const parts = [
    `${ended.toLocaleString('en')}/${plural(total, 'video')}`,
    ...(failed > 0 ? [`${failed.toLocaleString('en')} failed`] : []),
    ...(gone > 0 ? [`${gone.toLocaleString('en')} gone`] : []),
  ];
  return parts.join(', ');
}

export function printScrape(output: Output, scrape: Scrape, causes: readonly ScrapeCause[]): void {
  const { run, state, campaign, total, done, failed, gone, skipped, startedAt, endedAt, reason } = scrape;
  if (total === 0) {
    const whose = campaign === undefined ? '' : ` of the campaign ${campaign}`;
    output.print(`No videos${whose} on the list. Put some onto it:\n  campaigns videos import FILE`);
    return;
  }
  const parts = [
    plural(done, 'video'),
    ...(failed > 0 ? [output.paint('red', `${failed.toLocaleString('en')} failed`)] : []),
    ...(gone > 0 ? [`${gone.toLocaleString('en')} gone`] : []),
    ...(skipped > 0 ? [`${skipped.toLocaleString('en')} gone and not asked for`] : []),
  ];
  const took = endedAt === undefined ? '' : ` in ${describeDuration(endedAt - startedAt)}`;
  output.print(
    `Scrape ${run} ${state === 'stopped' ? 'was stopped' : 'has ended'}${took}: ${parts.join(', ')}.`,
  );
  if (reason) output.printText('  ', `${sentence(reason.message)} ${reason.cure ?? ''}`);
  for (const { code, videos, message, cure, examples } of causes) {
    output.print(`\n${plural(videos, 'video')} failed: ${code}`);
    output.printText('  ', sentence(message));
    if (cure !== undefined) output.printText('  ', cure);
    for (const url of examples) output.print(`    ${url}`);
  }
}

export const scrapeHeader = ['SCRAPE', 'STARTED (UTC)', 'STATE', 'TOOK', 'DONE', 'FAILED', 'GONE', 'NOTE'];

export function scrapeLine(scrape: Scrape): readonly string[] {
  const { run, startedAt, endedAt, state, done, failed, gone, overlaps, reason } = scrape;
  const left = overlaps > 0 ? `${overlaps} scheduled left out: it still ran` : '';
  return [
    String(run),
    new Date(startedAt).toISOString().slice(0, 16).replace('T', ' '),
    state,
    endedAt === undefined ? '' : describeDuration(endedAt - startedAt),
    ...[done, failed, gone].map((count) => count.toLocaleString('en')),
    reason?.code ?? left,
  ];
}
