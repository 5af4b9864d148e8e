/** Starts a draft as a campaign: exactly as the person saw it, or not at all. */

import { createHash } from 'node:crypto';
import type { CheckResult } from '../../importers/check/check-sheet.ts';
import { codesOfRepeats } from '../../importers/repeats/repeat-problems.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { readLead } from '../../manifest/campaign-options.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { describePlace } from '../../manifest/problems/problem.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural } from '../../manifest/wording.ts';
import type { SheetRow } from '../../sheets/sheet.ts';
import { findCampaign } from '../campaigns/find.ts';
import { aliasesOf } from '../campaigns/import/aliases.ts';
import { findEarlierImport } from '../campaigns/import/earlier-import.ts';
import { startCampaign } from '../campaigns/import/start.ts';
import {
  mistaken,
  requireAgreed,
  type UpdatePlan,
  type UpdateResult,
  updateCampaign,
} from '../campaigns/import/update.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CheckKnowledge } from './check/draft-check.ts';
import { ReplacedFiles } from './check/files-of-others.ts';
import {
  carryOverAnew,
  importDigest,
  newMediaOf,
  refuseReplaced,
  sheetOf,
  sheetOptionsOf,
  updatedCampaign,
} from './check/inputs.ts';
import { type Draft, draftRefused } from './draft.ts';
import { changeDraft, findDraft, markStarting } from './drafts.ts';
import { draftKeptMs } from './expiry.ts';
import { bringMedia, draftMediaRoot, findOtherVersions, refuseUnused, settleFiles } from './files/media.ts';
import { draftFiles, draftMediaFolder } from './folder.ts';
import { carryComments } from './store/comments.ts';
import { DraftDatabase } from './store/database.ts';
import { readEdits } from './store/edits.ts';
import { knownProducts } from './suggestions/known-names.ts';
import type { CheckedDraft } from './view.ts';

export interface AgreedStart {
  readonly by: string;
  /** Version of the draft that the person saw. */
  readonly version: number;
  /** Number of posts on the button; of an update, of the rows that it sends. */
  readonly rows: number;
  /** `digest` of the plan, for a sheet that updates a campaign. */
  readonly update?: string | undefined;
  /** Whether the person knows that rows may be posts that exist already. */
  readonly mayPostTwice?: boolean | undefined;
}

export interface StartedDraft {
  readonly campaign: Campaign;
  /** False if an earlier start created the campaign, such as the first of two presses. */
  readonly isNew: boolean;
  /** Of an update: whether rows with problems were left for later, or media would be lost with the draft. */
  readonly left?: boolean;
}

/**
 * Checks the sheet as `campaigns import` does, imports it, and wakes the workers.
 * @throws {UseCaseError} `plan_changed` if another number of rows would be posted, or rows have problems that were not agreed to be left
 *   out; `posts_exist` if rows may be posts that exist already, and that was not agreed; `draft_changed` if somebody changed the draft since; `manifest_known` if the sheet was imported before, and that campaign has
 *   ended; `draft_refused` without a sheet, or if media are not as they were uploaded; as `startCampaign`. Then nothing is imported.
 */
export async function startDraft(runtime: Runtime, id: string, agreed: AgreedStart): Promise<StartedDraft> {
  if ((await findDraft(runtime, id)).into !== undefined) return update(runtime, id, agreed);
  const earlier = await startedBefore(runtime, id);
  if (earlier !== undefined) return earlier;
  try {
    return await start(runtime, id, agreed);
  } catch (error) {
    // Of two concurrent starts, the second waits for the first.
    const isChanged = error instanceof UseCaseError && error.code === 'draft_changed';
    const campaign = isChanged ? await startedBefore(runtime, id) : undefined;
    if (campaign === undefined) throw error;
    return campaign;
  }
}

async function startedBefore(runtime: Runtime, id: string): Promise<StartedDraft | undefined> {
  const { campaign } = await findDraft(runtime, id);
  return campaign === undefined
    ? undefined
    : { campaign: await findCampaign(runtime, campaign), isNew: false };
}

