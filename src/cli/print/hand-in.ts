/** What came of a sheet that was handed in. */
import { checkDocument, matchesDocument } from '../../campaigns/documents/sheet.ts';
import type { Merged, PlannedMerge } from '../../campaigns/hand-in/into.ts';
import type { Started } from '../../campaigns/hand-in/start.ts';
import type { SheetMatches } from '../../importers/into/match-rows.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import { plural } from '../../runtime/wording.ts';
import { exitCodes } from '../exit.ts';
import type { HandInFlags } from '../flags/hand-in.ts';
import { ignoredHoldFlags } from '../flags/hold.ts';
import { describeMatches } from './matches.ts';
import type { Output } from './output.ts';
import { printFormat, printPlan, printProblems, printVerdict, printWarnings } from './problems.ts';

/** What the use cases make of a sheet. */
export type HandedIn = Started | Merged;

/** The campaign that a sheet has become, or has become part of. */
export interface Handed {
  readonly campaign: Campaign;
  /** What was made of the sheet's rows, where they went into a campaign that was there. */
  readonly matches: SheetMatches | undefined;
}

/**
 * Prints what came of a sheet, and sets the exit code where it ends the command.
 * @returns undefined where there is nothing to go on with: a sheet with problems, or a dry run.
 */
export function printHandedIn(
  output: Output,
  command: 'run' | 'import',
  handed: HandedIn,
  flags: HandInFlags,
): Handed | undefined {
  switch (handed.kind) {
    case 'imported':
      return printImported(output, handed);
    case 'known':
      return printKnown(output, handed, flags);
    case 'merged':
      return printMerged(output, handed);
    case 'planned': {
      const { campaign, matches, check } = handed;
      const document = { into: campaign.id, dryRun: true as const, ...matchesDocument(matches) };
      output.document(command, { ...document, ...checkDocument(check) });
      output.print('Nothing was changed: this is a dry run.');
      return undefined;
    }
    case 'problems': {
      const { check } = handed;
      const into = 'matches' in handed && { into: handed.campaign.id, ...matchesDocument(handed.matches) };
      output.document(command, { ...into, ...checkDocument(check) });
      printFormat(output, check);
      printProblems(output, check);
      printVerdict(output, check);
      process.exitCode = exitCodes.problems;
      return undefined;
    }
  }
}

/** What is about to be done to a campaign that is there. */
export function printPlannedMerge(output: Output, planned: PlannedMerge): void {
  printFormat(output, planned.check);
  for (const line of describeMatches(planned)) output.print(line);
  printPlan(output, planned.check);
  printWarnings(output, planned.check);
}

type Kind<K extends HandedIn['kind']> = Extract<HandedIn, { readonly kind: K }>;

function printImported(output: Output, { campaign, check, problemsFile }: Kind<'imported'>): Handed {
  printFormat(output, check);
  printPlan(output, check);
  printWarnings(output, check);
  output.say(`Campaign ${campaign.id} imported: ${plural(campaign.rows, 'row')}.`);
  if (problemsFile) output.say(`${plural(campaign.leftOut, 'row')} with problems left out: ${problemsFile}`);
  return { campaign, matches: undefined };
}

function printKnown(output: Output, { campaign, kept }: Kind<'known'>, flags: HandInFlags): Handed {
  const { id } = campaign;
  if (kept.length > 0) {
    output.say(`Campaign ${id} keeps what it was imported with, not what is given now: ${kept.join(', ')}.`);
  }
  output.say(`Going on with campaign ${id}, which was made of this manifest before.`);
  const ignored = ignoredHoldFlags(flags, campaign);
  if (ignored.length > 0) output.say(`It was imported without ${ignored.join(' and ')}, and stays so.`);
  return { campaign, matches: undefined };
}

function printMerged(
  output: Output,
  { campaign, check, matches, moved, problemsFile }: Kind<'merged'>,
): Handed {
  const taken = matches.new.count + matches.changed.count + matches.redone.count - moved;
  output.say(`${plural(taken, 'row')} taken into campaign ${campaign.id}.`);
  if (moved > 0) output.say(`${plural(moved, 'row')} had been taken up meanwhile, and stay as they are.`);
  if (problemsFile) {
    output.say(`${plural(check.problems.total, 'problem')} of rows that were left out: ${problemsFile}`);
  }
  return { campaign, matches };
}
