/** `campaigns videos scrape` and `schedule`: looks up all videos now, or every night. */
import { Option } from 'commander';
import { deliverNotifications } from '../../../app/campaigns/run-until-done.ts';
import { videoOperations } from '../../../app/operations/videos.ts';
import { describeScrape } from '../../../app/videos/describe.ts';
import {
  cronInWords,
  describeSchedule,
  nightlyAt,
  removeSchedule,
  setSchedule,
  showSchedule,
  usualTime,
} from '../../../app/videos/schedule.ts';
import { scrapeVideos } from '../../../app/videos/scrape.ts';
import type { Scrape, ScrapeCause } from '../../../ledger/videos/scrapes.ts';
import { describeDuration, plural, sentence, thousands } from '../../../manifest/wording.ts';
import { exitCodes, listenForInterrupt } from '../../exit.ts';
import type { Define } from '../../flags/common.ts';
import { type Output, shortTime, timeText } from '../../print/output.ts';
import { createDrawing } from '../../print/progress.ts';
import { columnsOf } from '../../print/terminal.ts';
import { type CommonOptions, inSession, openSession, type Session } from '../../session.ts';

export const scrapeCommand: Define = (command) =>
  command
    .option('--campaign <id>', 'update only videos of this campaign')
    .notes(`
Each video gets one snapshot. Ctrl-C stops cleanly, and the next update continues. Videos that no longer exist are
requested a few more times (videos.gone.after), then skipped. They do not count as failed.

Exit codes: 0 all updated, 2 usage or settings, 3 some failed, 130 interrupted.

Example:
  campaigns videos scrape --campaign c1`)
    .action(inSession({ writes: true }, scrape));

async function scrape(session: Session, { campaign }: { readonly campaign?: string }): Promise<void> {
  const { runtime, output } = session;
  const ended = await scrapeVisibly(session, campaign);
  if (!ended) {
    output.document('videos scrape', { interrupted: true });
    output.say('Interrupted. Nothing is lost. Resume:\n  campaigns videos scrape');
    process.exitCode = exitCodes.interrupted;
    return;
  }
  await deliverNotifications(runtime, []);
  const causes = await runtime.ledger.videos.scrapes.causes(ended.run);
  output.document('videos scrape', {
    ...describeScrape(ended),
    causes: causes.map((cause) => ({ ...cause, fix: cause.fix ?? null })),
  });
  printScrape(output, ended, causes);
  process.exitCode = ended.failed > 0 || ended.state === 'stopped' ? exitCodes.incomplete : exitCodes.ok;
}

async function scrapeVisibly(
  { runtime, output, record }: Session,
  campaign: string | undefined,
): Promise<Scrape | undefined> {
  using interrupt = listenForInterrupt(runtime);
  // Await here: this function listens for signals only until it returns.
  return await scrapeVideos(runtime, {
    campaign,
    signal: interrupt.signal,
    onProgress: createDisplay(output),
    onStarted: (started) => record(videoOperations.startScrape, { campaign }, describeScrape(started)),
    onGoingOn: ({ run, campaign: of }) =>
      output.say(
        `Continuing update ${run}${of === undefined ? '' : ` of campaign ${of}`}, which was not finished.`,
      ),
  });
}

const plainEveryMs = 5000;

/** Redrawn in place on a terminal, otherwise a plain line now and then. */
function createDisplay(output: Output): (scrape: Scrape) => void {
  const isLive = columnsOf('stderr') !== undefined && !output.json;
  const draw = createDrawing();
  let last = Number.NEGATIVE_INFINITY;
  let lastText = '';
  return (scrape) => {
    if (scrape.total === 0) return;
    const text = `update ${scrape.run}: ${describeProgress(scrape)}`;
    if (isLive) draw([text]);
    else if (text !== lastText && Date.now() - last >= plainEveryMs) {
      output.say(text);
      last = Date.now();
      lastText = text;
    }
  };
}

/** `120/1,000 videos, 2 failed, 1 gone` */
function describeProgress({ total, done, failed, gone, skipped }: Scrape): string {
  const ended = done + failed + gone + skipped;
  const parts = [
    `${thousands(ended)}/${plural(total, 'video')}`,
    ...(failed > 0 ? [`${thousands(failed)} failed`] : []),
    ...(gone > 0 ? [`${thousands(gone)} gone`] : []),
  ];
  return parts.join(', ');
}

