/** From a manifest on the command line into a campaign that is there already: by key, posted rows left alone. */

import { CommandError } from '../../cli/exit.ts';
import type { CheckResult } from '../../importers/check/check.ts';
import { nameOf, type RefusedRow } from '../../importers/check/checked-row.ts';
import { CampaignIndex } from '../../importers/into/campaign-index.ts';
import { SheetMerge } from '../../importers/into/merge-sheet.ts';
import { SheetMatcher, type SheetMatches } from '../../importers/into/sheet-matcher.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import { CampaignChangedError } from '../../ledger/merge.ts';
import type { ServiceAccounts } from '../../runtime/accounts.ts';
import { findCampaign, type LedgerSession } from '../../runtime/runtime.ts';
import { checkWithSheet, type ManifestOptions, manifestName } from './check.ts';

export interface IntoOptions
  extends Pick<ManifestOptions, 'file' | 'path' | 'sheet' | 'allowUnknownColumns'> {
  /** Id of the campaign. */
  readonly into: string;
  readonly skipInvalid?: boolean | undefined;
  /** Only find out what would be done. */
  readonly dryRun?: boolean | undefined;
  /** Takes what is about to be done, before anything is. */
  readonly onPlan: (planned: PlannedMerge) => void;
}

/** What an import into a campaign makes of the sheet's rows. */
export interface PlannedMerge {
  readonly campaign: Campaign;
  readonly check: CheckResult;
  readonly matches: SheetMatches;
}

export type Merged =
  /** `moved`: rows that were taken up by workers meanwhile, and stay as they are. */
  | (PlannedMerge & {
      readonly kind: 'merged';
      readonly moved: number;
      readonly problemSheet: string | undefined;
    })
  | (PlannedMerge & { readonly kind: 'planned' })
  | (PlannedMerge & { readonly kind: 'problems' });

/**
 * Imports a sheet into a campaign.
 * @throws {CommandError} for a campaign that is not there, or that somebody else changes at the same time.
 */
export async function mergeInto(
  session: LedgerSession,
  accounts: ServiceAccounts,
  options: IntoOptions,
): Promise<Merged> {
  const { ledger, queues } = session;
  const campaign = await findCampaign(session, options.into);
  if (campaign.cancelledAt !== undefined) {
    throw new CommandError(`campaign ${campaign.id} was cancelled: nothing of it is sent any more`, {
      cure: 'Import the rows that are wanted as a campaign of their own.',
    });
  }
  const index = await CampaignIndex.read(ledger, campaign);
  const matcher = new SheetMatcher(campaign, index, (rows) => ledger.rows.progressOf(campaign.id, rows));
  const merge = new SheetMerge({
    ledger,
    campaign,
    index,
    onRedone: async (rows) => {
      for (const { row, revision } of rows) await queues.removeFlow({ c: campaign.id, r: row, v: revision });
    },
  });
  try {
    const problems =
      options.skipInvalid && !options.dryRun ? `${manifestName(options.file)}.problems.csv` : undefined;
    const leftOut: string[] = [];
    const cameIn: string[] = [];
    const onRefused = (row: RefusedRow) => {
      const name = nameOf(row);
      if (matcher.isNew(name)) leftOut.push(name);
    };
    const { result: check, sheet: problemSheet } = await checkWithSheet(
      session,
      accounts.need(campaign.account),
      { ...options, problems, onRefused, into: { campaign, matcher } },
      async (rows) => {
        if (campaign.leftOut > 0) for (const { key } of rows) if (matcher.isNew(key)) cameIn.push(key);
        await merge.add(rows, matcher.alignment);
      },
    );
    const planned = { campaign, check, matches: matcher.matches };
    if (!mayStart(check, options)) return { kind: 'problems', ...planned };
    options.onPlan(planned);
    if (options.dryRun) return { kind: 'planned', ...planned };
    const moved = await merge.apply({ sha256: check.sha256 ?? '', creators: check.creators });
    await ledger.leftOut.count(campaign.id, { leftOut, cameIn });
    return {
      kind: 'merged',
      ...planned,
      campaign: await findCampaign(session, campaign.id),
      moved,
      problemSheet,
    };
  } catch (error) {
    if (!(error instanceof CampaignChangedError)) throw error;
    throw new CommandError(`${error.message} at the same time`, {
      cure: 'Nothing is lost. Run the same command again: what has been taken in already is found as it is.',
      cause: error,
    });
  } finally {
    await merge.discard();
  }
}

function mayStart(check: CheckResult, { skipInvalid = false }: IntoOptions): boolean {
  if (check.sha256 === null || check.blocking.length > 0) return false;
  return check.problems.total === 0 || skipInvalid;
}
