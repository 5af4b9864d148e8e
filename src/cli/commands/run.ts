/** `campaigns run [FILE]` does the whole job in one process, from the sheet to its results. `campaigns import FILE` leaves it to workers elsewhere. */
import { resolve } from 'node:path';
import { campaignDocument } from '../../app/campaigns/find.ts';
import { findForgotten } from '../../app/campaigns/journal.ts';
import { isAllReady } from '../../app/campaigns/post-status.ts';
import { findPlanName, ownFormat, resultsName } from '../../app/campaigns/results/own-sheet.ts';
import { type ResultsTarget, refuseUnfitTarget } from '../../app/campaigns/results/write.ts';
import { deliverNotifications, findUnfinished } from '../../app/campaigns/run-until-done.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import { manifestName, standardInput } from '../../importers/open/manifest-file.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { asFileName } from '../../manifest/campaign-options.ts';
import { formatOfFile } from '../../sheets/write/format.ts';
import { CommandError, exitCodeOf, exitCodes } from '../exit.ts';
import { finishCampaigns } from '../finish.ts';
import { type Define, refuseBeside } from '../flags/common.ts';
import { addImportOptions, type ImportFlags, refuseWithoutSheet } from '../flags/import.ts';
import { checkResultsFlags, formatOption, type ResultsFlags, targetOf } from '../flags/results.ts';
import { refuseToOverwrite } from '../flags/sheet.ts';
import { reportCommand } from '../hints.ts';
import { type CampaignOfSheet, importOrUpdate, printImport } from '../import-sheet.ts';
import { printNoCampaign } from '../print/progress.ts';
import { type CommonOptions, inSession, openSession, type Session } from '../session.ts';
import { watchCampaign } from './watch.ts';

interface RunFlags extends CommonOptions, ImportFlags, ResultsFlags {}

export const run: Define = (command) =>
  addImportOptions(command)
    .argument('[file]', 'CSV, JSON or XLSX, an https address, or - (stdin)')
    .option('--out <file>', 'write results here (default: <name>.results.csv or .xlsx)')
    .addOption(formatOption())
    .notes(`
The runner checks the sheet first, and sends nothing while it has problems. Ctrl-C stops cleanly; \`campaigns run\`
resumes. The same sheet is not posted twice without --again. Update a campaign with a corrected results sheet and --into:
posted rows stay unchanged, changed rows are sent right away. --dry-run shows them first. --stop-after looks at rows that
ended since the last resume, and needs at least 20. With --out -, results go to standard output.

Exit codes: 0 all posted, 1 problems, 2 usage or settings, 3 not all posted, 4 paused, 130 interrupted.

Example:
  campaigns run posts.csv --out posts.results.csv
  campaigns run posts.results.csv --into c1 --dry-run`)
    .action(runOrGoOn);

async function runOrGoOn(file: string | undefined, flags: RunFlags): Promise<void> {
  checkResultsFlags(flags);
  if (file === undefined) refuseWithoutSheet(flags);
  // A dry run writes no results.
  else if (flags.dryRun) refuseBeside(flags, ['out', 'format'], '--dry-run');
  await using session = await openSession(flags, { writes: true });
  await (file === undefined ? runWaiting(session, flags) : runFile(session, file, flags));
}

async function runFile(session: Session, file: string, flags: RunFlags): Promise<void> {
  refuseToOverwrite(file, '--out', flags.out);
  // With --into, the name comes from the campaign: it is looked at before the rows are worked off.
  const format = formatOfFile(file) === 'xlsx' ? 'xlsx' : 'csv';
  if (flags.into === undefined)
    refuseUnfitTarget(sheetTarget(flags, { name: flags.name ?? manifestName(file), format }).to);
  const imported = printImport(session.output, 'run', await importOrUpdate(session, file, flags), flags);
  if (imported === undefined) return;
  const { campaign, update } = imported;
  const source = update ? campaign.source : file;
  const first = source === standardInput ? campaign.name : manifestName(source);
  const name = flags.name ?? (update && (await findPlanName(session.runtime, campaign))) ?? first;
  const own = { name, format: await ownFormat(session.runtime, campaign) };
  // Never overwrite the planner's own sheet.
  const isHers = resolve(sheetPath(flags, own)) === resolve(file);
  const target = sheetTarget(flags, isHers ? { ...own, name: `${campaign.name}.${campaign.id}` } : own);
  await finish(session, [campaign], { targetOf: () => target, single: true, flags, update });
}

