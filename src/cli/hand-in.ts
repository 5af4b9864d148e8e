/** A sheet that is handed in, by `run` and `import`: as a campaign of its own, or into one. Says what comes of it. */

import { mergeInto, type PlannedMerge } from '../campaigns/hand-in/into.ts';
import { withManifest } from '../campaigns/hand-in/spool.ts';
import { type StartOptions, startCampaign } from '../campaigns/hand-in/start.ts';
import { checkReport } from '../importers/check/report.ts';
import type { Campaign } from '../ledger/campaigns.ts';
import type { ServiceAccounts } from '../runtime/accounts.ts';
import type { LedgerSession } from '../runtime/runtime.ts';
import { CommandError, exitCodes } from './exit.ts';
import { type HoldFlags, ignoredHoldFlags } from './flags/hold.ts';
import { readSheetOptions, saveColumnMap } from './flags/read-sheet.ts';
import type { SheetFlags } from './flags/sheet.ts';
import { describeMatches, matchesDocument } from './print/matches.ts';
import { plural } from './print/output.ts';
import { printFormat, printPlan, printProblems, printVerdict, printWarnings } from './print/problems.ts';

export interface HandInFlags
  extends SheetFlags,
    HoldFlags,
    Omit<StartOptions, 'file' | 'path' | 'sheet' | 'canary' | 'stopAfter'> {
  readonly into?: string;
  readonly dryRun?: boolean;
}

/** The campaign that the sheet has become, or has become part of. */
export interface HandedIn {
  readonly campaign: Campaign;
  /** What was made of the sheet's rows, where they went into a campaign that was there. */
  readonly merged: Pick<PlannedMerge, 'matches'> | undefined;
}

/**
 * Hands a sheet in.
 * @returns undefined where there is nothing to go on with: a sheet with problems, or a dry run. All is said then, and the exit code set.
 * @throws {CommandError}
 */
export async function handIn(
  session: LedgerSession,
  accounts: ServiceAccounts,
  file: string,
  flags: HandInFlags,
): Promise<HandedIn | undefined> {
  refuseUnfitting(flags);
  const sheet = await readSheetOptions(flags);
  return withManifest(session.environment.dataDir, file, (path) => {
    const handed = { session, accounts, flags, options: { ...flags, file, path, sheet } };
    return flags.into === undefined ? asCampaign(handed) : intoCampaign(handed, flags.into);
  });
}

interface Handed {
  readonly session: LedgerSession;
  readonly accounts: ServiceAccounts;
  readonly flags: HandInFlags;
  readonly options: StartOptions & { readonly dryRun?: boolean };
}

async function asCampaign({ session, accounts, flags, options }: Handed): Promise<HandedIn | undefined> {
  const { output } = session;
  const started = await startCampaign(session, accounts, options);
  const { check } = started;
  if (started.kind === 'problems') return refuse(session, started.check, {});
  const { campaign, problemSheet } = started;
  if (check) {
    await saveColumnMap(flags, options.sheet?.map);
    printFormat(output, check);
    printPlan(output, check);
    printWarnings(output, check);
    output.say(`Campaign ${campaign.id} imported: ${plural(campaign.rows, 'row')}.`);
  } else {
    output.say(`Going on with campaign ${campaign.id}, which was made of this manifest before.`);
    const ignored = ignoredHoldFlags(flags, campaign);
    if (ignored.length > 0) output.say(`It was imported without ${ignored.join(' and ')}, and stays so.`);
  }
  if (problemSheet) output.say(`${plural(campaign.leftOut, 'row')} with problems left out: ${problemSheet}`);
  return { campaign, merged: undefined };
}

async function intoCampaign(
  { session, accounts, flags, options }: Handed,
  into: string,
): Promise<HandedIn | undefined> {
  const { output } = session;
  const onPlan = (planned: PlannedMerge) => {
    printFormat(output, planned.check);
    for (const line of describeMatches(planned)) output.print(line);
    printPlan(output, planned.check);
    printWarnings(output, planned.check);
  };
  const merged = await mergeInto(session, accounts, { ...options, into, onPlan });
  const { campaign, check, matches } = merged;
  if (merged.kind === 'problems') return refuse(session, check, { into, ...matchesDocument(matches) });
  await saveColumnMap(flags, options.sheet?.map);
  if (merged.kind === 'planned') {
    output.document({ into, dryRun: true, ...matchesDocument(matches), ...checkReport(check) });
    output.print('Nothing was changed: this is a dry run.');
    return undefined;
  }
  const taken = matches.new.count + matches.changed.count + matches.redone.count - merged.moved;
  output.say(`${plural(taken, 'row')} taken into campaign ${campaign.id}.`);
  if (merged.moved > 0) {
    output.say(`${plural(merged.moved, 'row')} had been taken up meanwhile, and stay as they are.`);
  }
  if (merged.problemSheet) {
    output.say(
      `${plural(check.problems.total, 'problem')} of rows that were left out: ${merged.problemSheet}`,
    );
  }
  return { campaign, merged };
}

function refuse(
  { output }: LedgerSession,
  check: PlannedMerge['check'],
  document: Readonly<Record<string, unknown>>,
): undefined {
  output.document({ ...document, ...checkReport(check) });
  printFormat(output, check);
  printProblems(output, check);
  printVerdict(output, check);
  process.exitCode = exitCodes.problems;
}

/** @throws {CommandError} for flags that mean nothing together. */
function refuseUnfitting(flags: HandInFlags): void {
  const { into, dryRun, name, again, account, mediaRoot, canary, stopAfter } = flags;
  if (into === undefined) {
    if (!dryRun) return;
    throw new CommandError('--dry-run goes with --into', {
      cure: 'What a new campaign would do is told by: campaigns check FILE',
    });
  }
  const unfitting = [
    ...(name === undefined ? [] : ['--name']),
    ...(again ? ['--again'] : []),
    ...(account === undefined ? [] : ['--account']),
    ...(mediaRoot === undefined ? [] : ['--media-root']),
    ...(canary === undefined ? [] : ['--canary']),
    ...(stopAfter === undefined ? [] : ['--stop-after']),
  ];
  if (unfitting.length === 0) return;
  throw new CommandError(`${unfitting.join(' and ')} cannot go with --into`, {
    cure: `The campaign keeps what it was imported with. Leave ${unfitting.length === 1 ? 'it' : 'them'} away.`,
  });
}
