/** Imports a sheet into an existing campaign, by key. Posted rows are left alone. */
import { resolve } from 'node:path';
import type { CheckResult } from '../../../importers/check/check.ts';
import { nameOf } from '../../../importers/check/checked-row.ts';
import type { RowSink } from '../../../importers/check/manifest-run.ts';
import { fileBytesOf, type ManifestFile, storedTooMuch } from '../../../importers/open/manifest-file.ts';
import { CampaignIndex } from '../../../importers/update/campaign-index.ts';
import { ChangedCells, type ChangedRow } from '../../../importers/update/changed-cells.ts';
import { SheetMatcher, type SheetMatches } from '../../../importers/update/match-rows.ts';
import { SheetUpdate } from '../../../importers/update/store-rows.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { StagedNames } from '../../../ledger/campaigns/left-out.ts';
import { mostStored } from '../../../ledger/imports/staged-rows.ts';
import { CampaignChangedError } from '../../../ledger/imports/update.ts';
import { hint } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type CampaignRef, findCampaign, idOf } from '../find.ts';
import { keepOwnSheet, removeOwnSheet } from '../results/own-sheet.ts';
import { postAgain, type Rechecked, recheckFailed } from '../retry/recheck.ts';
import { rowsAnew } from '../steer.ts';
import {
  type CheckedManifest,
  checkManifestFile,
  type ManifestCheckOptions,
  type ReadingOptions,
  writtenDelimiter,
} from './check.ts';

/** What the page of a draft learns of each row while the sheet is read. */
export type Observers = Pick<
  ManifestCheckOptions,
  'creators' | 'onHeader' | 'onRefused' | 'onWarning' | 'onUnchanged'
> & {
  /** Receives the rows that would be sent. */
  readonly onAccepted?: RowSink | undefined;
};

/** Options of `mergeInto`. */
export interface IntoOptions extends ReadingOptions {
  /** Import the rows without problems, and write the others to the problems file. */
  readonly skipInvalid?: boolean | undefined;
  /** Null: write no problems file, for a sheet that has no folder of its own. */
  readonly problemsFile?: null | undefined;
  /** Plans, and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Receives the plan before anything is changed. Throws to prevent it. */
  readonly onPlan?: ((planned: UpdatePlan) => void | Promise<void>) | undefined;
}

/** The plan of an import into a campaign, by row. */
export interface UpdatePlan {
  readonly campaign: Campaign;
  readonly check: CheckResult;
  readonly matches: SheetMatches;
  /** The first of the rows that are changed, cell by cell. */
  readonly changes: readonly ChangedRow[];
  /** Why posts of failed rows could not be looked up again; undefined if all could. */
  readonly unread: string | undefined;
}

/** What becomes of the rows in the campaign. */
export type PlannedUpdate = Omit<UpdatePlan, 'check'>;

/** What became of a sheet that was imported into a campaign. */
export type UpdateResult =
  | (UpdatePlan & {
      readonly kind: 'merged';
      /** Number of rows that workers began meanwhile. They stay as they are. */
      readonly moved: number;
      /** Absolute path of the problems file. */
      readonly problemsFile: string | undefined;
    })
  /** A dry run: nothing was changed. */
  | (UpdatePlan & { readonly kind: 'planned' })
  | (UpdatePlan & { readonly kind: 'problems' });

/**
 * Imports a sheet into a campaign.
 * @throws {UseCaseError} `campaign_not_found`, `campaign_cancelled`, `options_differ` for another media root or time zone,
 *   `import_conflict` when somebody else changes the campaign at the same time, and the errors of `checkManifestFile`.
 */
export async function updateCampaign(
  runtime: Runtime,
  ref: CampaignRef,
  manifest: ManifestFile,
  options: IntoOptions = {},
): Promise<UpdateResult> {
  return update(runtime, ref, manifest, options);
}

/**
 * Plans the same, and changes nothing. The page of a draft sees each row.
 * @throws {UseCaseError} as `mergeInto`.
 */
