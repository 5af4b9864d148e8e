/** `campaigns videos import FILE`: puts the videos of a sheet onto the watch list. */
import type { Command } from 'commander';
import { plural } from '../../../runtime/wording.ts';
import { describeFormat } from '../../../sheets/format.ts';
import { describeImport, type ImportedVideos, importVideos } from '../../../videos/import/import.ts';
import { exitCodes } from '../../exit.ts';
import { accountOption } from '../../flags/common.ts';
import { addReadingOptions, type ReadingFlags } from '../../flags/sheet.ts';
import { openPipeOrFile } from '../../hand-in.ts';
import type { Output } from '../../print/output.ts';
import { printProblemLog } from '../../print/problems.ts';
import { type CommonOptions, openSession } from '../../session.ts';

interface ImportFlags extends CommonOptions, ReadingFlags {
  readonly account?: string;
}

export function define(command: Command): Command {
  return addReadingOptions(command)
    .argument('<file>', 'sheet of videos (CSV, JSON or XLSX); - for standard input')
    .addOption(accountOption())
    .addHelpText(
      'after',
      `
The sheet has a column video_url, and may have key, campaign, creator, product_id, label and tags (separated by |). A
results sheet in which video_url is filled in ties each video to its row. A video is on the list once, however its URL
is written. Nothing is added while the sheet has problems (exit code 1).

Example:
  campaigns videos import posts.results.csv`,
    )
    .action(run);
}

async function run(
  file: string,
  { account, delimiter, encoding, sheet, ...flags }: ImportFlags,
): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  await using opened = await openPipeOrFile(runtime, file);
  const imported = await importVideos(runtime, opened, { account, sheet: { delimiter, encoding, sheet } });
  const { check, added } = imported;
  if (added > 0) await session.record(`Put ${plural(added, 'video')} onto the watch list.`);
  output.document('videos import', describeImport(imported));
  print(output, imported);
  if (check.problems.total > 0) process.exitCode = exitCodes.problems;
}

function print(output: Output, { check, added, known, videos, yearBytes }: ImportedVideos): void {
  const format = check.format === null ? null : describeFormat(check.format);
  if (format !== null) output.print(format);
  const rest = 'list them with --json';
  printProblemLog(output, check.problems, { shown: 20, heading: 'PROBLEM AND CURE', rest });
  if (check.warnings.total > 0) output.print(`${plural(check.warnings.total, 'warning')}:`);
  printProblemLog(output, check.warnings, { shown: 5, heading: 'WARNING', rest });
  if (check.problems.total > 0) {
    output.print(
      `${plural(check.rows, 'row')}, ${plural(check.problems.total, 'problem')}; nothing was added.`,
    );
    return;
  }
  const without = check.withoutUrl > 0 ? `, ${plural(check.withoutUrl, 'row')} without video_url` : '';
  output.print(`${plural(added, 'video')} added, ${known} known already${without}.`);
  output.print(
    `${plural(videos, 'video')} on the list: a year of nights will need about ${describeBytes(yearBytes)} in Redis.`,
  );
}

function describeBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
