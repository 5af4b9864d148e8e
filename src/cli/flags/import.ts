/** Options of the commands that import a sheet. */
import type { Command } from 'commander';
import type { StartOptions } from '../../campaigns/import/start.ts';
import { stopAfterBounds, stopAfterSchema } from '../../campaigns/import/stop-after-option.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { campaignNameCure, campaignNameRule, isCampaignName } from '../../manifest/campaign-name.ts';
import { CommandError } from '../exit.ts';
import { accountOption, parsedBy, refuseBeside, wholeNumber } from './common.ts';
import { addSheetOptions, type SheetFlags, usualHeading } from './sheet.ts';

export interface ImportFlags
  extends SheetFlags,
    Pick<StartOptions, 'name' | 'account' | 'again' | 'skipInvalid' | 'mediaRoot' | 'allowUnknownColumns'> {
  readonly into?: string;
  /** Rows. */
  readonly canary?: number;
  /** Percent. */
  readonly stopAfter?: number;
  readonly dryRun?: boolean;
}

export function addImportOptions(command: Command): Command {
  return addSheetOptions(command)
    .optionsGroup('The campaign:')
    .option(
      '--canary <rows>',
      'post the first rows of the sheet, then pause until resumed',
      wholeNumber('It must be a number of rows, 1 or more.'),
    )
    .option('--stop-after <percent>', 'pause if more than this share fails or needs a decision', percent)
    .addHelpText('after', '\n--stop-after counts ended rows since the last resume, once there are 20.')
    .option('--name <name>', "name the campaign and its sheets (default: the sheet's name)", campaignName)
    .option('--media-root <dir>', "resolve media paths in this folder (default: the sheet's)")
    .option('--skip-invalid', 'write rows with problems to <name>.problems.csv instead')
    .option('--allow-unknown-columns', 'keep unknown columns instead of refusing them')
    .option('--again', 'import again: the same sheet, or rows that are posted already')
    .addOption(accountOption())
    .option('--into <id>', 'add new rows to this campaign, retry failed or changed rows')
    .option('--dry-run', 'with --into: only show what would happen to each row')
    .optionsGroup(usualHeading);
}

/** @throws {CommandError} for flags that do not go together. */
export function refuseUnfitting(flags: ImportFlags): void {
  if (flags.into === undefined) {
    if (!flags.dryRun) return;
    throw new CommandError('--dry-run needs --into', {
      cure: 'To see what a new campaign would do:\n  campaigns check FILE',
    });
  }
  const kept = ['name', 'account', 'canary', 'stopAfter'] as const;
  refuseBeside(flags, kept, '--into', 'The campaign keeps what it was imported with.');
}

const campaignName = parsedBy(
  (text) => (isCampaignName(text) ? text : undefined),
  `${campaignNameRule[0]?.toUpperCase()}${campaignNameRule.slice(1)}. Write a name ${campaignNameCure}`,
);

/** @returns flags that have no effect because the campaign was imported with other values, as text for people. */
export function ignoredHoldFlags(
  { canary, stopAfter }: ImportFlags,
  campaign: Pick<Campaign, 'canary' | 'stopAfter'>,
): readonly string[] {
  return [
    ...(canary === undefined || canary === campaign.canary ? [] : [`--canary ${canary}`]),
    ...(stopAfter === undefined || stopAfter === campaign.stopAfter ? [] : [`--stop-after ${stopAfter}`]),
  ];
}

const percent = parsedBy((text) => {
  const share = Number(text.replace(/%$/, ''));
  const isShare = /^\d{1,2}(\.\d+)?%?$/.test(text) && stopAfterSchema.safeParse(share).success;
  return isShare ? share : undefined;
}, `It must be a percentage ${stopAfterBounds}.`);
