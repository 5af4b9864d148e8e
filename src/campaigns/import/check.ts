/** Checks a manifest against its rules, the service and the media. Sends nothing but look-ups of creators. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defaultAccount } from '../../../config/access.ts';
import type { Settings } from '../../../config/schema.ts';
import type { Through } from '../../api/transport/paging.ts';
import { describeFileError } from '../../fs/disk.ts';
import { type CheckResult, checkManifest } from '../../importers/check/check.ts';
import type { CheckOptions, PostLookUp, RowMatcher, RowMends } from '../../importers/check/checked-row.ts';
import type { CreatorLookUp } from '../../importers/check/creators/creator-check.ts';
import { createCreatorLookUp } from '../../importers/check/creators/creator-look-up.ts';
import type { RowSink } from '../../importers/check/manifest-run.ts';
import { createMediaCheck } from '../../importers/check/media/local-media-check.ts';
import { ProblemsFile } from '../../importers/check/problems-file.ts';
import { Repeats } from '../../importers/repeats/repeats.ts';
import type { Campaign, SheetDelimiter } from '../../ledger/campaigns/campaign.ts';
import { ColumnMapError } from '../../manifest/headers/column-map.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { sampleOf } from '../../media/source.ts';
import type { Account } from '../../processors/runner/accounts.ts';
import { repeatedCall } from '../../processors/runner/retry-policy.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { rateLimitsOf } from '../../runtime/service/accounts.ts';
import { serviceError } from '../../runtime/service/errors.ts';
import { openRateLimitBook } from '../../runtime/service/rate-limit-book.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { digestOf } from '../../sheets/open-sheet.ts';
import {
  fileSource,
  type SheetFormat,
  type SheetOptions,
  type SheetRow,
  UnreadableSheetError,
} from '../../sheets/sheet.ts';
import type { ManifestFile } from './manifest-file.ts';

/** How a sheet is read. */
export interface ReadingOptions {
  readonly sheet?: SheetOptions | undefined;
  /** Folder that media paths are relative to; the folder in the settings or of the manifest unless given. */
  readonly mediaRoot?: string | undefined;
  /** Folder of files that an update brings into the campaign's media folder before its rows are sent; looked in first. */
  readonly newMedia?: string | undefined;
  /** IANA zone of times without one; that of the settings unless given. */
  readonly timezone?: string | undefined;
  readonly allowUnknownColumns?: boolean | undefined;
  /** Changes of cells, and rows to leave out. The file stays as it is. */
  readonly mends?: RowMends | undefined;
  /** Post rows again that repeat posts of other campaigns. */
  readonly again?: boolean | undefined;
  /** Receives the rows of the sheet as they are read. */
  readonly onRead?: ((rows: readonly SheetRow[]) => void | Promise<void>) | undefined;
}

/** Options of `checkSheet`. */
export interface CheckSheetOptions extends ReadingOptions {
  /** Account of the service to look up creators in; the one of the environment unless given. */
  readonly account?: string | undefined;
  /** The problems file: receives rows with problems, if there are any. */
  readonly problems?: string | undefined;
  /** Id of a campaign of the same manifest: the rows are its own, and no repeats of it. */
  readonly same?: string | undefined;
}

export interface ManifestCheckOptions extends Omit<CheckSheetOptions, 'account'> {
  readonly onRefused?: CheckOptions['onRefused'];
  readonly onLeftOut?: CheckOptions['onLeftOut'];
  readonly onUnchanged?: CheckOptions['onUnchanged'];
  readonly onHeader?: CheckOptions['onHeader'];
  readonly onWarning?: CheckOptions['onWarning'];
  /** Default: a new one, which asks the service. */
  readonly creators?: CreatorLookUp | undefined;
  /** Default: compares with all campaigns. */
  readonly posts?: PostLookUp | undefined;
  /** The campaign to import into. Its media root and time zone apply. */
  readonly into?: { readonly campaign: Campaign; readonly matcher: RowMatcher } | undefined;
}

/** The result of `checkSheet`. */
export interface CheckedManifest {
  readonly check: CheckResult;
  /** Absolute path of the problems file; undefined if there are no problems, or no file was requested. */
  readonly problemsFile: string | undefined;
}

/**
 * Finds all problems of a manifest, and plans it. Sends nothing but look-ups of creators.
 * @throws {UseCaseError} `account_*`, and as `checkManifestFile`.
 */
export async function checkSheet(
  runtime: Runtime,
  manifest: ManifestFile,
  { account = defaultAccount, ...options }: CheckSheetOptions = {},
): Promise<CheckedManifest> {
  return checkManifestFile(runtime, manifest, runtime.accounts.need(account), options);
}

/**
 * @param account account used to look up creators.
 * @param onRows receives the rows without problems, in parts.
 * @throws {UseCaseError} `manifest_unreadable`, `media_root_missing`, and `service_*` when creators cannot be looked up.
 */
export async function checkManifestFile(
  runtime: Runtime,
  manifest: ManifestFile,
  account: Account,
  options: ManifestCheckOptions,
  onRows: RowSink = () => undefined,
): Promise<CheckedManifest> {
  if (options.problems === undefined) {
    return { check: await run(runtime, manifest, account, options, onRows), problemsFile: undefined };
  }
  const path = resolve(options.problems);
  try {
    await using file = await ProblemsFile.create(path);
    const written: ManifestCheckOptions = {
      ...options,
      onRefused: async (row) => {
        await options.onRefused?.(row);
        await file.add(row);
      },
      onHeader: async (header, format) => {
        await options.onHeader?.(header, format);
        await file.header(header, format);
      },
    };
    const check = await run(runtime, manifest, account, written, onRows);
    if (check.problems.total === 0) return { check, problemsFile: undefined };
    await file.finish(check.blocking);
    return { check, problemsFile: path };
  } catch (error) {
    throw asUseCaseError(error, path);
  }
}

