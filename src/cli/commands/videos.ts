/** `campaigns videos ...`: the watch list of published videos, and how they do. */
import type { Command } from 'commander';
import { define as defineExport } from './videos/export.ts';
import { define as defineImport } from './videos/import.ts';
import { defineList, defineRemove, defineShow } from './videos/list.ts';
import { define as defineReport } from './videos/report.ts';
import { define as defineSchedule } from './videos/schedule.ts';
import { define as defineScrape } from './videos/scrape.ts';

const subcommands = [
  ['import', 'put the videos of a sheet onto the watch list', defineImport],
  ['list', 'list the videos with their latest figures', defineList],
  ['show', 'show a video, with a plot of its last weeks', defineShow],
  ['remove', 'take a video off the list, with its history', defineRemove],
  ['scrape', 'look up all videos now', defineScrape],
  ['schedule', 'look up all videos every night, by the workers', defineSchedule],
  ['report', 'show how the videos did', defineReport],
  ['export', 'write the samples, or the videos, as a sheet', defineExport],
] as const;

export function define(command: Command): Command {
  for (const [name, summary, defineOne] of subcommands) {
    defineOne(command.command(name).description(summary));
  }
  return command.addHelpText(
    'after',
    `
Example:
  campaigns videos import posts.results.csv     watch the videos of a results sheet
  campaigns videos scrape                       look up all of them now
  campaigns videos schedule --cron "0 2 * * *" --tz Asia/Shanghai
  campaigns videos report --by creator          show how they did`,
  );
}