export function planInto(
  runtime: Runtime,
  ref: CampaignRef,
  manifest: ManifestFile,
  options: IntoOptions & Observers,
): Promise<UpdateResult> {
  return update(runtime, ref, manifest, { ...options, dryRun: true });
}

async function update(
  runtime: Runtime,
  ref: CampaignRef,
  manifest: ManifestFile,
  options: IntoOptions & Observers,
): Promise<UpdateResult> {
  const id = idOf(ref);
  // Announced before the campaign is read, because an edit from now on would change rows during the check.
  await using _notice = options.dryRun ? undefined : await runtime.ledger.edits.announceImport(id);
  const campaign = await findCampaign(runtime, id);
  refuseCancelled(campaign);
  refuseOtherOptions(campaign, options);
  const rechecked = await recheckFailed(runtime, campaign);
  const postsVersion = options.again ? undefined : await runtime.ledger.posts.version();
  const pass = await openPass(
    runtime,
    campaign,
    rechecked,
    postsVersion,
    mostStored(await fileBytesOf(manifest)),
  );
  try {
    await using leftOut = runtime.ledger.leftOut.stage();
    await using cameIn = runtime.ledger.leftOut.stage();
    const names = options.dryRun ? undefined : { leftOut, cameIn };
    const { check, problemsFile } = await readSheet(runtime, manifest, pass, names, options);
    const planned = {
      campaign,
      check,
      matches: pass.matcher.matches,
      changes: await pass.changed.compare(runtime.ledger, campaign, pass.index),
      unread: whyUnread(rechecked),
    };
    if (!mayStart(check, options)) return { kind: 'problems', ...planned };
    await options.onPlan?.(planned);
    if (options.dryRun) return { kind: 'planned', ...planned };
    await postAgain(runtime, campaign, rechecked);
    const moved = await pass.update.apply({
      sha256: check.sha256 ?? '',
      delimiter: check.format?.kind === 'csv' ? writtenDelimiter(check.format) : undefined,
      creators: check.creators,
    });
    await runtime.ledger.leftOut.count(id, { leftOut, cameIn });
    const updated = await findCampaign(runtime, id);
    await replaceOwnSheet(runtime, { campaign, updated }, manifest, check, options);
    return { ...planned, kind: 'merged', campaign: updated, moved, problemsFile };
  } catch (error) {
    if (!(error instanceof CampaignChangedError)) throw storedTooMuch(error);
    throw new UseCaseError('import_conflict', `${error.message} at the same time`, {
      cure: 'Nothing is lost. Import the sheet again: it continues with the remaining rows.',
      cause: error,
    });
  } finally {
    await pass.update.discard();
  }
}

/** Results are written into the new sheet if it has all rows, else into the earlier one as long as that has them. */
async function replaceOwnSheet(
  runtime: Runtime,
  { campaign, updated }: { readonly campaign: Campaign; readonly updated: Campaign },
  manifest: ManifestFile,
  check: CheckResult,
  { sheet }: IntoOptions,
): Promise<void> {
  if (check.rows === updated.rows) await keepOwnSheet(runtime, updated, manifest, check, sheet);
  else if (updated.rows !== campaign.rows) await removeOwnSheet(runtime, updated);
}

/** One pass over the sheet. Each row is matched with the campaign, compared with what is there, and staged. */
interface Pass {
  readonly campaign: Campaign;
  readonly index: CampaignIndex;
  readonly matcher: SheetMatcher;
  readonly changed: ChangedCells;
  readonly update: SheetUpdate;
}

async function openPass(
  { ledger, queues }: Runtime,
  campaign: Campaign,
  rechecked: Rechecked,
  postsVersion: string | undefined,
  mostBytes: number,
): Promise<Pass> {
  const index = await CampaignIndex.read(ledger, campaign, rechecked);
  const matcher = new SheetMatcher({ ...campaign, ledger: await ledger.format.id() }, index, (rows) =>
    ledger.rows.progressOf(campaign.id, rows),
  );
  const update = new SheetUpdate({
    ledger,
    campaign,
    index,
    postsVersion,
    mostBytes,
    onRedone: async (rows) => {
      for (const { row, revision } of rows) await queues.removeFlow({ campaign: campaign.id, row, revision });
    },
  });
  return { campaign, index, matcher, changed: new ChangedCells(matcher), update };
}

