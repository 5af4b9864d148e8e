/** Imports a sheet into an existing campaign, by key. Posted rows are left alone. */
import { resolve } from 'node:path';
import { z } from 'zod';
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import type { CheckSink } from '../../../importers/check/checked-row.ts';
import { type ManifestFile, standardInput } from '../../../importers/open/manifest-file.ts';
import { type AbsentRows, keysKept } from '../../../importers/update/match-group.ts';
import type { SheetMatches } from '../../../importers/update/match-rows.ts';
import { matches } from '../../../importers/update/row-match.ts';
import {
  type ChangedRow,
  changedRowSchema,
  type PassOptions,
  skippedRowsSchema,
  UpdatePass,
} from '../../../importers/update/update-pass.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { CampaignChangedError, type RedoneRow } from '../../../ledger/imports/update.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { isProblemsFile, matchHeader } from '../../../manifest/headers/header.ts';
import { hint } from '../../../manifest/problems/hint.ts';
import type { RowPlace } from '../../../manifest/problems/problem.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import type { Document } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type CampaignRef, findCampaign, idOf } from '../find.ts';
import { refuseCancelled } from '../progress/notes.ts';
import { placeCorrectedRows } from '../results/corrected-rows.ts';
import { keepIgnored } from '../results/ignored-edits.ts';
import {
  choicesOfOwnSheet,
  expectImport,
  type KeptReading,
  keepAsPlan,
  keepOwnSheet,
  removeOwnSheet,
} from '../results/own-sheet.ts';
import { postAgain, type Rechecked, recheckFailed } from '../retry/recheck.ts';
import { checkRules, type ImportOptions } from './check.ts';
import { Edits } from './edits.ts';
import { carryOver } from './next-version.ts';

const match = z.enum([...matches, 'edited']);

/** Number of rows of each kind; keys of the first twenty; cells of the first twenty that change, or whose edits are ignored; what identifies the plan. */
export const matchesSchema = z.strictObject({
  matches: z.record(match, z.int()),
  matchedKeys: z.record(match, z.array(z.string())),
  changes: z.array(changedRowSchema),
  ignored: z.array(changedRowSchema),
  skippedAgain: skippedRowsSchema,
  absent: z
    .strictObject({ count: z.int(), keys: z.array(z.string()).describe('Of the first 20.') })
    .describe('Rows of the campaign that the sheet no longer has, skips or holds: they stay.'),
  digest: z.string(),
});

export interface UpdateCampaignOptions extends ImportOptions {
  /** Plans, and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Receives the plan before anything is changed. Throws to prevent it. */
  readonly onPlan?: ((planned: UpdatePlan) => void | Promise<void>) | undefined;
}

export interface UpdatePlan {
  readonly campaign: Campaign;
  readonly check: CheckResult;
  readonly matches: SheetMatches;
  /** The first of the rows that are changed, cell by cell. */
  readonly changes: readonly ChangedRow[];
  /** The first of the rows that were edited in the sheet, but stay as they are. */
  readonly ignored: readonly ChangedRow[];
  /** Rows that are skipped because they were in the last version. */
  readonly skippedAgain: { readonly count: number; readonly rows: readonly RowPlace[] };
  /** Rows of the campaign that the sheet no longer has, skips or holds: they stay. None for a results sheet, which may have some rows only. */
  readonly absent: AbsentRows;
  /** Why posts of failed rows could not be looked up again; undefined if all could. */
  readonly unread: string | undefined;
  /** Rows that have the key of another row in the sheet. They were matched by what they post, and the campaign keeps its keys. */
  readonly rekeyed: number;
  /** Whether the planner's sheet has other keys than the campaign, or none: rows are named by their lines. */
  readonly isKeyless: boolean;
  /** Identifies the plan: a person agrees to this one. */
  readonly digest: string;
}

/** What becomes of the rows in the campaign. */
export type PlannedUpdate = Omit<UpdatePlan, 'check'>;

