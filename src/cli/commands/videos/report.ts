/** `campaigns videos report` and `export`: sums, medians and growth of the videos, and their samples as a sheet. */
import { Option } from 'commander';
import { type GroupFigures, type Grouping, groupings, type Mover } from '../../../app/videos/aggregate.ts';
import { exportVideos, writeReport } from '../../../app/videos/export.ts';
import {
  describeReport,
  emptyReport,
  type ReportOptions,
  reportVideos,
  type VideoReport,
} from '../../../app/videos/report.ts';
import { describeSpan } from '../../../app/videos/spans.ts';
import { creatorOf } from '../../../app/videos/watch-list.ts';
import { plural, thousands } from '../../../manifest/wording.ts';
import { type Define, refuseWithout, wholeNumber } from '../../flags/common.ts';
import { checkResultsFlags, formatOption, type ResultsFlags, targetOf } from '../../flags/results.ts';
import { fixHere } from '../../hints.ts';
import type { Output } from '../../print/output.ts';
import { type CommonOptions, openSession } from '../../session.ts';
import { describeNone, showCount, showGrowth, showShare } from './list.ts';

interface ReportFlags extends CommonOptions, ResultsFlags, Omit<ReportOptions, 'by'> {
  readonly by: Grouping;
}

export const reportCommand: Define = (command) =>
  command
    .addOption(new Option('--by <what>', 'one line for each').choices(groupings).default('video'))
    .option('--campaign <id>', 'only videos of this campaign')
    .option('--since <date>', 'growth from this date or time; or 7d for seven days ago')
    .option('--until <date>', 'growth up to the end of this date, or to this time')
    .option(
      '--top <count>',
      'only this many lines, those with the most growth',
      wholeNumber('It must be a whole number, 1 or more.'),
    )
    .option('--out <file>', 'write to a .csv, .json, .jsonl or .xlsx file; - is stdout')
    .addOption(formatOption())
    .notes(`
Without --since and --until: growth over 1, 7 and 30 days up to the latest snapshot of each video, against the newest
snapshot that is old enough. Engagement: (likes + comments + shares + saves) / views. Intent: (shares + saves) / views.
Dates are in the time zone of the settings, else UTC.

Example:
  campaigns videos report --by creator --top 10
  campaigns videos report --by product --since 2026-12-01 --out december.xlsx`)
    .action(report);

async function report(given: ReportFlags): Promise<void> {
  const { by, campaign, since, until, top, out, format, ...flags } = given;
  if (out === undefined) refuseWithout({ format }, ['format'], '--out');
  checkResultsFlags({ out, format, json: flags.json });
  await using session = await openSession({ ...flags, out });
  const { runtime, output } = session;
  const found = await reportVideos(runtime, { by, campaign, since, until, top });
  const written = out === undefined ? undefined : await writeReport(found, targetOf(out, format));
  // It is as large as the report: made only for those who want it.
  if (output.json) output.document('videos report', { ...describeReport(found), ...written });
  if (written === undefined) printReport(output, found, campaign);
  else {
    const warning = emptyReport(found);
    if (warning) output.say(`warning: ${warning.message}\n${fixHere(warning.fix)}`);
    output.print(`${plural(written.rows, 'line')} written to ${written.path ?? 'standard output'}`);
  }
}

const spanTitles: Readonly<Record<string, string>> = {
  '1d': '+1 DAY',
  '7d': '+7 DAYS',
  '30d': '+30 DAYS',
  growth: 'GROWTH',
};

