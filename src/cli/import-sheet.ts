/** `run` and `import` import a sheet, as a new campaign or into an existing one, and print what became of it. */

import { campaignDocument } from '../app/campaigns/find.ts';
import { describeCanary } from '../app/campaigns/import/canary.ts';
import { checkDocument } from '../app/campaigns/import/check.ts';
import { readingLike } from '../app/campaigns/import/like-campaign.ts';
import { fetchSheet, isSheetAddress } from '../app/campaigns/import/sheet-address.ts';
import { type Started, startCampaign } from '../app/campaigns/import/start.ts';
import {
  matchesDocument,
  type UpdatePlan,
  type UpdateResult,
  updateCampaign,
} from '../app/campaigns/import/update.ts';
import { knownNames } from '../app/drafts/suggestions/known-names.ts';
import { sheetOperations } from '../app/operations/sheets.ts';
import { commandLine } from '../app/runtime/command-line.ts';
import { systemUser } from '../app/runtime/machine.ts';
import type { CheckResult } from '../importers/check/check-sheet.ts';
import { type OpenManifest, openManifest } from '../importers/open/manifest-file.ts';
import type { Campaign } from '../ledger/campaigns/campaign.ts';
import { plural } from '../manifest/wording.ts';
import { type RowChoice, rowChoices, type SheetOptions } from '../sheets/sheet.ts';
import { cleanBeforeEnding, exitCodes } from './exit.ts';
import { canAsk, unlessInterrupted } from './flags/common.ts';
import { type ImportFlags, ignoredHoldFlags, refuseUnfitting } from './flags/import.ts';
import { readSheetOptions, saveColumnMap } from './flags/sheet.ts';
import type { Output } from './print/output.ts';
import { printFormat, printPlan, printProblems, printVerdict, printWarnings } from './print/problems.ts';
import { ask, widthFor } from './print/terminal.ts';
import { printPlannedUpdate } from './print/update.ts';
import { fold, unbroken } from './print/wrap.ts';
import type { Session } from './session.ts';

/**
 * Imports a sheet, or updates a campaign with it. Prints only the plan of an update, because people must see it before the merge.
 * @throws {CommandError} for flags that do not go together. @throws {UseCaseError} as the use cases do.
 */
export async function importOrUpdate(
  { runtime, output, record }: Session,
  file: string,
  flags: ImportFlags,
): Promise<ImportOutcome> {
  refuseUnfitting(flags);
  const asked = await readSheetOptions(flags);
  await using manifest = await openPipeOrFile(runtime, file);
  const like = flags.into === undefined ? {} : await readingLike(runtime, flags.into, manifest, asked);
  const sheet = { ...asked, ...like };
  const options = { ...flags, sheet, ...(await knownNames(runtime, manifest, sheet)) };
  const take = (choices: DoubtChoices): Promise<ImportOutcome> => {
    const given = { ...options, sheet: { ...sheet, ...choices } };
    if (flags.into === undefined)
      return startCampaign(runtime, manifest, { ...given, startedBy: systemUser() });
    const onPlan = (planned: UpdatePlan) => printPlannedUpdate(output, planned);
    return updateCampaign(runtime, flags.into, manifest, { ...given, onPlan });
  };
  const first = await take({});
  const choices = first.kind === 'problems' ? await askAboutDoubts(first.check, output.json) : undefined;
  const outcome = choices === undefined ? first : await take(choices);
  // Keep a mapping only after it has worked for a sheet.
  if (outcome.kind !== 'known' && outcome.kind !== 'problems') await saveColumnMap(flags, options.sheet.map);
  if (outcome.kind === 'imported') {
    if (flags.canary !== undefined) {
      const { accepted, canary } = outcome.check;
      output.say(describeCanary(canary, flags.canary, { accepted, now: runtime.now() }));
    }
    await record(sheetOperations.importSheet, {}, campaignDocument(outcome.campaign));
  } else if (outcome.kind === 'updated') {
    const { campaign } = outcome;
    await record(sheetOperations.importInto, { id: campaign.id }, campaignDocument(campaign));
  }
  return outcome;
}

type DoubtChoices = Pick<SheetOptions, 'ownStatus' | 'hidden'>;

/**
 * Asks what to do with rows that may not be meant to be posted, if the sheet has no other problem.
 * @returns undefined if nobody answers.
 */
async function askAboutDoubts({ problems }: CheckResult, json: boolean): Promise<DoubtChoices | undefined> {
  const countOf = (code: string) => problems.byCode.get(code) ?? 0;
  const doubted = countOf('own_status') + countOf('remark_holds');
  const unseen = countOf('row_hidden') + countOf('row_struck');
  if (doubted + unseen === 0 || doubted + unseen < problems.total || !canAsk({ json })) return undefined;
  const choices: { ownStatus?: RowChoice; hidden?: RowChoice } = {};
  if (doubted > 0) {
    const values = problems.kept
      .filter(({ code }) => code === 'own_status' || code === 'remark_holds')
      .map(({ value }) => value);
    const named = [...new Set(values)].slice(0, statesNamed).join(', ');
    const choice = await askChoice(
      `The sheet’s status suggests not posting ${plural(doubted, 'row')} (${named}).`,
    );
    if (choice === undefined) return undefined;
    choices.ownStatus = choice;
  }
  if (unseen > 0) {
    const are = unseen === 1 ? 'is' : 'are';
    const choice = await askChoice(
      `${plural(unseen, 'row')} ${are} hidden or struck through in the workbook.`,
    );
    if (choice === undefined) return undefined;
    choices.hidden = choice;
  }
  return choices;
}

