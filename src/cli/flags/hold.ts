/** Options that let a new campaign hold itself. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Campaign } from '../../ledger/campaigns.ts';

export interface HoldFlags {
  /** Rows. */
  readonly canary?: number;
  /** Percent. */
  readonly stopAfter?: number;
}

export function addHoldOptions(command: Command): Command {
  return command
    .option('--canary <rows>', 'begin with so many rows, and hold the others until `campaigns resume`', rows)
    .option(
      '--stop-after <percent>',
      'pause when more than this share of the rows that ended (20 or more, counted anew after a resume) failed or needs a decision',
      percent,
    );
}

/** Flags that came too late: a campaign keeps those of its import. @returns them as they are to be named; empty for none. */
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
  throw new InvalidArgumentError('It is a number of rows, 1 or more.');
}

function percent(text: string): number {
  const share = Number(text.replace(/%$/, ''));
  if (/^\d{1,2}(\.\d+)?%?$/.test(text) && share < 100) return share;
  throw new InvalidArgumentError('It is a percentage from 0 to below 100.');
}