/** @param campaign that the report was asked for. */
export function printReport(output: Output, report: VideoReport, campaign?: string): void {
  const { by, span, groups, left, sampled, total, movers } = report;
  if (total.videos === 0) {
    output.print(
      campaign === undefined
        ? describeNone(0)
        : `No video of the campaign ${campaign} is on the list. To see which are:\n  campaigns videos list`,
    );
    return;
  }
  const warning = emptyReport(report);
  if (warning) {
    output.print(`${warning.message[0]?.toUpperCase()}${warning.message.slice(1)}.\n${fixHere(warning.fix)}`);
    return;
  }
  if (span) output.print(`Growth ${describeSpan(span)}`);
  const isByVideo = by === 'video';
  // Videos of last week have not grown for a month yet.
  const spans = [...report.spans.entries()].filter(([index]) =>
    groups.some(({ growths }) => growths[index]?.[0] != null),
  );
  const header = [
    by.toUpperCase(),
    ...(isByVideo ? [] : ['VIDEOS']),
    'VIEWS',
    ...(isByVideo ? [] : ['MEDIAN']),
    ...spans.map(([, name]) => spanTitles[name] ?? name),
    'A DAY',
    'ENGAGEMENT',
    'INTENT',
  ];
  const line = (name: string, group: GroupFigures) => [
    name,
    ...(isByVideo ? [] : [thousands(group.videos)]),
    showCount(group.counts[0] ?? null),
    ...(isByVideo ? [] : [showCount(group.median ?? null)]),
    ...spans.map(([index]) => showGrowth(group.growths[index]?.[0] ?? null)),
    group.viewsPerDay === undefined ? '' : thousands(Math.round(group.viewsPerDay)),
    showShare(group.engagement ?? null),
    showShare(group.highIntent ?? null),
  ];
  const lines = groups.map((group) => line(group.name === '' ? '(none)' : group.name, group));
  const rows = [...lines, ...(groups.length > 1 || left > 0 ? [line('all', total)] : [])];
  output.table(header, rows, '', ['A DAY', 'MEDIAN', 'INTENT', '+1 DAY']);
  if (left > 0) output.print(`... and ${thousands(left)} more`);
  printMovers(output, `Most new views (${describeOver(movers.over)})`, movers.absolute, isByVideo);
  printMovers(output, `Largest growth by percent (${describeOver(movers.over)})`, movers.relative, false);
  const unknown = total.videos - sampled;
  const without =
    unknown === 0 ? '' : `, ${thousands(unknown)} without a snapshot${span ? ' in this period' : ''}`;
  output.print(
    `\n${plural(total.videos, 'video')}${without}. Growth of views; all counters with --json or --out FILE.`,
  );
}

/** @param isShown they stand in the table, in this order. */
function printMovers(output: Output, title: string, movers: readonly Mover[], isShown: boolean): void {
  if (movers.length === 0 || isShown) return;
  output.print(`\n${output.paint('bold', title)}`);
  const rows = movers.map(({ video, growth, ratio }) => [
    showGrowth(growth),
    ratio === undefined ? '' : `+${(ratio * 100).toFixed(1)}%`,
    creatorOf(video) ?? '',
    video.facts.url,
  ]);
  output.table(['VIEWS', 'BY', 'CREATOR', 'VIDEO'], rows, '  ');
}

function describeOver(over: string): string {
  if (over === 'growth') return 'in the span';
  return over === '1d' ? 'in a day' : `in ${over.slice(0, -1)} days`;
}

interface ExportFlags extends CommonOptions, ResultsFlags {
  readonly out: string;
  readonly wide?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly campaign?: string;
}

export const exportCommand: Define = (command) =>
  command
    .requiredOption('--out <file>', 'write to a .csv, .json, .jsonl or .xlsx file; - is stdout')
    .addOption(formatOption())
    .option('--wide', 'a line for each video, with growth; else for each snapshot')
    .option('--since <date>', 'only snapshots from this date or time on; or 7d')
    .option('--until <date>', 'only snapshots up to the end of this date, or to this time')
    .option('--campaign <id>', 'only videos of this campaign')
    .notes(`
Example:
  campaigns videos export --out samples.csv --since 2026-12-01
  campaigns videos export --wide --out videos.xlsx`)
    .action(exportSheet);

async function exportSheet(given: ExportFlags): Promise<void> {
  const { out, format, wide, since, until, campaign, ...flags } = given;
  checkResultsFlags({ out, format, json: flags.json });
  await using session = await openSession({ ...flags, out });
  const { runtime, output } = session;
  const request = { ...targetOf(out, format), wide, since, until, campaign };
  const { rows, path } = await exportVideos(runtime, request);
  output.document('videos export', { rows, path });
  output.print(`${plural(rows, wide ? 'video' : 'snapshot')} written to ${path ?? 'standard output'}`);
}