async function runWaiting(session: Session, flags: RunFlags): Promise<void> {
  const { runtime, output } = session;
  const { unfinished: all, endedLast } = await findUnfinished(runtime);
  // Rows that wait for their day are no work: the other campaign is meant.
  const atWork = all.filter((campaign) => !isAllReady(campaign));
  const unfinished = flags.out !== undefined && atWork.length === 1 ? atWork : all;
  if (flags.out !== undefined && unfinished.length !== 1) {
    if (unfinished.length === 0) throw nothingUnfinished(endedLast, flags.out);
    throw new CommandError(`--out is for one campaign, but ${unfinished.length} are unfinished`, {
      fix: 'Omit --out: each campaign writes its own sheet.',
    });
  }
  if (unfinished.length === 0) {
    // A run that was killed may have left some.
    await deliverNotifications(runtime, []);
    output.document('run', { campaigns: [] });
    const forgotten = await findForgotten(runtime, endedLast === undefined ? 0 : 1);
    const redis = runtime.redis.description;
    printNoCampaign(output, 'No campaign is unfinished.', { redis, forgotten });
    return;
  }
  const named = unfinished.map(async (campaign) => {
    const own = { name: await resultsName(runtime, campaign), format: await ownFormat(runtime, campaign) };
    return [campaign.id, own] as const;
  });
  const files = new Map(await Promise.all(named));
  await finish(session, unfinished, {
    targetOf: ({ id, name: given }) => {
      const { name, format } = files.get(id) ?? { name: given, format: 'csv' };
      const isShared = [...files].some(([other, its]) => other !== id && its.name === name);
      const beginning = asFileName(name);
      return sheetTarget(flags, { name: isShared ? `${beginning}.${id}` : beginning, format });
    },
    single: false,
    flags,
  });
}

function nothingUnfinished(endedLast: Campaign | undefined, out: string): CommandError {
  if (!endedLast) {
    return new CommandError('no campaign is unfinished', { fix: 'Start one:\ncampaigns run FILE' });
  }
  const { id, name } = endedLast;
  return new CommandError(`no campaign is unfinished; ${id} (${name}) ended last`, {
    fix: `Write its sheet:\n${reportCommand(id, { out })}`,
  });
}

/** Unless `--out` is given: the beginning of the file name, and unless `--format` is given, the format. */
interface DefaultFile {
  readonly name: string;
  readonly format: 'csv' | 'xlsx';
}

function sheetTarget(flags: ResultsFlags, file: DefaultFile): ResultsTarget {
  return { ...targetOf(sheetPath(flags, file), flags.format), byDefault: flags.out === undefined };
}

function sheetPath({ out, format }: ResultsFlags, file: DefaultFile): string {
  return out ?? `${file.name}.results.${format ?? file.format}`;
}

interface FinishOptions {
  readonly targetOf: (campaign: Campaign) => ResultsTarget;
  /** Whether the document is the campaign itself, not a list. */
  readonly single: boolean;
  readonly flags: ResultsFlags;
  /** For a sheet that went into an existing campaign: what became of its rows. */
  readonly update?: CampaignOfSheet['update'];
}

/** Works campaigns off, prints what became of them, and sets the exit code. */
async function finish(
  session: Session,
  campaigns: readonly Campaign[],
  { targetOf, single, flags, update }: FinishOptions,
): Promise<void> {
  const { output } = session;
  const finished = await finishCampaigns(session, campaigns, targetOf);
  if (!finished) {
    output.document('run', { interrupted: true, campaigns: campaigns.map(({ id }) => id) });
    // The campaign does not keep these flags.
    const { out, format } = flags;
    output.say(
      `Interrupted. Nothing is lost. Resume:\n  ${commandLine('run', { options: { out, format } })}`,
    );
    process.exitCode = exitCodes.interrupted;
    return;
  }
  const documents = finished.map(({ campaign, causes, results }) => {
    return { ...campaignDocument(campaign), ...update, causes, results };
  });
  output.document('run', single ? (documents[0] ?? null) : { campaigns: documents });
  if (finished.length === 0) {
    output.say('The campaign has been deleted.');
    process.exitCode = exitCodes.incomplete;
    return;
  }
  process.exitCode = Math.max(exitCodes.ok, ...finished.map(({ campaign }) => exitCodeOf(campaign)));
}

export const importSheet: Define = (command) =>
  addImportOptions(command)
    .argument('<file>', 'CSV, JSON or XLSX, an https address, or - (stdin)')
    .option('--watch', 'follow it until it ends or is paused')
    .notes(`
The sheet is checked first. Nothing is sent while it has problems. Running workers (campaigns worker) begin right away.

Exit codes: 0 imported, 1 problems, 2 usage or settings; with --watch also 3 not all posted, 4 paused.

Example:
  campaigns import posts.csv --watch
  campaigns import posts.results.csv --into c1 --dry-run`)
    .action(
      inSession({ writes: true }, importFile, (_file, flags) => {
        if (flags.dryRun) refuseBeside(flags, ['watch'], '--dry-run');
      }),
    );

async function importFile(
  session: Session,
  file: string,
  flags: ImportFlags & { readonly watch?: boolean },
): Promise<void> {
  const { runtime, output } = session;
  const imported = printImport(output, 'import', await importOrUpdate(session, file, flags), flags);
  if (imported === undefined) return;
  const { campaign, update } = imported;
  if (campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
  if (flags.watch) {
    process.exitCode = await watchCampaign(session, 'import', campaign);
    return;
  }
  output.document('import', { ...campaignDocument(campaign), ...update });
  const [lead, verb] =
    campaign.state === 'paused' ? ['It is paused. Resume it', 'resume'] : ['Follow it', 'watch'];
  output.print(`${lead}:\n  ${commandLine(verb, { own: [campaign.id] })}`);
}
