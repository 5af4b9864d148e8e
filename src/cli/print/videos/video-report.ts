/** A report about videos as a table. */
import { plural } from '../../../runtime/wording.ts';
import { emptyReport, type Mover, type VideoReport } from '../../../videos/report.ts';
import { describeSpan } from '../../../videos/spans.ts';
import type { GroupFigures } from '../../../videos/sums.ts';
import { cureHere } from '../../hints.ts';
import { type Output, table } from '../output.ts';
import { describeNone, showCount, showGrowth, showShare } from './videos.ts';

const spanTitles: Readonly<Record<string, string>> = {
  '1d': '+1 DAY',
  '7d': '+7 DAYS',
  '30d': '+30 DAYS',
  growth: 'GROWTH',
};

/** @param campaign that the report was asked for. */
export function printReport(output: Output, report: VideoReport, campaign?: string): void {
  const { by, span, spans, groups, left, sampled, total, movers } = report;
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
    output.print(
      `${warning.message[0]?.toUpperCase()}${warning.message.slice(1)}.\n${cureHere(warning.cure)}`,
    );
    return;
  }
  if (span) output.print(`Growth ${describeSpan(span)}`);
  const isByVideo = by === 'video';
  const header = [
    by.toUpperCase(),
    ...(isByVideo ? [] : ['VIDEOS']),
    'VIEWS',
    ...(isByVideo ? [] : ['MEDIAN']),
    ...spans.map((name) => spanTitles[name] ?? name),
    'A DAY',
    'ENGAGED',
    'INTENT',
  ];
  const line = (name: string, group: GroupFigures) => [
    name,
    ...(isByVideo ? [] : [group.videos.toLocaleString('en')]),
    showCount(group.counts[0] ?? null),
    ...(isByVideo ? [] : [showCount(group.median ?? null)]),
    ...spans.map((_name, index) => showGrowth(group.growths[index]?.[0] ?? null)),
    group.viewsPerDay === undefined ? '' : group.viewsPerDay.toLocaleString('en'),
    showShare(group.engagement ?? null),
    showShare(group.highIntent ?? null),
  ];
  const lines = groups.map((group) => line(group.name === '' ? '(none)' : group.name, group));
  const rows = [...lines, ...(groups.length > 1 || left > 0 ? [line('all', total)] : [])];
  for (const row of table(header, rows)) output.print(row);
  if (left > 0) output.print(`... and ${left.toLocaleString('en')} more`);
  printMovers(output, `Most new views (${describeOver(movers.over)})`, movers.absolute, isByVideo);
  printMovers(output, `Largest growth by percent (${describeOver(movers.over)})`, movers.relative, false);
  const unknown = total.videos - sampled;
  const without =
    unknown === 0 ? '' : `, ${unknown.toLocaleString('en')} without a sample${span ? ' in the span' : ''}`;
  output.print(
    `\n${plural(total.videos, 'video')}${without}. Growth of views; all counters with --json or --out FILE.`,
  );
}

/** @param isShown they stand in the table, in this order. */
function printMovers(output: Output, title: string, movers: readonly Mover[], isShown: boolean): void {
  if (movers.length === 0 || isShown) return;
  output.print(`\n${output.paint('bold', title)}`);
  const rows = movers.map(({ url, creator, growth, ratio }) => [
    url,
    creator ?? '',
    showGrowth(growth),
    ratio === undefined ? '' : `+${(ratio * 100).toFixed(1)} %`,
  ]);
  for (const row of table(['VIDEO', 'CREATOR', 'VIEWS', 'BY'], rows)) output.print(`  ${row}`);
}

function describeOver(over: string): string {
  if (over === 'growth') return 'in the span';
  return over === '1d' ? 'in a day' : `in ${over.slice(0, -1)} days`;
}