async function start(runtime: Runtime, id: string, agreed: AgreedStart): Promise<StartedDraft> {
  const { by, version } = agreed;
  let started: StartedDraft | undefined;
  await changeDraft(runtime, id, { by, version, what: 'started it' }, async (draft) => {
    const ledger = await runtime.ledger.format.id();
    const own = draft.starting && (await findOwn(runtime, draft));
    started = own ? { campaign: own, isNew: false } : await startMarked(runtime, draft, agreed);
    await carryComments(runtime, draft, started.campaign);
    return { campaign: started.campaign.id, ledger, starting: undefined };
  });
  if (started === undefined) throw new TypeError('the change was made');
  const { campaign } = started;
  if (campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
  return started;
}

/** Rows with problems may stay for later: then the draft stays, with all rows. */
async function update(
  runtime: Runtime,
  id: string,
  { by, version, update: agreed, ...start }: AgreedStart,
): Promise<StartedDraft> {
  let updated: UpdateResult | undefined;
  let isBrought = true;
  await changeDraft(runtime, id, { by, version, what: 'updated the campaign' }, async (draft) => {
    if (draft.sheet === undefined || draft.into === undefined) throw draftRefused('it has no sheet yet');
    const campaign = await updatedCampaign(runtime, draft);
    const replaced = new ReplacedFiles(await findOtherVersions(runtime, id, campaign));
    const { leaveOutProblems } = draft.options;
    const mediaRoot = await draftMediaRoot(runtime, id);
    const rules = await checkedAs(runtime, draft);
    const { edits } = rules;
    const carried = await carryOverAnew(runtime, draft, edits, mediaRoot);
    if (carried !== undefined) edits.add(carried, edits.revision);
    const options = {
      ...rules,
      sheet: sheetOptionsOf(draft.reading),
      skipInvalid: leaveOutProblems,
      problemsFile: null,
      newMedia: await newMediaOf(runtime, draft),
      onPlan: async (plan: UpdatePlan) => {
        await refuseReplaced(runtime, draft, plan.check);
        refuseOthers(plan.check, start, leaveOutProblems ?? false);
        if (agreed !== undefined) requireAgreed(plan, agreed);
        refuseUnused(replaced.unused);
        isBrought = await bringMedia(runtime, id, plan.campaign, by);
      },
    };
    let rows = 0;
    const onRead = (read: readonly SheetRow[]) => {
      for (const row of read) {
        rows += 1;
        replaced.note(rows, edits.apply(row, rows).cells);
      }
    };
    const manifest = sheetOf(runtime, draft, mediaRoot);
    updated = await updateCampaign(runtime, draft.into, manifest, options, { onRead });
    if (updated.kind === 'problems') throw planChanged(updated.check, start.rows);
    return { updatedWith: draft.sheet.sha256 };
  });
  if (updated?.kind !== 'updated') throw new TypeError('the change was made');
  const { campaign, check } = updated;
  if (campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
  return { campaign, isNew: true, left: check.problems.total > 0 || !isBrought };
}

/** As the page checks it, so that the same rows have problems. */
async function checkedAs(runtime: Runtime, draft: Draft) {
  using database = await DraftDatabase.open(draftFiles(runtime, draft.id).database);
  const lists = database.fact<CheckKnowledge>('knowledge')?.lists;
  const products = knownProducts(lists, await aliasesOf(runtime, 'product'));
  return { edits: await readEdits(database, draft), products, isAsked: true };
}

/** If this process ends after the import, the mark protects the media of the campaign. */
async function startMarked(runtime: Runtime, draft: Draft, agreed: AgreedStart): Promise<StartedDraft> {
  const { by } = agreed;
  let isMarked = draft.starting === true;
  try {
    const sha256 = await importDigest(runtime, draft);
    const known = sha256 && (await findEarlierImport(runtime, sha256));
    if (known) throw known.kind === 'campaign' ? knownAs(known.campaign) : wasDeleted(known.id);
    await settleFiles(runtime, draft.id, by);
    isMarked = true;
    await markStarting(runtime, draft, true);
    return await importDraft(runtime, draft, agreed);
  } catch (error) {
    if (isMarked && !(await mayBeImported(runtime, draft))) await markStarting(runtime, draft, undefined);
    throw error;
  }
}

/** The campaign that a start of this draft has made. Another draft may have the same sheet, with other edits and options. */
function findOwn({ ledger }: Runtime, draft: Draft): Promise<Campaign | undefined> {
  return ledger.campaigns.findByOrigin(originOf(draft));
}

/** Only a sure no may let the media be removed. Its origin is forgotten in the end, but a campaign names the folder of its media. */
async function mayBeImported(runtime: Runtime, draft: Draft): Promise<boolean> {
  try {
    if ((await findOwn(runtime, draft)) !== undefined) return true;
    const media = draftMediaFolder(runtime, draft.id);
    return (await runtime.ledger.campaigns.listAll()).some(({ mediaRoot }) => mediaRoot === media);
  } catch {
    return true;
  }
}

function originOf({ id, createdAt }: Draft): string {
  return createHash('sha256').update(`draft ${id} ${createdAt}`).digest('base64url');
}

async function importDraft(runtime: Runtime, draft: Draft, agreed: AgreedStart): Promise<StartedDraft> {
  if (draft.sheet === undefined) throw draftRefused('the draft has no sheet yet', 'Add a sheet first.');
  const { leaveOutProblems, lead, ...options } = draft.options;
  const mediaRoot = await draftMediaRoot(runtime, draft.id);
  const started = await startCampaign(runtime, sheetOf(runtime, draft, mediaRoot), {
    ...options,
    ...(await checkedAs(runtime, draft)),
    lead: lead === undefined ? undefined : readLead(lead),
    mediaRoot,
    sheet: sheetOptionsOf(draft.reading),
    timezone: draft.reading.timezone,
    origin: originOf(draft),
    originMs: draftKeptMs,
    skipInvalid: leaveOutProblems,
    problemsFile: null,
    startedBy: agreed.by,
    onChecked: async (check) => {
      await refuseReplaced(runtime, draft, check);
      refuseOthers(check, agreed, leaveOutProblems ?? false);
    },
  });
  if (started.kind === 'problems') throw planChanged(started.check, agreed.rows);
  if (started.kind === 'known') throw knownAs(started.campaign);
  return { campaign: started.campaign, isNew: started.kind === 'imported' };
}

/** The sheet was started, but not from this draft: the campaign may have other rows. */
function knownAs({ id }: Campaign): UseCaseError {
  return new UseCaseError('manifest_known', `the sheet was started before, as campaign ${id}`, {
    fix: 'To change its rows, update that campaign with a corrected sheet on its page.',
  });
}

function wasDeleted(id: string): UseCaseError {
  return new UseCaseError(
    'manifest_known',
    `the sheet was started before, as campaign ${id}, which was deleted after rows of it were posted`,
    { fix: 'Import a sheet with only the rows to post now.' },
  );
}

function refuseOthers(
  check: CheckResult,
  { rows, mayPostTwice }: Pick<AgreedStart, 'rows' | 'mayPostTwice'>,
  leavesOut: boolean,
): void {
  const mayStart = check.blocking.length === 0 && (leavesOut || check.problems.total === 0);
  if (!mayStart || check.accepted !== rows) throw planChanged(check, rows);
  const twice = codesOfRepeats.reduce((sum, code) => sum + (check.warnings.byCode.get(code) ?? 0), 0);
  if (twice === 0 || mayPostTwice) return;
  throw new UseCaseError('posts_exist', `${plural(twice, 'row')} may be posted twice`, {
    fix: ['Look at the posts that exist already.', hint('mayPostTwice')],
  });
}

/** How many rows may be a post that exists already: only a tick starts them. */
export function mayBePosted({ again, warnings }: CheckedDraft): number {
  const [repeated, atAnotherTime] = codesOfRepeats.map((code) =>
    warnings.reduce((sum, group) => sum + (group.code === code ? group.count : 0), 0),
  );
  return Math.max(again, repeated ?? 0) + (atAnotherTime ?? 0);
}

function planChanged({ accepted, problems }: CheckResult, agreed: number): UseCaseError {
  const others = `${plural(accepted, 'row')} can be posted now, not ${agreed.toLocaleString('en')}`;
  const moved = problems.kept.find(({ code }) => code === mistaken);
  const faulty = new Set(problems.kept.map(describePlace)).size;
  const faults =
    problems.total === 0
      ? 'all rows of the sheet are skipped'
      : moved === undefined
        ? `${plural(faulty, 'row has', 'rows have')} problems now`
        : `the key on ${describePlace(moved)} may be another row's`;
  return new UseCaseError('plan_changed', accepted === agreed ? faults : others, {
    fix: 'Check the current sheet, then start it again.',
  });
}
