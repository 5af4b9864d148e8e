/** Options of the commands that a sheet is handed in by. */
import type { Command } from 'commander';
import { accountOption } from './common.ts';
import { addHoldOptions } from './hold.ts';
import { addSheetOptions } from './sheet.ts';

export function addHandInOptions(command: Command): Command {
  return addHoldOptions(addSheetOptions(command))
    .option('--name <name>', "name of the campaign (default: the manifest's)")
    .option('--media-root <dir>', "folder that media paths are relative to (default: the manifest's)")
    .option('--skip-invalid', 'leave rows with problems out, and write them to <name>.problems.csv')
    .option('--allow-unknown-columns', 'keep columns that are not known instead of refusing them')
    .option('--again', 'although this manifest was imported before: as a new campaign')
    .addOption(accountOption())
    .option(
      '--into <id>',
      'into this campaign, by key: new rows are added, failed or changed ones done again, posted ones left alone',
    )
    .option('--dry-run', 'with --into: only say what would become of each row');
}