/** @throws {UseCaseError} `media_root_missing` for a folder that does not exist. */
export async function findMediaRoot(
  { settings }: Pick<Runtime, 'settings'>,
  { folder }: ManifestFile,
  { mediaRoot }: ReadingOptions,
): Promise<string> {
  const root = resolve(mediaRoot ?? settings.media.root ?? folder);
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory()) return root;
  throw new UseCaseError('media_root_missing', `the media folder ${root} does not exist`, {
    cure: [
      'Ask an operator to set the folder that media paths are relative to.',
      hint('setting', { name: 'media.root' }),
      hint('mediaRoot'),
    ],
  });
}

/**
 * Digest that identifies an earlier import of the same manifest; undefined for a file that is no manifest, which the check reports.
 * @throws {UseCaseError} `manifest_unreadable` when the file cannot be read.
 */
export async function findDigest(
  { file, path }: Pick<ManifestFile, 'file' | 'path'>,
  sheet: SheetOptions | undefined,
): Promise<string | undefined> {
  try {
    return await digestOf(fileSource(path), sheet);
  } catch (error) {
    if (error instanceof UnreadableSheetError) return undefined;
    throw asUseCaseError(error, file);
  }
}

async function run(
  runtime: Runtime,
  manifest: ManifestFile,
  account: Account,
  options: ManifestCheckOptions,
  onRows: RowSink,
): Promise<CheckResult> {
  try {
    const changed = await openRateLimitBook(runtime, account.name).changed();
    const rules = await checkRules(runtime, manifest, account, options, changed);
    return await checkManifest(fileSource(manifest.path, manifest.file), rules, onRows);
  } catch (error) {
    throw asUseCaseError(error, manifest.file);
  }
}

/**
 * The rules for checking rows of a manifest.
 * @param changedRateLimits rate limits changed since the settings were read; needed only for a plan.
 * @throws {UseCaseError} `media_root_missing`.
 */
export async function checkRules(
  runtime: Runtime,
  manifest: ManifestFile,
  account: Account,
  options: ManifestCheckOptions,
  changedRateLimits: Settings['rateLimits'] = {},
): Promise<CheckOptions> {
  const { settings, now } = runtime;
  const { name } = account;
  const { campaign } = options.into ?? {};
  const mediaRoot = campaign?.mediaRoot ?? (await findMediaRoot(runtime, manifest, options));
  return {
    settings: {
      ...settings,
      rateLimits: { ...rateLimitsOf(settings, name), ...changedRateLimits },
      timezone: campaign ? campaign.timezone : (options.timezone ?? settings.timezone),
    },
    now: now(),
    creators: options.creators ?? creatorsOf(runtime, account),
    media: createMediaCheck({ mediaRoot, newMedia: options.newMedia, ...settings.media }),
    posts: options.posts ?? postsOf(runtime, account, campaign?.id ?? options.same),
    again: options.again,
    into: options.into?.matcher,
    mends: options.mends,
    onRefused: options.onRefused,
    onLeftOut: options.onLeftOut,
    onUnchanged: options.onUnchanged,
    onHeader: options.onHeader,
    onRead: options.onRead,
    onWarning: options.onWarning,
    allowUnknownColumns: options.allowUnknownColumns ?? false,
    sheet: { ...options.sheet, rememberedMap: campaign?.map },
  };
}

/** Finds rows of other campaigns with the same posts. @param own id of the campaign that the rows belong to, if there is one. */
export function postsOf(
  { ledger, settings }: Pick<Runtime, 'ledger' | 'settings'>,
  { name }: Pick<Account, 'name'>,
  own: string | undefined,
): PostLookUp {
  const { maxBytes } = settings.media;
  const contentAt = (source: string, mediaRoot: string) => sampleOf(source, { mediaRoot, maxBytes });
  return new Repeats(ledger, { account: name, own, contentAt });
}

/** Looks up creators of an account of the service, and caches them. */
export function creatorsOf(
  { settings }: Pick<Runtime, 'settings'>,
  { client, rateLimits }: Account,
): CreatorLookUp {
  const through: Through = (operation, call) =>
    repeatedCall(operation, call, { rateLimits, retry: settings.retry });
  return createCreatorLookUp((query) => client.creators.all(query, { through }));
}

/** @param file the file being read or written. */
function asUseCaseError(error: unknown, file: string): unknown {
  if (error instanceof ColumnMapError) {
    return new UseCaseError('manifest_unreadable', error.message, { cure: error.cure, cause: error });
  }
  if (error instanceof Error && 'syscall' in error) {
    return new UseCaseError('manifest_unreadable', `${file}: ${describeFileError(error)}`, { cause: error });
  }
  return serviceError(error, 'creators could not be looked up');
}

/** The delimiter of the sheet handed in, if spreadsheet programs write it: in some regions they read only `;`. */
export function writtenDelimiter(format: SheetFormat | null): SheetDelimiter {
  return format?.kind === 'csv' && format.delimiter === ';' ? ';' : ',';
}