export function printScrape(output: Output, scrape: Scrape, causes: readonly ScrapeCause[]): void {
  const { run, state, campaign, total, done, failed, gone, skipped, startedAt, endedAt, reason } = scrape;
  if (total === 0) {
    const whose = campaign === undefined ? '' : ` of the campaign ${campaign}`;
    output.print(`No videos${whose} to update. Add some:\n  campaigns videos import FILE`);
    return;
  }
  const parts = [
    plural(done, 'video'),
    ...(failed > 0 ? [output.paint('red', `${thousands(failed)} failed`)] : []),
    ...(gone > 0 ? [`${thousands(gone)} gone`] : []),
    ...(skipped > 0 ? [`${thousands(skipped)} gone and skipped`] : []),
  ];
  const took = endedAt === undefined ? '' : ` in ${describeDuration(endedAt - startedAt)}`;
  output.print(
    `Update ${run} ${state === 'stopped' ? 'was stopped' : 'has ended'}${took}: ${parts.join(', ')}.`,
  );
  if (reason) output.printText('  ', `${sentence(reason.message)} ${reason.fix ?? ''}`);
  for (const { code, videos, message, fix, examples } of causes) {
    output.print(`\n${plural(videos, 'video')} failed: ${code}`);
    output.printText('  ', sentence(message));
    if (fix !== undefined) output.printText('  ', fix);
    for (const url of examples) output.print(`    ${url}`);
  }
}

const scrapeHeader = ['UPDATE', 'STARTED (UTC)', 'STATE', 'TOOK', 'DONE', 'FAILED', 'GONE', 'NOTE'];

function scrapeLine(scrape: Scrape): readonly string[] {
  const { run, startedAt, endedAt, state, done, failed, gone, overlaps, reason } = scrape;
  const left =
    overlaps > 0 ? `${plural(overlaps, 'scheduled update')} skipped while this one was running` : '';
  return [
    String(run),
    shortTime(startedAt, null),
    state,
    endedAt === undefined ? '' : describeDuration(endedAt - startedAt),
    ...[done, failed, gone].map(thousands),
    reason?.code ?? left,
  ];
}

interface ScheduleFlags extends CommonOptions {
  readonly cron?: string;
  readonly tz?: string;
  readonly off?: boolean;
}

export const scheduleCommand: Define = (command) =>
  command
    .option('--cron <pattern>', `when: minute, hour, day, month, weekday (usual: "${nightlyAt(usualTime)}")`)
    .option('--tz <zone>', 'IANA time zone (default: as before, else the settings, else UTC)')
    .addOption(new Option('--off', 'remove the schedule').conflicts(['cron', 'tz']))
    .notes(`
Without options, shows the schedule and the last updates. --tz alone keeps the pattern, --cron alone the zone. Workers
carry it out (campaigns worker or serve). After downtime, there is one late update. An update that still runs when the
next is due continues; the next one is skipped.

Example:
  campaigns videos schedule --cron "0 2 * * *" --tz Asia/Shanghai
  campaigns videos schedule --off`)
    .action(schedule);

async function schedule({ cron, tz, off, ...flags }: ScheduleFlags): Promise<void> {
  const isChange = off === true || cron !== undefined || tz !== undefined;
  await using session = await openSession(flags, { writes: isChange });
  const { runtime, output } = session;
  if (off) {
    const wasThere = await removeSchedule(runtime);
    if (wasThere)
      await session.record(videoOperations.removeSchedule, {}, describeSchedule(await showSchedule(runtime)));
    output.say(wasThere ? 'The schedule is removed.' : 'No updates were scheduled.');
  }
  const wasSet = cron !== undefined || tz !== undefined;
  if (wasSet) {
    const { schedule: before } = await showSchedule(runtime);
    await setSchedule(runtime, { pattern: cron ?? before?.pattern, tz: tz ?? before?.tz });
  }
  const shown = await showSchedule(runtime);
  const document = describeSchedule(shown);
  if (wasSet) await session.record(videoOperations.setSchedule, {}, document);
  output.document('videos schedule', document);
  const { schedule: found, scrapes, hasWorkers } = shown;
  const next = document.schedule?.next;
  if (found) {
    const said = cronInWords(found) ?? `by ${found.pattern} (${found.tz})`;
    output.print(
      `Updates run ${said}: --cron "${found.pattern}". Next: ${next ? timeText(Date.parse(next), found.tz) : 'never'}.`,
    );
    if (document.schedule?.note) output.print(document.schedule.note);
  } else if (!off)
    output.print('No updates are scheduled. Every night:\n  campaigns videos schedule --cron "0 2 * * *"');
  if (found && !hasWorkers) {
    output.print('No worker runs, and the update needs one when it is due:\n  campaigns worker');
  }
  if (scrapes.length === 0) return;
  output.print(scrapes.length === 1 ? '\nThe last update' : `\nThe last ${plural(scrapes.length, 'update')}`);
  output.table(scrapeHeader, scrapes.map(scrapeLine));
}
