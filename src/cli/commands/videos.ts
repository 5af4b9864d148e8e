/** `campaigns videos ...`: the watch list of published videos, and how they do. */

import { videoOperations } from '../../app/operations/videos.ts';
import { describeImport, type ImportedVideos, importVideos } from '../../app/videos/import/import.ts';
import { describeSize } from '../../manifest/printable.ts';
import { plural } from '../../manifest/wording.ts';
import { exitCodes } from '../exit.ts';
import { type Define, defineAll } from '../flags/common.ts';
import { addReadingOptions, type ReadingFlags, readingOf } from '../flags/sheet.ts';
import { openPipeOrFile } from '../import-sheet.ts';
import type { Output } from '../print/output.ts';
import { printFormat, printProblemLog } from '../print/problems.ts';
import { inSession, type Session } from '../session.ts';
import { listCommand, removeCommand, showCommand } from './videos/list.ts';
import { exportCommand, reportCommand } from './videos/report.ts';
import { scheduleCommand, scrapeCommand } from './videos/scrape.ts';

export const videos: Define = (command) =>
  defineAll(command, [
    ['import', 'add the videos of a sheet to the watch list', importCommand],
    ['list', 'list the videos with their latest figures', listCommand],
    ['show', 'show a video, with a plot of its last weeks', showCommand],
    ['remove', 'remove a video and its history from the list', removeCommand],
    ['scrape', 'update the figures of all videos now', scrapeCommand],
    ['schedule', 'update the figures every night (workers do it)', scheduleCommand],
    ['report', 'show how the videos performed', reportCommand],
    ['export', 'write the snapshots, or the videos, as a sheet', exportCommand],
  ]).notes(`
Example:
  campaigns videos import posts.results.csv   watch the videos of a sheet
  campaigns videos scrape                     update their figures now
  campaigns videos schedule --cron "0 2 * * *" --tz Asia/Shanghai
  campaigns videos report --by creator        show how they performed`);

const importCommand: Define = (command) =>
  addReadingOptions(command)
    .argument('<file>', 'sheet of videos (CSV, JSON or XLSX); - for standard input')
    .notes(`
The sheet has a column video_url, and may have key, campaign, creator, product_id, label and tags (separated by |). A
results sheet in which video_url is filled in ties each video to its row. A video is on the list once, however its URL
is written. Nothing is added while the sheet has problems (exit code 1).

Example:
  campaigns videos import posts.results.csv`)
    .action(inSession({ writes: true }, importSheet));

async function importSheet(
  { runtime, output, record }: Session,
  file: string,
  flags: ReadingFlags,
): Promise<void> {
  await using opened = await openPipeOrFile(runtime, file);
  const imported = await importVideos(runtime, opened, { sheet: readingOf(flags) });
  const { check } = imported;
  const document = describeImport(imported);
  await record(videoOperations.importVideos, {}, document);
  output.document('videos import', document);
  print(output, imported);
  if (check.problems.total > 0) process.exitCode = exitCodes.problems;
}

function print(output: Output, { check, added, known, videos, yearBytes }: ImportedVideos): void {
  printFormat(output, check);
  const rest = 'list them with --json';
  printProblemLog(output, check.problems, { shown: 20, rest });
  if (check.warnings.total > 0) output.print(`${plural(check.warnings.total, 'warning')}:`);
  printProblemLog(output, check.warnings, { shown: 5, rest });
  if (check.problems.total > 0) {
    output.print(
      `${plural(check.rows, 'row')}, ${plural(check.problems.total, 'problem')}; nothing was added.`,
    );
    return;
  }
  const without = check.withoutUrl > 0 ? `, ${plural(check.withoutUrl, 'row')} without video_url` : '';
  output.print(`${plural(added, 'video')} added, ${known} already on the list${without}.`);
  output.print(
    `${plural(videos, 'video')} on the list: a year of nightly updates will need about ${describeSize(yearBytes)} in Redis.`,
  );
}
