/** The last part of a run: campaigns worked off in this process, their results sheets written, and what became of them. */
import { join } from 'node:path';
import { reconcileReviews } from '../campaigns/records.ts';
import { type Cause, causesOf } from '../campaigns/repair/causes.ts';
import { type ResultsTarget, writeResults } from '../campaigns/results/write.ts';
import type { Campaign } from '../ledger/campaigns.ts';
import type { Accounts } from '../processors/frame/accounts.ts';
import type { LedgerSession } from '../runtime/runtime.ts';
import { createLog, createWorkers } from '../runtime/workers.ts';
import { printSummary } from './print/campaign.ts';
import { workOff } from './work-off.ts';

/** A campaign that has ended or is paused. */
export interface FinishedCampaign {
  readonly campaign: Campaign;
  readonly causes: readonly Cause[];
  /** Absolute path of its results sheet; `undefined` where it went to standard output. */
  readonly results: string | undefined;
}

/**
 * Works campaigns off, writes their sheets, and prints what became of them.
 * @param sheetOf where the results sheet of a campaign goes.
 * @returns undefined when it was interrupted: nothing is lost, and a run goes on.
 * @throws {CommandError} when a sheet cannot be written.
 */
export async function finishCampaigns(
  session: LedgerSession,
  accounts: Accounts,
  campaigns: readonly Campaign[],
  sheetOf: (campaign: Campaign) => ResultsTarget,
): Promise<readonly FinishedCampaign[] | undefined> {
  const { environment, ledger, output } = session;
  const log = createLog(environment.logLevel, { file: join(environment.dataDir, 'campaigns.log') });
  const workers = await createWorkers(session, { accounts, log });
  const worked = await workOff(
    session,
    workers,
    campaigns.map(({ id }) => id),
  );
  if (worked.kind === 'interrupted') return undefined;
  const finished: FinishedCampaign[] = [];
  for (const campaign of await reconcileReviews(session, worked.campaigns)) {
    const { path: results } = await writeResults(session, campaign, sheetOf(campaign));
    const causes = await causesOf(ledger, campaign);
    finished.push({ campaign, causes, results });
    output.print();
    printSummary(output, campaign, causes);
    if (results !== undefined) output.print(`\nResults: ${results}`);
  }
  return finished;
}
