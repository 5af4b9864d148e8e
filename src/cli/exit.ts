/** Exit codes, and the errors that end a command with one. */
import type { Campaign } from '../ledger/campaigns/campaign.ts';

export const exitCodes = {
  /** All rows posted, or ready for their day; or nothing to do. */
  ok: 0,
  /** The manifest has problems; nothing was sent. */
  problems: 1,
  /** Wrong usage or settings; Redis or the service is not reachable; the manifest was imported before and has ended. */
  usage: 2,
  /** Ended, with rows failed, in review, cancelled or left out; or not done for every row. */
  incomplete: 3,
  /** The campaign is paused. */
  paused: 4,
  /** Interrupted; `campaigns run` goes on. */
  interrupted: 130,
} as const;

/** Wrong use of the command line, or a no to a question: `message` says what is wrong, `fix` what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  readonly fix: string | undefined;

  constructor(
    message: string,
    options: { exitCode?: number; fix?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? exitCodes.usage;
    this.fix = options.fix;
  }
}

/** Exit code for the state of a campaign. */
export function exitCodeOf({ state, counts, rows, leftOut }: Campaign): number {
  if (state === 'paused') return exitCodes.paused;
  return counts.posted + counts.ready === rows && leftOut === 0 ? exitCodes.ok : exitCodes.incomplete;
}
