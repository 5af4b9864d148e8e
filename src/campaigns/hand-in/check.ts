/** A manifest named on the command line: checked, and imported where it is right. */
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { CommandError } from '../../cli/exit.ts';
import { asUsageError } from '../../cli/flags/read-sheet.ts';
import { serviceError } from '../../cli/service-error.ts';
import { describeFileError } from '../../fs/file-error.ts';
import { type CheckResult, checkManifest } from '../../importers/check/check.ts';
import type { CheckOptions, RefusedRow, RowMatcher } from '../../importers/check/checked-row.ts';
import { createCreatorLookUp } from '../../importers/check/creators.ts';
import { createMediaCheck } from '../../importers/check/local-media-check.ts';
import type { RowSink } from '../../importers/check/manifest-run.ts';
import { ProblemsFile } from '../../importers/check/problems-file.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Account } from '../../processors/frame/accounts.ts';
import { repeatedCall } from '../../processors/frame/repeated-call.ts';
import { budgetsOf } from '../../runtime/accounts.ts';
import { openBudgetBook } from '../../runtime/budget-book.ts';
import type { LedgerSession } from '../../runtime/runtime.ts';
import { digestOf } from '../../sheets/open-sheet.ts';
import { type SheetOptions, UnreadableSheetError } from '../../sheets/sheet.ts';
import { fileSource } from '../../sheets/source.ts';
import { standardInput } from './spool.ts';

export interface ManifestOptions {
  /** As it was named on the command line. */
  readonly file: string;
  /** Where its bytes are; `file` unless they came by a pipe. */
  readonly path?: string | undefined;
  /** How it is to be read. */
  readonly sheet?: SheetOptions | undefined;
  /** Folder that media paths are relative to; the manifest's own unless given. */
  readonly mediaRoot?: string | undefined;
  readonly allowUnknownColumns?: boolean | undefined;
  /** Where the rows with problems are written to, if there are any. */
  readonly problems?: string | undefined;
  /** Takes each row that has problems. */
  readonly onRefused?: ((row: RefusedRow) => void) | undefined;
  /** The campaign that it is imported into: media root and time zone are those of the campaign. */
  readonly into?: { readonly campaign: Campaign; readonly matcher: RowMatcher } | undefined;
}

/** The manifest's file name without its ending: what names of campaigns and sheets are made of. */
export function manifestName(file: string): string {
  if (file === standardInput) return 'stdin';
  return basename(file, extname(file));
}

/** The results sheet must not take the place of the manifest. @throws {CommandError} */
export function refuseToOverwrite(
  file: string,
  option: '--out' | '--problems',
  written: string | undefined,
): void {
  if (written === undefined || file === standardInput || resolve(written) !== resolve(file)) return;
  throw new CommandError(`${option} names the manifest itself: ${file}`, { cure: 'Give it another name.' });
}

/** @throws {CommandError} for a folder that is not there. */
export async function mediaRootOf(session: LedgerSession, options: ManifestOptions): Promise<string> {
  const given = options.mediaRoot ?? session.settings.media.root ?? undefined;
  const { file, path = file } = options;
  // What came by a pipe has no folder of its own.
  const root = resolve(given ?? (path === file ? dirname(file) : '.'));
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory()) return root;
  throw new CommandError(`the media root ${root} is not a folder`, {
    cure: 'Give the folder that media paths are relative to with --media-root.',
  });
}

/**
 * Checks a manifest against its own rules, the service and the media.
 * @throws {CommandError} when the file cannot be read or the service cannot be asked.
 */
export async function checkWithSheet(
  session: LedgerSession,
  account: Account,
  options: ManifestOptions,
  onRows: RowSink = () => undefined,
): Promise<{ readonly result: CheckResult; readonly sheet: string | undefined }> {
  if (options.problems === undefined) {
    return { result: await check(session, account, options, {}, onRows), sheet: undefined };
  }
  const path = resolve(options.problems);
  try {
    await using sheet = await ProblemsFile.create(path);
    const hooks = {
      onRefused: (row: RefusedRow) => sheet.add(row),
      onHeader: (header: readonly string[]) => sheet.header(header),
    };
    const result = await check(session, account, options, hooks, onRows);
    if (result.problems.total > 0) await sheet.finish(result.blocking);
    return { result, sheet: result.problems.total > 0 ? path : undefined };
  } catch (error) {
    throw asCommandError(error, path);
  }
}

async function check(
  session: LedgerSession,
  { name, client, budgets }: Account,
  options: ManifestOptions,
  hooks: Pick<CheckOptions, 'onRefused' | 'onHeader'>,
  onRows: RowSink,
): Promise<CheckResult> {
  const { campaign } = options.into ?? {};
  const changedBudgets = await openBudgetBook(session, name).changed();
  const settings = {
    ...session.settings,
    budgets: { ...budgetsOf(session.settings, name), ...changedBudgets },
    timezone: campaign ? campaign.timezone : session.settings.timezone,
  };
  const mediaRoot = campaign?.mediaRoot ?? (await mediaRootOf(session, options));
  const lookUp = createCreatorLookUp((query) =>
    repeatedCall('listCreatorAccounts', () => client.creators.list(query), {
      budgets,
      retry: settings.retry,
    }),
  );
  try {
    return await checkManifest(
      fileSource(options.path ?? options.file, options.file),
      {
        settings,
        now: Date.now(),
        creators: lookUp,
        media: createMediaCheck({ mediaRoot, ...settings.media }),
        posts: (posts) => session.ledger.posts.find(name, posts),
        into: options.into?.matcher,
        allowUnknownColumns: options.allowUnknownColumns ?? false,
        sheet: options.sheet ?? {},
        ...hooks,
        onRefused: async (row) => {
          options.onRefused?.(row);
          await hooks.onRefused?.(row);
        },
      },
      onRows,
    );
  } catch (error) {
    throw asCommandError(asUsageError(error), options.file);
  }
}

/**
 * What an import of this manifest is found again by; `undefined` where it cannot be read as a manifest, as the check will tell.
 * @throws {CommandError} when the file cannot be read.
 */
export async function findDigest({
  file,
  path = file,
  sheet,
}: Pick<ManifestOptions, 'file' | 'path' | 'sheet'>): Promise<string | undefined> {
  try {
    return await digestOf(fileSource(path), sheet);
  } catch (error) {
    if (error instanceof UnreadableSheetError) return undefined;
    throw asCommandError(error, file);
  }
}

function asCommandError(error: unknown, file: string): unknown {
  if (error instanceof Error && 'syscall' in error) {
    return new CommandError(`${file}: ${describeFileError(error)}`, { cause: error });
  }
  return serviceError(error, 'creators could not be looked up');
}
