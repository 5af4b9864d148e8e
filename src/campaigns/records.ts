/** The publishing records, as commands look into them. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../api/errors.ts';
import { CommandError } from '../cli/exit.ts';
import { plural } from '../cli/print/output.ts';
import { serviceError } from '../cli/service-error.ts';
import type { Campaign } from '../ledger/campaigns.ts';
import type { Account } from '../processors/frame/accounts.ts';
import { CampaignViews } from '../processors/frame/campaign-view.ts';
import { reconcileCampaign } from '../processors/records/publishing-records.ts';
import type { RecordTools } from '../processors/records/source.ts';
import { openAccounts } from '../runtime/accounts.ts';
import type { LedgerSession } from '../runtime/runtime.ts';
import { createLog } from '../runtime/workers.ts';

/** A run that has done its work waits no longer for the records, which may have been asked for too often (429). */
const longestLookMs = 30_000;

/**
 * Opens what a look into the records needs, carries it out and closes everything.
 * @throws {CommandError} when no setting says how to look into them, and when they cannot be had.
 */
export async function withRecords(
  session: LedgerSession,
  campaign: Campaign,
  look: (tools: RecordTools) => Promise<void>,
): Promise<void> {
  if (session.settings.api.listPosts === null) {
    throw new CommandError('the setting api.listPosts is missing', {
      cure:
        'It says how the service is asked for its publishing records; docs/settings.md shows its form. Without it ' +
        'rows in review wait for a person, and post_status stays as it was when the post was accepted.',
    });
  }
  await using accounts = openAccounts(session);
  try {
    await look(recordTools(session, accounts.need(campaign.account)));
  } catch (error) {
    throw serviceError(error, 'the publishing records could not be had');
  }
}

/**
 * The last part of working campaigns off: before a person is asked about rows in review, the records are.
 * @returns the campaigns as they are then. A service that does not answer leaves them as they are.
 */
export async function reconcileReviews(
  session: LedgerSession,
  campaigns: readonly Campaign[],
): Promise<readonly Campaign[]> {
  const { ledger, settings, output } = session;
  const inReview = campaigns.filter(({ counts }) => counts.review > 0);
  if (settings.api.listPosts === null || inReview.length === 0) return campaigns;
  // Of its own: the budgets of the workers have ended with them.
  await using accounts = openAccounts(session);
  for (const campaign of inReview) {
    try {
      const tools = recordTools(session, accounts.need(campaign.account));
      const found = await inTime(reconcileCampaign(tools, campaign, { all: false }));
      if (found === undefined) {
        output.say(`The publishing records take long; ask them later with: campaigns refresh ${campaign.id}`);
      } else if (found > 0) output.say(`${plural(found, 'row')} in review found in the publishing records.`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      output.say(`The publishing records could not be had: ${error.message}`);
    }
  }
  return Promise.all(
    campaigns.map(async (campaign) => (await ledger.campaigns.find(campaign.id)) ?? campaign),
  );
}

/** @returns undefined when it takes too long. What it has begun ends when its account is closed. */
async function inTime<T>(look: Promise<T>): Promise<T | undefined> {
  look.catch(() => undefined);
  return Promise.race([look, wait(longestLookMs, undefined, { ref: false })]);
}

function recordTools(session: LedgerSession, { client, budgets }: Account): RecordTools {
  const { environment, ledger, settings } = session;
  const log = createLog(environment.logLevel, { file: join(environment.dataDir, 'campaigns.log') });
  return { ledger, settings, client, budgets, views: new CampaignViews(ledger), now: Date.now, log };
}
