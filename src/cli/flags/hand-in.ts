/** Options of the commands that hand a sheet in. */
import type { Command } from 'commander';
import type { StartOptions } from '../../campaigns/hand-in/start.ts';
import { CommandError } from '../exit.ts';
import { accountOption } from './common.ts';
import { addHoldOptions, type HoldFlags } from './hold.ts';
import { addSheetOptions, type SheetFlags } from './sheet.ts';

export interface HandInFlags
  extends SheetFlags,
    HoldFlags,
    Pick<StartOptions, 'name' | 'account' | 'again' | 'skipInvalid' | 'mediaRoot' | 'allowUnknownColumns'> {
  readonly into?: string;
  readonly dryRun?: boolean;
}

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

/** @throws {CommandError} for flags that mean nothing together. */
export function refuseUnfitting(flags: HandInFlags): void {
  const { into, dryRun, name, again, account, canary, stopAfter } = flags;
  if (into === undefined) {
    if (!dryRun) return;
    throw new CommandError('--dry-run goes with --into', {
      cure: 'What a new campaign would do is told by: campaigns check FILE',
    });
  }
  const unfitting = [
    ...(name === undefined ? [] : ['--name']),
    ...(again ? ['--again'] : []),
    ...(account === undefined ? [] : ['--account']),
    ...(canary === undefined ? [] : ['--canary']),
    ...(stopAfter === undefined ? [] : ['--stop-after']),
  ];
  if (unfitting.length === 0) return;
  throw new CommandError(`${unfitting.join(' and ')} cannot go with --into`, {
    cure: `The campaign keeps what it was imported with. Leave ${unfitting.length === 1 ? 'it' : 'them'} away.`,
  });
}
