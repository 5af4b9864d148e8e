/** `campaigns videos ...`: the watch list of published videos, and how they do. */
import type { Command } from 'commander';
import * as exportCommand from './videos/export.ts';
import * as importCommand from './videos/import.ts';
import * as listCommand from './videos/list.ts';
import * as removeCommand from './videos/remove.ts';
import * as reportCommand from './videos/report.ts';
import * as scheduleCommand from './videos/schedule.ts';
import * as scrapeCommand from './videos/scrape.ts';
import * as showCommand from './videos/show.ts';

const subcommands = [
  ['import', 'put the videos of a sheet onto the watch list', importCommand],
  ['list', 'list the videos with their latest figures', listCommand],
  ['show', 'show a video, with a plot of its last weeks', showCommand],
  ['remove', 'take a video off the list, with its history', removeCommand],
  ['scrape', 'look up all videos now', scrapeCommand],
  ['schedule', 'look up all videos every night, by the workers', scheduleCommand],
  ['report', 'show how the videos did', reportCommand],
  ['export', 'write the samples, or the videos, as a sheet', exportCommand],
] as const;

export function define(command: Command): Command {
  for (const [name, summary, { define: defineOne }] of subcommands) {
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
