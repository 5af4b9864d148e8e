/** Options that let a new campaign pause itself. */
import { type Command, InvalidArgumentError } from 'commander';
import { stopAfterBounds, stopAfterSchema } from '../../campaigns/import/stop-after-option.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';

export interface HoldFlags {
  /** Rows. */
  readonly canary?: number;
  /** Percent. */
  readonly stopAfter?: number;
}

export function addHoldOptions(command: Command): Command {
  return command
    .option('--canary <rows>', 'post the first rows of the sheet; hold the rest until resumed', rows)
    .option('--stop-after <percent>', 'pause if more than this share fails or needs a decision', percent)
    .addHelpText('after', '\n--stop-after counts ended rows since the last resume, once there are 20.');
}

/** @returns flags that have no effect because the campaign was imported with other values, as text for people. */
export function ignoredHoldFlags(
  { canary, stopAfter }: HoldFlags,
  campaign: Pick<Campaign, 'canary' | 'stopAfter'>,
): readonly string[] {
  return [
    ...(canary === undefined || canary === campaign.canary ? [] : [`--canary ${canary}`]),
    ...(stopAfter === undefined || stopAfter === campaign.stopAfter ? [] : [`--stop-after ${stopAfter}`]),
  ];
}

function rows(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError('It must be a number of rows, 1 or more.');
}

function percent(text: string): number {
  const share = Number(text.replace(/%$/, ''));
  if (/^\d{1,2}(\.\d+)?%?$/.test(text) && stopAfterSchema.safeParse(share).success) return share;
  throw new InvalidArgumentError(`It must be a percentage ${stopAfterBounds}.`);
}