/** Keys of new rows, for a merge. */
interface NewRows {
  /** Those that have problems. */
  readonly leftOut: StagedNames;
  /** Those that are imported. None if the campaign has left no row out so far. */
  readonly cameIn: StagedNames;
}

/** Checks the sheet and stages its rows. Changes nothing in the campaign. */
async function readSheet(
  runtime: Runtime,
  manifest: ManifestFile,
  { campaign, matcher, changed, update }: Pass,
  names: NewRows | undefined,
  options: IntoOptions & Observers,
): Promise<CheckedManifest> {
  const writesProblems = options.skipInvalid && !options.dryRun && options.problemsFile !== null;
  return checkManifestFile(
    runtime,
    manifest,
    {
      ...options,
      problems: writesProblems ? `${manifest.name}.problems.csv` : undefined,
      onRefused: async (row) => {
        await options.onRefused?.(row);
        const name = nameOf(row);
        if (matcher.isNew(name)) await names?.leftOut.add(name);
      },
      onLeftOut: (name) => {
        if (matcher.isNew(name)) names?.leftOut.push(name);
      },
      into: { campaign, matcher },
    },
    async (rows) => {
      if (campaign.leftOut > 0)
        for (const { key } of rows) if (matcher.isNew(key)) await names?.cameIn.add(key);
      await names?.leftOut.write();
      await options.onAccepted?.(rows);
      changed.add(rows);
      await update.add(rows, matcher.alignment);
    },
  );
}

function whyUnread(rechecked: Rechecked): string | undefined {
  for (const post of rechecked.values()) if (post.kind === 'unread') return post.why;
  return undefined;
}

function refuseCancelled(campaign: Campaign): void {
  if (campaign.cancelledAt === undefined) return;
  throw new UseCaseError(
    'campaign_cancelled',
    `campaign ${campaign.id} was cancelled: its rows are not resent`,
    { cure: rowsAnew(campaign) },
  );
}

/** Refuses another media root or time zone: the sheet's rows become rows of the campaign, which are read with its own. */
function refuseOtherOptions({ id, mediaRoot, timezone }: Campaign, options: IntoOptions): void {
  if (options.mediaRoot !== undefined && resolve(options.mediaRoot) !== mediaRoot) {
    throw new UseCaseError('options_differ', `campaign ${id} has another media folder: ${mediaRoot}`, {
      cure: [hint('keep', { option: 'mediaRoot' }), 'Write media paths relative to that folder.'],
    });
  }
  if (options.timezone !== undefined && options.timezone !== timezone) {
    throw new UseCaseError(
      'options_differ',
      timezone === null
        ? `campaign ${id} was imported without a time zone`
        : `campaign ${id} has another time zone: ${timezone}`,
      { cure: [hint('keep', { option: 'timezone' }), 'Fill in scheduled_tz where another zone is meant.'] },
    );
  }
}

function mayStart(check: CheckResult, { skipInvalid = false }: IntoOptions): boolean {
  if (check.sha256 === null || check.blocking.length > 0) return false;
  return check.problems.total === 0 || skipInvalid;
}

/** Numbers of rows that a person has agreed to. */
export type AgreedRows = Readonly<Record<'new' | 'changed' | 'redone', number>>;

export function rowsOf(matches: SheetMatches): AgreedRows {
  return { new: matches.new.count, changed: matches.changed.count, redone: matches.redone.count };
}

function isAgreed(matches: SheetMatches, agreed: AgreedRows): boolean {
  const now = rowsOf(matches);
  return now.new === agreed.new && now.changed === agreed.changed && now.redone === agreed.redone;
}

/** @throws {UseCaseError} `plan_changed`. */
export function requireAgreed(matches: SheetMatches, agreed: AgreedRows): void {
  if (!isAgreed(matches, agreed)) throw planChanged();
}

function planChanged(): UseCaseError {
  return new UseCaseError('plan_changed', 'the campaign has changed since the plan was made', {
    cure: 'Look at the new plan.',
  });
}
