/** From a manifest on the command line to a campaign in the ledger: found again, or checked and imported. */

import { defaultAccount } from '../../../config/access.ts';
import { CommandError, exitCodes } from '../../cli/exit.ts';
import type { CheckResult } from '../../importers/check/check.ts';
import { nameOf } from '../../importers/check/checked-row.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { ServiceAccounts } from '../../runtime/accounts.ts';
import type { LedgerSession } from '../../runtime/runtime.ts';
import { checkWithSheet, findDigest, type ManifestOptions, manifestName, mediaRootOf } from './check.ts';
import { describeKeptOptions } from './kept-options.ts';

export interface StartOptions
  extends Pick<ManifestOptions, 'file' | 'path' | 'sheet' | 'allowUnknownColumns' | 'mediaRoot'> {
  readonly name?: string | undefined;
  /** Account of the service; that of the environment unless given. */
  readonly account?: string | undefined;
  readonly again?: boolean | undefined;
  readonly skipInvalid?: boolean | undefined;
  readonly canary?: number | undefined;
  readonly stopAfter?: number | undefined;
}

export type Started =
  /** `check` is missing for a campaign that was there already: it goes on. */
  | {
      readonly kind: 'campaign';
      readonly campaign: Campaign;
      readonly check: CheckResult | undefined;
      /** The sheet of rows that were left out. */
      readonly problemSheet: string | undefined;
    }
  | { readonly kind: 'problems'; readonly check: CheckResult };

/** @throws {CommandError} when the same manifest has been worked off before. */
export async function startCampaign(
  session: LedgerSession,
  accounts: ServiceAccounts,
  options: StartOptions,
): Promise<Started> {
  const { ledger, settings } = session;
  const { file, again = false } = options;
  if (!again) {
    const sha256 = await findDigest(options);
    const earlier = sha256 === undefined ? undefined : await ledger.campaigns.findByManifest(sha256);
    if (earlier) {
      await sayKeptOptions(session, earlier, options);
      return goOn(accounts, earlier, options);
    }
    const deleted = sha256 === undefined ? undefined : await ledger.campaigns.findDeleted(sha256);
    if (deleted !== undefined) throw wasDeleted(deleted);
  }
  const account = accounts.need(options.account ?? defaultAccount);
  const staged = ledger.newImport();
  const leftOut: string[] = [];
  const problems = options.skipInvalid ? `${manifestName(file)}.problems.csv` : undefined;
  const { result: check, sheet } = await checkWithSheet(
    session,
    account,
    { ...options, problems, onRefused: (row) => leftOut.push(nameOf(row)) },
    (rows) => staged.add(rows),
  );
  const mayStart =
    check.problems.total === 0 || (options.skipInvalid && check.blocking.length === 0 && check.accepted > 0);
  if (!mayStart || check.sha256 === null) {
    await staged.discard();
    return { kind: 'problems', check };
  }
  const { id, created } = await staged.commit({
    name: options.name ?? check.name ?? manifestName(file),
    sha256: check.sha256,
    header: check.header,
    map: options.sheet?.map,
    account: account.name,
    mediaRoot: await mediaRootOf(session, options),
    timezone: settings.timezone,
    source: file,
    window: settings.window,
    leftOut: check.rows - check.accepted,
    creators: check.creators,
    canary: options.canary,
    stopAfter: options.stopAfter,
    again,
  });
  if (created) await ledger.leftOut.remember(id, leftOut);
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new CommandError(`campaign ${id} is gone again`);
  // Somebody else imported the same manifest at the same moment: there is one campaign.
  if (!created) return goOn(accounts, campaign, options);
  return { kind: 'campaign', campaign, check, problemSheet: sheet };
}

function wasDeleted(id: string): CommandError {
  return new CommandError(
    `this manifest was imported before, as campaign ${id}, which was deleted: rows of it were posted`,
    { cure: 'Post every row, also those that were posted before, as a campaign of its own with --again.' },
  );
}

/** Going on must not look as if what is given now had been heeded. */
async function sayKeptOptions(
  session: LedgerSession,
  campaign: Campaign,
  options: StartOptions,
): Promise<void> {
  if (campaign.state === 'ended') return;
  const { name, sheet } = options;
  const mediaRoot = await mediaRootOf(session, options);
  const { timezone } = session.settings;
  const kept = describeKeptOptions(campaign, { name, map: sheet?.map, mediaRoot, timezone });
  if (kept !== null) session.output.say(kept);
}

function goOn(accounts: ServiceAccounts, campaign: Campaign, options: StartOptions): Started {
  const isOther = campaign.account !== (options.account ?? defaultAccount);
  const known = `campaign ${campaign.id}${isOther ? ` of the account ${campaign.account}` : ''}`;
  if (options.account !== undefined && options.account !== campaign.account) {
    throw new CommandError(`this manifest was imported before, as ${known}`, {
      cure: 'Leave --account away to go on with it, or post every row once more with --again.',
    });
  }
  if (campaign.state !== 'ended') {
    accounts.need(campaign.account);
    return { kind: 'campaign', campaign, check: undefined, problemSheet: undefined };
  }
  if (campaign.cancelledAt !== undefined) {
    throw new CommandError(`this manifest was imported before, as ${known}, and cancelled`, {
      cure:
        `See it with: campaigns show ${campaign.id}\n` +
        'Post every row, also those that were posted before, as a campaign of its own with --again.',
    });
  }
  throw new CommandError(`this manifest was worked off before, as ${known}`, {
    exitCode: exitCodes.usage,
    cure:
      `See it with: campaigns show ${campaign.id}\n` +
      `Do its failed rows again with: campaigns retry ${campaign.id}\n` +
      'Post every row once more, as a campaign of its own, with --again.',
  });
}
