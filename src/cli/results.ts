/** Writes the results sheet of a campaign for a command. */
import type { Campaign } from '../ledger/campaigns.ts';
import { resultLines } from '../reports/results-sheet.ts';
import { SheetWriteError, writeSheet } from '../reports/sheet-file.ts';
import { CommandError } from './exit.ts';
import type { LedgerSession } from './ledger-session.ts';

/** @returns the absolute path. @throws {CommandError} when it cannot be written. */
export async function writeResults(
  session: LedgerSession,
  campaign: Campaign,
  file: string,
): Promise<string> {
  try {
    return await writeSheet(file, resultLines(session.ledger, campaign));
  } catch (error) {
    if (!(error instanceof SheetWriteError)) throw error;
    throw new CommandError(error.message, {
      cure: `Nothing is lost. Write it elsewhere with: campaigns report ${campaign.id} --out FILE`,
      cause: error,
    });
  }
}
