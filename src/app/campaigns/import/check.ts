/** Checks a manifest against its rules, the service and the media. Sends nothing but look-ups of creators. */
import { resolve } from 'node:path';
import type { Settings } from '../../../../config/schema.ts';
import { type CheckResult, checkManifest } from '../../../importers/check/check.ts';
import type { CheckOptions, PostLookUp, RowEdits, RowMatcher } from '../../../importers/check/checked-row.ts';
import type { CreatorLookUp } from '../../../importers/check/creators/creator-check.ts';
import { createCreatorLookUp } from '../../../importers/check/creators/creator-look-up.ts';
import type { RowSink } from '../../../importers/check/manifest-run.ts';
import { createMediaCheck } from '../../../importers/check/media/local-media-check.ts';
import { ProblemsFile } from '../../../importers/check/problems-file.ts';
import { findMediaRoot, type ManifestFile, readingError } from '../../../importers/open/manifest-file.ts';
import { type OwnCampaign, Repeats } from '../../../importers/repeats/repeats.ts';
import type { Campaign, SheetDelimiter } from '../../../ledger/campaigns/campaign.ts';
import { repeatedCall } from '../../../processors/runner/retry-policy.ts';
import { sampleOf } from '../../../service/media/source.ts';
import type { Through } from '../../../service/transport/paging.ts';
import { fileSource, type SheetFormat, type SheetOptions, type SheetRow } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { serviceError } from '../../runtime/service/errors.ts';
import { openRateLimitBook } from '../../runtime/service/rate-limit-book.ts';

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
  readonly edits?: RowEdits | undefined;
  /** Post rows again that repeat posts of other campaigns. */
  readonly again?: boolean | undefined;
  /** Receives the rows of the sheet as they are read. */
  readonly onRead?: ((rows: readonly SheetRow[]) => void | Promise<void>) | undefined;
}

/** Options of `checkSheet`. */
export interface CheckSheetOptions extends ReadingOptions {
  /** The problems file: receives rows with problems, if there are any. */
  readonly problems?: string | undefined;
  /** Id of a campaign of the same manifest: the rows are its own, and no repeats of it. */
  readonly same?: string | undefined;
}

export interface ManifestCheckOptions extends CheckSheetOptions {
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
 * @throws {UseCaseError} as `checkManifestFile`.
 */
export async function checkSheet(
  runtime: Runtime,
  manifest: ManifestFile,
  options: CheckSheetOptions = {},
): Promise<CheckedManifest> {
  return checkManifestFile(runtime, manifest, options);
}

/**
 * As `checkSheet`.
 * @param onRows receives the rows without problems, in parts.
 * @throws {UseCaseError} `manifest_unreadable`, `media_root_missing`, `service_not_configured`, and other `service_*` when
 *   creators cannot be looked up.
 */
export async function checkManifestFile(
  runtime: Runtime,
  manifest: ManifestFile,
  options: ManifestCheckOptions,
  onRows: RowSink = () => undefined,
): Promise<CheckedManifest> {
  if (options.problems === undefined) {
    return { check: await run(runtime, manifest, options, onRows), problemsFile: undefined };
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
    const check = await run(runtime, manifest, written, onRows);
    if (check.problems.total === 0) return { check, problemsFile: undefined };
    await file.finish(check.blocking);
    return { check, problemsFile: path };
  } catch (error) {
    throw readingError(error, path);
  }
}

async function run(
  runtime: Runtime,
  manifest: ManifestFile,
  options: ManifestCheckOptions,
  onRows: RowSink,
): Promise<CheckResult> {
  try {
    const changed = await openRateLimitBook(runtime).changed();
    const rules = await checkRules(runtime, manifest, options, changed);
    return await checkManifest(fileSource(manifest.path, manifest.file), rules, onRows);
  } catch (error) {
    throw serviceError(readingError(error, manifest.file), 'creators could not be looked up');
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
  options: ManifestCheckOptions,
  changedRateLimits: Settings['rateLimits'] = {},
): Promise<CheckOptions> {
  const { settings, now } = runtime;
  const { campaign } = options.into ?? {};
  const mediaRoot = campaign?.mediaRoot ?? (await findMediaRoot(runtime, manifest, options));
  return {
    settings: {
      ...settings,
      rateLimits: { ...settings.rateLimits, ...changedRateLimits },
      timezone: campaign ? campaign.timezone : (options.timezone ?? settings.timezone),
    },
    now: now(),
    creators: options.creators ?? creatorsOf(runtime),
    media: createMediaCheck({ mediaRoot, newMedia: options.newMedia, ...settings.media }),
    posts: options.posts ?? postsOf(runtime, ownOf(options)),
    again: options.again,
    into: options.into?.matcher,
    edits: options.edits,
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

function ownOf({ into, same }: ManifestCheckOptions): OwnCampaign | undefined {
  if (into === undefined) return same === undefined ? undefined : { id: same };
  const { campaign, matcher } = into;
  return { id: campaign.id, counts: (key, other) => matcher.isRepeat(key, other) };
}

/** Finds rows of campaigns with the same posts. @param own the campaign that the rows belong to, if there is one. */
export function postsOf(
  { ledger, settings }: Pick<Runtime, 'ledger' | 'settings'>,
  own: OwnCampaign | undefined,
): PostLookUp {
  const { maxBytes } = settings.media;
  const contentAt = (source: string, mediaRoot: string) => sampleOf(source, { mediaRoot, maxBytes });
  return new Repeats(ledger, { own, contentAt });
}

/** Looks up creators in the service, and caches them. @throws {UseCaseError} `service_not_configured`. */
export function creatorsOf({
  settings,
  service,
}: Pick<Runtime, 'settings'> & { readonly service: Pick<Runtime['service'], 'need'> }): CreatorLookUp {
  const { client, rateLimits } = service.need();
  const through: Through = (operation, call) =>
    repeatedCall(operation, call, { rateLimits, retry: settings.retry });
  return createCreatorLookUp((query) => client.creators.all(query, { through }));
}

/** The delimiter of the sheet handed in, if spreadsheet programs write it: in some regions they read only `;`. */
export function writtenDelimiter(format: SheetFormat | null): SheetDelimiter {
  return format?.kind === 'csv' && format.delimiter === ';' ? ';' : ',';
}
