/** `campaigns videos schedule`: shows, sets or removes the schedule of the nightly scrape. */
import { type Command, Option } from 'commander';
import { plural } from '../../../runtime/wording.ts';
import { describeSchedule } from '../../../videos/describe.ts';
import { removeSchedule, setSchedule, showSchedule, usualPattern } from '../../../videos/schedule.ts';
import { table } from '../../print/output.ts';
import { scrapeHeader, scrapeLine } from '../../print/videos/scrapes.ts';
import { type CommonOptions, openSession } from '../../session.ts';

interface ScheduleFlags extends CommonOptions {
  readonly cron?: string;
  readonly tz?: string;
  readonly off?: boolean;
}

export function define(command: Command): Command {
  return command
    .option('--cron <pattern>', `when: minute, hour, day, month, weekday (usual: "${usualPattern}")`)
    .option('--tz <zone>', 'IANA time zone (default: as before, else the settings, else UTC)')
    .addOption(new Option('--off', 'remove the schedule').conflicts(['cron', 'tz']))
    .addHelpText(
      'after',
      `
Without options, shows the schedule and the last scrapes. --tz alone keeps the pattern, --cron alone the zone. Workers
carry it out (campaigns worker or serve). After a downtime there is one late scrape. A scrape that still runs when the
next is due goes on, and that one is left out.

Example:
  campaigns videos schedule --cron "0 2 * * *" --tz Asia/Shanghai
  campaigns videos schedule --off`,
    )
    .action(schedule);
}

async function schedule({ cron, tz, off, ...flags }: ScheduleFlags): Promise<void> {
  const isChange = off === true || cron !== undefined || tz !== undefined;
  await using session = await openSession(flags, { writes: isChange });
  const { runtime, output } = session;
  if (off) {
    const wasThere = await removeSchedule(runtime);
    if (wasThere) await session.record('Removed the schedule of scrapes.');
    output.say(wasThere ? 'The schedule is removed.' : 'Nothing was scheduled.');
  }
  if (cron !== undefined || tz !== undefined) {
    const { schedule: before } = await showSchedule(runtime);
    await setSchedule(runtime, { pattern: cron ?? before?.pattern, tz: tz ?? before?.tz });
    await session.record('Changed the schedule of scrapes.');
  }
  const shown = await showSchedule(runtime);
  const document = describeSchedule(shown);
  output.document('videos schedule', document);
  const { schedule: found, scrapes, hasWorkers } = shown;
  const next = document.schedule?.next;
  if (found) output.print(`Scheduled: ${found.pattern} in ${found.tz}; next at ${next ?? 'no time'}`);
  else if (!off)
    output.print('Nothing is scheduled. Every night:\n  campaigns videos schedule --cron "0 2 * * *"');
  if (found && !hasWorkers) {
    output.print('No worker runs, and the scrape needs one when it is due:\n  campaigns worker');
  }
  if (scrapes.length === 0) return;
  output.print(scrapes.length === 1 ? '\nThe last scrape' : `\nThe last ${plural(scrapes.length, 'scrape')}`);
  for (const line of table(scrapeHeader, scrapes.map(scrapeLine))) output.print(line);
}
