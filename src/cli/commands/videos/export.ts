/** `campaigns videos export --out FILE`: the samples of all videos as a sheet. */
import type { Command } from 'commander';
import { plural } from '../../../runtime/wording.ts';
import { exportVideos } from '../../../videos/export.ts';
import { checkResultsFlags, formatOption, type ResultsFlags, targetOf } from '../../flags/results.ts';
import { type CommonOptions, openSession } from '../../session.ts';

interface ExportFlags extends CommonOptions, ResultsFlags {
  readonly out: string;
  readonly wide?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly campaign?: string;
}

export function define(command: Command): Command {
  return command
    .requiredOption('--out <file>', 'write to a .csv, .json, .jsonl or .xlsx file; - is stdout')
    .addOption(formatOption())
    .option('--wide', 'a line for each video, with growth; else for each sample')
    .option('--since <date>', 'only samples from this date or time on; or 7d')
    .option('--until <date>', 'only samples up to the end of this date, or to this time')
    .option('--campaign <id>', 'only videos of this campaign')
    .addHelpText(
      'after',
      `
Example:
  campaigns videos export --out samples.csv --since 2026-12-01
  campaigns videos export --wide --out videos.xlsx`,
    )
    .action(run);
}

async function run({ out, format, wide, since, until, campaign, ...flags }: ExportFlags): Promise<void> {
  checkResultsFlags({ out, format, json: flags.json });
  await using session = await openSession({ ...flags, out });
  const { runtime, output } = session;
  const request = { ...targetOf(out, format), wide, since, until, campaign };
  const { rows, path } = await exportVideos(runtime, request);
  output.document('videos export', { rows, path });
  output.print(`${plural(rows, wide ? 'video' : 'sample')} written to ${path ?? 'standard output'}`);
}
