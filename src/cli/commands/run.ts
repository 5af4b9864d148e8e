/** `campaigns run [FILE]`: the whole job in one process, from the manifest to the results sheet. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import {
  checkResultsFlags,
  formatOption,
  type ResultsFlags,
  type ResultsTarget,
} from '../../campaigns/results/write.ts';
import type { SheetMatches } from '../../importers/into/sheet-matcher.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { ServiceAccounts } from '../../runtime/accounts.ts';
import type { CommonOptions, LedgerSession } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';
import { addHandInOptions } from '../flags/hand-in.ts';
import type { HandInFlags } from '../hand-in.ts';
import { matchesDocument } from '../print/matches.ts';

interface RunFlags extends CommonOptions, HandInFlags, ResultsFlags {}

export function runCommand(): Command {
  return addHandInOptions(new Command('run'))
    .description('carry every row of a manifest to its post; without a file, go on with what is unfinished')
    .argument('[file]', 'the manifest (CSV, JSON or XLSX); - for standard input')
    .option(
      '--out <file>',
      'results sheet: .csv, .json, .jsonl or .xlsx; - is standard output (default: <name>.results.csv in the current folder)',
    )
    .addOption(formatOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The manifest is checked first; nothing is sent while it has problems. Ctrl-C stops cleanly, and \`campaigns run\` goes
on. The same manifest is not worked off twice unless --again is given. A results sheet that was mended goes back with
--into: what was posted is left alone.

Exit codes: 0 all posted, 1 problems, 2 usage or settings, 3 not all posted, 4 paused, 130 interrupted.

Example:
  campaigns run posts.csv --out posts.results.csv
  campaigns run posts.results.csv --into c1 --dry-run`,
    )
    .action(run);
}

async function run(file: string | undefined, flags: RunFlags): Promise<void> {
  checkResultsFlags(flags);
  const { openLedger } = await import('../../runtime/runtime.ts');
  await using session = await openLedger(flags);
  if (file === undefined) await goOn(session, flags);
  else await runFile(session, file, flags);
}

async function runFile(session: LedgerSession, file: string, flags: RunFlags): Promise<void> {
  const [{ openAccounts }, { handIn }, { manifestName, refuseToOverwrite }, { standardInput }] =
    await Promise.all([
      import('../../runtime/accounts.ts'),
      import('../hand-in.ts'),
      import('../../campaigns/hand-in/check.ts'),
      import('../../campaigns/hand-in/spool.ts'),
    ]);
  refuseToOverwrite(file, '--out', flags.out);
  await using accounts = openAccounts(session);
  const handed = await handIn(session, accounts, file, flags);
  if (handed === undefined) return;
  const { campaign, merged } = handed;
  const source = merged ? campaign.source : file;
  const target = targetOf(flags, source === standardInput ? campaign.name : manifestName(source));
  await finish(session, accounts, [campaign], {
    target: () =>
      isSameFile(target.out, file) ? targetOf(flags, `${campaign.name}.${campaign.id}`) : target,
    single: true,
    again: repeatFlags(flags),
    ...(merged && { matches: merged.matches }),
  });
}

/** The sheet that was handed in is the planner's: the results go elsewhere. */
function isSameFile(out: string, file: string): boolean {
  return resolve(out) === resolve(file);
}

/** The flags that a run which goes on has to be given once more: they are not kept with the campaign. */
function repeatFlags({ out, format }: RunFlags): string {
  return [
    ...(out === undefined ? [] : [` --out ${out}`]),
    ...(format === undefined ? [] : [` --format ${format}`]),
  ].join('');
}

async function goOn(session: LedgerSession, flags: RunFlags): Promise<void> {
  const [{ openAccounts }, { requireService }, { CommandError }] = await Promise.all([
    import('../../runtime/accounts.ts'),
    import('../../runtime/workers.ts'),
    import('../exit.ts'),
  ]);
  const unfinished = (await session.ledger.campaigns.list()).filter(
    ({ state, account }) => state !== 'ended' && (flags.account ?? account) === account,
  );
  if (flags.out !== undefined && unfinished.length !== 1) {
    throw new CommandError(`--out is for one campaign, and ${unfinished.length} are unfinished`, {
      cure: 'Leave --out away: each campaign writes its own sheet.',
    });
  }
  if (unfinished.length === 0) {
    session.output.document({ campaigns: [] });
    session.output.print('Nothing is unfinished. Start something with: campaigns run FILE');
    return;
  }
  await using accounts = openAccounts(session);
  const target = ({ id, name }: Campaign) => {
    const isShared = unfinished.some((other) => other.id !== id && other.name === name);
    return targetOf(flags, isShared ? `${name}.${id}` : name);
  };
  const workable = workableOf(session, accounts, unfinished);
  for (const name of new Set(workable.map(({ account }) => account))) {
    await requireService(accounts.need(name));
  }
  await finish(session, accounts, workable.toReversed(), {
    target,
    single: false,
    again: repeatFlags(flags),
  });
}

/** Those whose account is configured here; the others wait. @throws {CommandError} when none is. */
function workableOf(
  { output }: LedgerSession,
  accounts: ServiceAccounts,
  unfinished: readonly Campaign[],
): readonly Campaign[] {
  const [first] = unfinished;
  const isWorkable = ({ account }: Campaign) => accounts.names.includes(account);
  if (first && !unfinished.some(isWorkable)) accounts.need(first.account);
  for (const { id, account } of unfinished.filter((campaign) => !isWorkable(campaign))) {
    output.say(`Campaign ${id} waits: its account ${account} is not configured here.`);
  }
  return unfinished.filter(isWorkable);
}

/** @param name what the sheet is called after, unless `--out` says where it goes. */
function targetOf({ out, format }: ResultsFlags, name: string): ResultsTarget {
  return { out: out ?? `${name}.results.${format ?? 'csv'}`, format, byDefault: out === undefined };
}

interface FinishOptions {
  readonly target: (campaign: Campaign) => ResultsTarget;
  /** The document is the campaign itself, not a list. */
  readonly single: boolean;
  /** What has to be said again of the results sheet, should the run be interrupted. */
  readonly again: string;
  /** What was made of the rows of a sheet that went into the campaign. */
  readonly matches?: SheetMatches | undefined;
}

/** Works campaigns off, prints what became of them, and sets the exit code. */
async function finish(
  session: LedgerSession,
  accounts: ServiceAccounts,
  campaigns: readonly Campaign[],
  { target, single, again, matches }: FinishOptions,
): Promise<void> {
  const [{ finishCampaigns }, { campaignDocument, exitCodeOf }, { exitCodes }] = await Promise.all([
    import('../finish.ts'),
    import('../print/campaign.ts'),
    import('../exit.ts'),
  ]);
  const { output } = session;
  const finished = await finishCampaigns(session, accounts, campaigns, target);
  if (!finished) {
    output.document({ interrupted: true, campaigns: campaigns.map(({ id }) => id) });
    output.say(`Interrupted. Nothing is lost; go on with: campaigns run${again}`);
    process.exitCode = exitCodes.interrupted;
    return;
  }
  if (finished.length === 0) {
    output.document(single ? null : { campaigns: [] });
    output.say('There is nothing left of it: it was deleted meanwhile.');
    process.exitCode = exitCodes.incomplete;
    return;
  }
  const documents = finished.map(({ campaign, causes, results }) => {
    return { ...campaignDocument(campaign), ...(matches && matchesDocument(matches)), causes, results };
  });
  output.document(single ? documents[0] : { campaigns: documents });
  process.exitCode = Math.max(exitCodes.ok, ...finished.map(({ campaign }) => exitCodeOf(campaign)));
}
