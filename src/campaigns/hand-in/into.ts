/** Imports a sheet into an existing campaign, by key. Posted rows are left alone. */
import { resolve } from 'node:path';
import type { CheckResult } from '../../importers/check/check.ts';
import { nameOf, type RefusedRow } from '../../importers/check/checked-row.ts';
import { CampaignIndex } from '../../importers/into/campaign-index.ts';
import { ChangedCells, type ChangedRow } from '../../importers/into/changed-cells.ts';
import { SheetMatcher, type SheetMatches } from '../../importers/into/match-rows.ts';
import { SheetMerge } from '../../importers/into/store-rows.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { CampaignChangedError } from '../../ledger/imports/merge.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { findCampaign } from '../find.ts';
import { cureOf, rowsAnew } from '../repair/cancelled.ts';
import { postAgain, recheckFailed } from '../repair/recheck.ts';
import { checkManifestFile, type ManifestCheckOptions, type ReadingOptions } from './check.ts';
import { writtenDelimiter } from './delimiter.ts';
import type { ManifestFile } from './manifest-file.ts';

export interface IntoOptions extends ReadingOptions {
  readonly skipInvalid?: boolean | undefined;
  /** Null: write no problems file, for a sheet that has no folder of its own. */
  readonly problemsFile?: null | undefined;
  /** Only plan, change nothing. */
  readonly dryRun?: boolean | undefined;
  /** Receives the rows of the sheet as they are read. */
  readonly onRead?: ManifestCheckOptions['onRead'];
  /** Receives the plan before anything is changed. */
  readonly onPlan: (planned: PlannedMerge) => void;
}

/** What an import into a campaign would do with the sheet's rows. */
export interface PlannedMerge {
  readonly campaign: Campaign;
  readonly check: CheckResult;
  readonly matches: SheetMatches;
  /** The first of the rows that are changed, cell by cell. */
  readonly changes: readonly ChangedRow[];
  /** Why posts of failed rows could not be looked up again; undefined when all could. */
  readonly unread: string | undefined;
}

export type Merged =
  | (PlannedMerge & {
      readonly kind: 'merged';
      /** Number of rows that workers took up in the meantime, and that stay as they are. */
      readonly moved: number;
      /** Absolute path of the problems file. */
      readonly problemsFile: string | undefined;
    })
  /** A dry run: nothing was changed. */
  | (PlannedMerge & { readonly kind: 'planned' })
  | (PlannedMerge & { readonly kind: 'problems' });

/**
 * Imports a sheet into a campaign.
 * @throws {UseCaseError} `campaign_not_found`, `campaign_cancelled`, `options_differ` for another media root or time zone,
 *   `import_conflict` when somebody else changes the campaign at the same time, and the errors of `checkManifestFile`.
 */
export async function mergeInto(
  runtime: Runtime,
  manifest: ManifestFile,
  id: string,
  options: IntoOptions,
): Promise<Merged> {
  const { ledger, queues, accounts } = runtime;
  // Before the campaign is read: rows that a person edits from now on would change under the check.
  await using _notice = options.dryRun ? undefined : await ledger.edits.announceImport(id);
  const campaign = await findCampaign(runtime, id);
  if (campaign.cancelledAt !== undefined) {
    throw new UseCaseError(
      'campaign_cancelled',
      `campaign ${id} was cancelled: its rows are not sent again`,
      { cure: cureOf(rowsAnew(campaign)) },
    );
  }
  refuseOtherOptions(campaign, options);
  const rechecked = await recheckFailed(runtime, campaign);
  const index = await CampaignIndex.read(ledger, campaign, rechecked);
  const matcher = new SheetMatcher({ ...campaign, ledger: await ledger.format.id() }, index, (rows) =>
    ledger.rows.progressOf(id, rows),
  );
  const changed = new ChangedCells(matcher);
  const merge = new SheetMerge({
    ledger,
    campaign,
    index,
    onRedone: async (rows) => {
      for (const { row, revision } of rows) await queues.removeFlow({ c: id, r: row, v: revision });
    },
  });
  try {
    const leftOut: string[] = [];
    const cameIn: string[] = [];
    const onRefused = (row: RefusedRow) => {
      const name = nameOf(row);
      if (matcher.isNew(name)) leftOut.push(name);
    };
    const { check, problemsFile } = await checkManifestFile(
      runtime,
      manifest,
      accounts.need(campaign.account),
      {
        ...options,
        problems:
          options.skipInvalid && !options.dryRun && options.problemsFile !== null
            ? `${manifest.name}.problems.csv`
            : undefined,
        onRefused,
        into: { campaign, matcher },
      },
      async (rows) => {
        if (campaign.leftOut > 0) for (const { key } of rows) if (matcher.isNew(key)) cameIn.push(key);
        changed.add(rows);
        await merge.add(rows, matcher.alignment);
      },
    );
    const unread = [...rechecked.values()].find(({ kind }) => kind === 'unread');
    const why = unread?.kind === 'unread' ? unread.why : undefined;
    const changes = await changed.compare(ledger, campaign, index);
    const planned = { campaign, check, matches: matcher.matches, changes, unread: why };
    if (!mayStart(check, options)) return { kind: 'problems', ...planned };
    options.onPlan(planned);
    if (options.dryRun) return { kind: 'planned', ...planned };
    await postAgain(runtime, campaign, rechecked);
    const moved = await merge.apply({
      sha256: check.sha256 ?? '',
      delimiter: check.format?.kind === 'csv' ? writtenDelimiter(check.format) : undefined,
      creators: check.creators,
    });
    await ledger.leftOut.count(id, { leftOut, cameIn });
    return { ...planned, kind: 'merged', campaign: await findCampaign(runtime, id), moved, problemsFile };
  } catch (error) {
    if (!(error instanceof CampaignChangedError)) throw error;
    throw new UseCaseError('import_conflict', `${error.message} at the same time`, {
      cure: 'Nothing is lost. Run the same command again: it goes on with the rows that are left.',
      cause: error,
    });
  } finally {
    await merge.discard();
  }
}

/** The campaign's rows are read with its own media root and time zone: the sheet's rows become rows of it. */
function refuseOtherOptions({ id, mediaRoot, timezone }: Campaign, options: IntoOptions): void {
  if (options.mediaRoot !== undefined && resolve(options.mediaRoot) !== mediaRoot) {
    throw new UseCaseError('options_differ', `campaign ${id} has another media root: ${mediaRoot}`, {
      cure: 'Leave --media-root away, and write media paths relative to that folder.',
    });
  }
  if (options.timezone !== undefined && options.timezone !== timezone) {
    throw new UseCaseError(
      'options_differ',
      timezone === null
        ? `campaign ${id} was imported without a time zone`
        : `campaign ${id} has another time zone: ${timezone}`,
      { cure: 'Leave --timezone away, and fill in scheduled_tz where another zone is meant.' },
    );
  }
}

function mayStart(check: CheckResult, { skipInvalid = false }: IntoOptions): boolean {
  if (check.sha256 === null || check.blocking.length > 0) return false;
  return check.problems.total === 0 || skipInvalid;
}
