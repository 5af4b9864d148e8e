/** `campaigns videos report`: sums, medians and growth of the videos. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { plural } from '../../../runtime/wording.ts';
import { writeReport } from '../../../videos/export.ts';
import { describeReport, emptyReport, type ReportOptions, reportVideos } from '../../../videos/report.ts';
import { type Grouping, groupings } from '../../../videos/sums.ts';
import { checkResultsFlags, formatOption, type ResultsFlags, targetOf } from '../../flags/results.ts';
import { cureHere } from '../../hints.ts';
import { printReport } from '../../print/videos/video-report.ts';
import { type CommonOptions, openSession } from '../../session.ts';

interface ReportFlags extends CommonOptions, ResultsFlags, Omit<ReportOptions, 'by'> {
  readonly by: Grouping;
}

export function define(command: Command): Command {
  return command
    .addOption(new Option('--by <what>', 'one line for each').choices(groupings).default('video'))
    .option('--campaign <id>', 'only videos of this campaign')
    .option('--since <date>', 'growth from this date or time; or 7d for seven days ago')
    .option('--until <date>', 'growth up to the end of this date, or to this time')
    .option('--top <count>', 'only so many lines, those with the most growth', count)
    .option('--out <file>', 'write to a .csv, .json, .jsonl or .xlsx file; - is stdout')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Without --since and --until: growth over 1, 7 and 30 days up to the latest sample of each video, against the newest
sample that is old enough. Engaged: (likes + comments + shares + saves) / views. Intent: (shares + saves) / views.
Dates are in the time zone of the settings, else UTC.

Example:
  campaigns videos report --by creator --top 10
  campaigns videos report --by product --since 2026-12-01 --until 2026-12-31 --out december.xlsx`,
    )
    .action(run);
}

async function run({ by, campaign, since, until, top, out, format, ...flags }: ReportFlags): Promise<void> {
  checkResultsFlags({ out, format, json: flags.json });
  await using session = await openSession({ ...flags, out });
  const { runtime, output } = session;
  const report = await reportVideos(runtime, { by, campaign, since, until, top });
  const written = out === undefined ? undefined : await writeReport(runtime, report, targetOf(out, format));
  // It is as large as the report: made only for those who want it.
  if (output.json) output.document('videos report', { ...describeReport(report), ...written });
  if (written === undefined) printReport(output, report, campaign);
  else {
    const warning = emptyReport(report);
    if (warning) output.say(`warning: ${warning.message}\n${cureHere(warning.cure)}`);
    output.print(`${plural(written.rows, 'line')} written to ${written.path ?? 'standard output'}`);
  }
}

function count(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number, 1 or more.');
}