const statesNamed = 5;

async function askChoice(what: string): Promise<RowChoice | undefined> {
  const question = fold(`${what} Skip or post? [skip/post/N]`, widthFor('stderr'));
  const answer = unlessInterrupted(await ask(`${question} `));
  return rowChoices.find((each) => each === answer.trim().toLowerCase());
}

/** Opens a manifest: a file, an address, or a pipe. Piped input goes to a temporary file, which is removed even if a signal ends the command. */
export function openPipeOrFile(
  runtime: Pick<Session['runtime'], 'environment' | 'settings'>,
  file: string,
): Promise<OpenManifest> {
  if (isSheetAddress(file)) return fetchSheet(runtime, file);
  return openManifest(runtime, file, {
    input: process.stdin.isTTY ? undefined : process.stdin,
    guard: cleanBeforeEnding,
  });
}

/** Result of the use cases that take a sheet. */
type ImportOutcome = Started | UpdateResult;

/** The campaign that a sheet became, or became part of. */
export interface CampaignOfSheet {
  readonly campaign: Campaign;
  /** For a sheet that went into an existing campaign: what became of its rows. */
  readonly update: ReturnType<typeof matchesDocument> | undefined;
}

/**
 * Prints what became of a sheet, and sets the exit code if the command ends here.
 * @returns undefined if there is nothing to go on with: a sheet with problems, or a dry run.
 */
export function printImport(
  output: Output,
  command: 'run' | 'import',
  outcome: ImportOutcome,
  flags: ImportFlags,
): CampaignOfSheet | undefined {
  switch (outcome.kind) {
    case 'imported':
      return printImported(output, outcome);
    case 'known':
      return printKnown(output, outcome, flags);
    case 'updated':
      return printUpdated(output, outcome);
    case 'planned': {
      const { campaign, check } = outcome;
      const document = { into: campaign.id, dryRun: true as const, ...matchesDocument(outcome) };
      output.document(command, { ...document, ...checkDocument(check) });
      output.print('Dry run: nothing was changed.');
      return undefined;
    }
    case 'problems': {
      const { check } = outcome;
      const into = 'matches' in outcome && { into: outcome.campaign.id, ...matchesDocument(outcome) };
      output.document(command, { ...into, ...checkDocument(check) });
      printFormat(output, check);
      printProblems(output, check);
      printVerdict(output, check);
      process.exitCode = exitCodes.problems;
      return undefined;
    }
  }
}

type Kind<K extends ImportOutcome['kind']> = Extract<ImportOutcome, { readonly kind: K }>;

function printImported(output: Output, { campaign, check, problemsFile }: Kind<'imported'>): CampaignOfSheet {
  printFormat(output, check);
  printPlan(output, check, campaign.timezone);
  printWarnings(output, check);
  output.say(`Campaign ${campaign.id} imported: ${plural(campaign.rows, 'row')}.`);
  if (problemsFile)
    output.say(`Skipped ${plural(campaign.leftOut, 'row')} with problems: ${unbroken(problemsFile)}`);
  return { campaign, update: undefined };
}

function printKnown(output: Output, { campaign, kept }: Kind<'known'>, flags: ImportFlags): CampaignOfSheet {
  const { id } = campaign;
  if (kept.length > 0) {
    output.say(
      `Campaign ${id} keeps the options of its import. These have no effect now: ${kept.join(', ')}.`,
    );
  }
  output.say(
    campaign.state === 'paused'
      ? `Campaign ${id} was imported from this sheet, and is paused. Resume it:\n  ${commandLine('resume', { own: [id] })}`
      : `Resuming campaign ${id}: it was imported from this sheet.`,
  );
  const ignored = ignoredHoldFlags(flags, campaign);
  if (ignored.length > 0)
    output.say(`It was imported without ${ignored.join(' and ')}. These flags have no effect now.`);
  return { campaign, update: undefined };
}

function printUpdated(output: Output, updated: Kind<'updated'>): CampaignOfSheet {
  const { campaign, check, matches, moved, problemsFile } = updated;
  const taken = matches.new.count + matches.changed.count + matches.redone.count - moved;
  output.say(`Updated ${plural(taken, 'row')} in campaign ${campaign.id}.`);
  if (moved > 0) output.say(`Left ${plural(moved, 'row')} unchanged: a worker has started them since.`);
  if (problemsFile) {
    output.say(`Skipped rows with ${plural(check.problems.total, 'problem')}: ${unbroken(problemsFile)}`);
  }
  return { campaign, update: matchesDocument(updated) };
}