export type UpdateResult =
  | (UpdatePlan & {
      readonly kind: 'updated';
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
 * @param sink.onAccepted receives the rows that would be sent.
 * @throws {UseCaseError} `campaign_not_found`, `campaign_cancelled`, `options_differ` for another media root or time zone,
 *   `import_conflict` when somebody else changes the campaign at the same time, and the errors of `checkSheet` and `checkRules`.
 */
export async function updateCampaign(
  runtime: Runtime,
  ref: CampaignRef,
  manifest: ManifestFile,
  given: UpdateCampaignOptions = {},
  sink: CheckSink = {},
): Promise<UpdateResult> {
  const id = idOf(ref);
  const sheet = { ...given.sheet, ...(await choicesOfOwnSheet(runtime, { id }, given.sheet)) };
  const { dryRun: isDryRun = false, skipInvalid = false } = given;
  // Announced before the campaign is read, because an edit from now on would change rows during the check.
  await using _notice = isDryRun ? undefined : await runtime.ledger.edits.announceImport(id);
  const campaign = await findCampaign(runtime, id);
  refuseCancelled(campaign);
  refuseOtherOptions(campaign, given);
  const edits =
    given.edits ?? (await carriedEdits(runtime, campaign, manifest, { ...sheet, again: given.again }));
  const options = { ...given, sheet, edits };
  const rechecked = await recheckFailed(runtime, campaign);
  const postsVersion = options.again ? undefined : await runtime.ledger.posts.version();
  await using pass = await openPass(runtime, { campaign, manifest, rechecked, postsVersion, isDryRun });
  try {
    const update = { campaign, matcher: pass.matcher };
    const writesProblems = skipInvalid && !isDryRun && options.problemsFile !== null;
    const check = await pass.read(await checkRules(runtime, manifest, { ...options, update }), {
      ...sink,
      problems: writesProblems ? `${manifest.name}.problems.csv` : undefined,
    });
    const hasNewKeys = edits?.header([]).some((name) => foldHeader(name) === 'key') ?? false;
    const rekeyed = edits?.rekeyed ?? 0;
    // Her notes are not ignored: the results have them.
    const ignored = await pass.changes('ignored', false);
    const planned = {
      campaign,
      check,
      matches: pass.matcher.matches,
      changes: await pass.changes('changed', true),
      ignored: ignored.slice(0, keysKept),
      skippedAgain: pass.skippedAgain,
      absent: await pass.absent(),
      unread: whyUnread(rechecked),
      rekeyed,
      isKeyless: hasNewKeys || rekeyed > 0,
      digest: pass.matcher.digest.of(check.sha256),
    };
    if (!mayStart(check, skipInvalid)) return { kind: 'problems', ...planned };
    await options.onPlan?.(planned);
    if (isDryRun) return { kind: 'planned', ...planned };
    await postAgain(runtime, campaign, rechecked);
    await expectImport(runtime, campaign, pass.importId);
    const moved = await pass.apply(check);
    const updated = await findCampaign(runtime, id);
    const { places, isWholePlan } = pass.matcher;
    const reading = { ...options, places, isUpdate: true };
    await replaceOwnSheet(runtime, { ...planned, updated, isWholePlan }, manifest, reading);
    const { matches: found, isKeyless } = planned;
    await keepIgnored(runtime, updated, { count: found.edited.count, isKeyless, rows: ignored });
    return { ...planned, kind: 'updated', campaign: updated, moved, problemsFile: check.problemsFile };
  } catch (error) {
    if (!(error instanceof CampaignChangedError)) throw error;
    const fix = 'Nothing is lost. Import the sheet again: it continues with the remaining rows.';
    throw new UseCaseError('import_conflict', `${error.message} at the same time`, { fix, cause: error });
  }
}

async function carriedEdits(
  runtime: Runtime,
  campaign: Campaign,
  manifest: ManifestFile,
  sheet: Parameters<typeof carryOver>[3],
): Promise<Edits | undefined> {
  const carried = await carryOver(runtime, campaign, manifest, sheet);
  return carried && new Edits([{ ...carried, at: runtime.now(), by: campaign.id, of: '' }]);
}

function openPass(
  { ledger, queues }: Runtime,
  { campaign, ...options }: Omit<PassOptions, 'ledger' | 'onRedone'>,
): Promise<UpdatePass> {
  const onRedone = async (rows: readonly RedoneRow[]) => {
    for (const { row, revision } of rows) await queues.removeFlow({ campaign: campaign.id, row, revision });
  };
  return UpdatePass.open({ ...options, ledger, campaign, onRedone });
}

/**
 * Results are written into the new sheet if it has all rows, or is a plan with most of them; else into the earlier one. The next version
 * is compared with the last one of the whole plan.
 */
async function replaceOwnSheet(
  runtime: Runtime,
  plan: UpdatePlan & { readonly updated: Campaign; readonly isWholePlan: boolean },
  manifest: ManifestFile,
  reading: Omit<KeptReading, 'name'>,
): Promise<void> {
  const { updated, check, matches: found, isWholePlan } = plan;
  if (isProblemsFile(check.header)) {
    const { places, sheet = {} } = reading;
    await placeCorrectedRows(runtime, updated, { path: manifest.path, options: sheet, places });
    return;
  }
  const named = matches.reduce((sum, kind) => sum + found[kind].count, 0);
  const { results } = matchHeader(check.header);
  const isPlan = results.length === 0;
  if (named !== updated.rows && !isWholePlan) return;
  await keepAsPlan(runtime, updated);
  const name = isPlan && manifest.file !== standardInput ? manifest.name : undefined;
  const isKept = await keepOwnSheet(runtime, updated, manifest, check, { ...reading, name });
  if (isKept && isPlan) await removeOwnSheet(runtime, updated, ['plan']);
}

function whyUnread(rechecked: Rechecked): string | undefined {
  for (const post of rechecked.values()) if (post.kind === 'unread') return post.why;
  return undefined;
}

/** Refuses another media root or time zone: the sheet's rows become rows of the campaign, which are read with its own. */
function refuseOtherOptions({ id, mediaRoot, timezone }: Campaign, options: UpdateCampaignOptions): void {
  if (options.mediaRoot !== undefined && resolve(options.mediaRoot) !== mediaRoot) {
    throw new UseCaseError('options_differ', `campaign ${id} has another media folder: ${mediaRoot}`, {
      fix: [hint('keep', { option: 'mediaRoot' }), 'Write media paths relative to that folder.'],
    });
  }
  if (options.timezone !== undefined && options.timezone !== timezone) {
    throw new UseCaseError(
      'options_differ',
      timezone === null
        ? `campaign ${id} was imported without a time zone`
        : `campaign ${id} has another time zone: ${timezone}`,
      { fix: [hint('keep', { option: 'timezone' }), 'If you mean another zone, fill in scheduled_tz.'] },
    );
  }
}

/** Without rows with this problem, others would be taken for them. */
export const mistaken = 'key_changed';

function mayStart(check: CheckResult, skipInvalid: boolean): boolean {
  if (check.sha256 === null || check.blocking.length > 0) return false;
  if (check.problems.byCode.has(mistaken)) return false;
  return check.problems.total === 0 || skipInvalid;
}

/** @param agreed `digest` of the plan that a person has agreed to. @throws {UseCaseError} `plan_changed`. */
export function requireAgreed({ digest }: Pick<UpdatePlan, 'digest'>, agreed: string): void {
  if (digest === agreed) return;
  throw new UseCaseError('plan_changed', 'the campaign has changed since the plan was made', {
    fix: 'Look at the new plan.',
  });
}

export function matchesDocument(
  plan: Pick<UpdatePlan, 'matches' | 'changes' | 'ignored' | 'skippedAgain' | 'absent' | 'digest'>,
): Document<typeof matchesSchema> {
  const { matches: found, changes, ignored, skippedAgain, absent, digest } = plan;
  const kinds = match.options;
  const of = <T>(read: (kind: keyof SheetMatches) => T) =>
    Object.fromEntries(kinds.map((kind) => [kind, read(kind)])) as Record<keyof SheetMatches, T>;
  const matchedKeys = of((kind) => found[kind].keys);
  return {
    matches: of((kind) => found[kind].count),
    matchedKeys,
    changes: [...changes],
    ignored: [...ignored],
    skippedAgain: { count: skippedAgain.count, rows: [...skippedAgain.rows] },
    absent: { count: absent.count, keys: [...absent.keys] },
    digest,
  };
}
