/** Options of the commands that import a sheet. */
import { Option } from 'commander';
import {
  type CanaryChoice,
  canaryRule,
  nameCanary,
  readCanary,
  writeCanary,
} from '../../app/campaigns/import/canary.ts';
import type { StartOptions } from '../../app/campaigns/import/start.ts';
import { stopAfterBounds, stopAfterSchema } from '../../app/campaigns/import/start.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import {
  approveRules,
  campaignNameFix,
  campaignNameRule,
  isCampaignName,
  leadRule,
  readLead,
  writeLead,
} from '../../manifest/campaign-options.ts';
import { CommandError } from '../exit.ts';
import { CliCommand, parsedBy, refuseBeside, refuseWithout } from './common.ts';
import { addSheetOptions, type SheetFlags, usualHeading } from './sheet.ts';

export interface ImportFlags
  extends SheetFlags,
    Pick<
      StartOptions,
      'name' | 'lead' | 'approve' | 'again' | 'skipInvalid' | 'mediaRoot' | 'allowUnknownColumns'
    > {
  readonly into?: string;
  readonly canary?: CanaryChoice;
  /** Percent. */
  readonly stopAfter?: number;
  readonly dryRun?: boolean;
}

export function addImportOptions(command: CliCommand): CliCommand {
  return addSheetOptions(command)
    .optionsGroup('The campaign:')
    .option(
      '--canary <rows>',
      'first post N rows, then pause; or kinds, creators, rows:3,17',
      parsedBy(readCanary, canaryRule),
    )
    .option('--stop-after <percent>', 'pause if more than this share fails or needs review', percent)
    .addOption(leadOption())
    .on('option:lead', keepNow)
    .addOption(approveOption())
    .option('--name <name>', "name the campaign (default: the file's name)", campaignName)
    .option('--media-root <dir>', "look for media here (default: the sheet's folder)")
    .option('--skip-invalid', 'skip rows with problems: see <name>.problems.csv')
    .option('--allow-unknown-columns', 'keep unknown columns')
    .option('--again', 'post the same sheet, or posted rows, again')
    .option('--into <id>', 'update this campaign: new, failed and changed rows')
    .option('--dry-run', 'with --into: only show what would happen')
    .optionsGroup(usualHeading);
}

export function leadOption(): Option {
  return new Option('--lead <time>', 'send posts this long before their time: 2d, 12h, now').argParser(
    parsedBy(readLead, `Write ${leadRule}.`),
  );
}

/** Of a `null` from a parser, commander makes an empty text. */
export function keepNow(this: CliCommand, text: string): void {
  if (readLead(text) === null) this.setOptionValueWithSource('lead', null, 'cli');
}

export function approveOption(): Option {
  return new Option('--approve <posts>', 'which posts need approval: none, generated, all').choices(
    approveRules,
  );
}

/** @throws {CommandError} for options of a sheet. */
export function refuseWithoutSheet(flags: ImportFlags): void {
  const names = addImportOptions(new CliCommand()).options.map((option) => option.attributeName());
  refuseWithout(flags, names, 'a sheet');
}

/** @throws {CommandError} for flags that do not go together. */
export function refuseUnfitting(flags: ImportFlags): void {
  if (flags.into === undefined) {
    if (!flags.dryRun) return;
    throw new CommandError('--dry-run needs --into', {
      fix: 'To see what a new campaign would do:\n  campaigns check FILE',
    });
  }
  const kept = ['name', 'canary', 'stopAfter', 'lead', 'approve'] as const;
  refuseBeside(flags, kept, '--into', 'The campaign keeps the options of its import.');
}

const campaignName = parsedBy(
  (text) => (isCampaignName(text) ? text : undefined),
  `${campaignNameRule[0]?.toUpperCase()}${campaignNameRule.slice(1)}. Write a name ${campaignNameFix}`,
);

/** @returns flags that have no effect because the campaign was imported with other values, as text for people. */
export function ignoredHoldFlags(
  { canary, stopAfter, lead, approve }: ImportFlags,
  campaign: Pick<Campaign, 'canary' | 'canaryOf' | 'stopAfter' | 'lead' | 'approve'>,
): readonly string[] {
  return [
    ...(canary === undefined || isCanaryOf(canary, campaign) ? [] : [`--canary ${writeCanary(canary)}`]),
    ...(stopAfter === undefined || stopAfter === campaign.stopAfter ? [] : [`--stop-after ${stopAfter}`]),
    ...(lead === undefined || lead === campaign.lead ? [] : [`--lead ${writeLead(lead)}`]),
    ...(approve === undefined || approve === campaign.approve ? [] : [`--approve ${approve}`]),
  ];
}

function isCanaryOf(
  choice: CanaryChoice,
  { canary, canaryOf }: Pick<Campaign, 'canary' | 'canaryOf'>,
): boolean {
  return typeof choice === 'number'
    ? canaryOf === undefined && choice === canary
    : nameCanary(choice) === canaryOf;
}

const percent = parsedBy((text) => {
  const share = Number(text.replace(/%$/, ''));
  const isShare = /^\d{1,2}(\.\d+)?%?$/.test(text) && stopAfterSchema.safeParse(share).success;
  return isShare ? share : undefined;
}, `It must be a percentage ${stopAfterBounds}.`);
