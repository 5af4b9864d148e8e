/** Adds the videos of a sheet to the watch list. Adds nothing if the sheet has problems. */
import { defaultAccount } from '../../../config/access.ts';
import { describeFileError } from '../../fs/disk.ts';
import type { AddedVideos } from '../../ledger/videos/watch-list.ts';
import { showValue } from '../../manifest/problems/problem.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { nameOfAccount } from '../../runtime/service/accounts.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { fileSource, type SheetOptions } from '../../sheets/sheet.ts';
import type { VideoCommandDocument } from '../documents.ts';
import { CampaignRows } from './campaign-rows.ts';
import { type CheckedVideos, checkVideoSheet, type VideoSink } from './check.ts';

/** Options of `importVideos`. */
export interface VideoImportOptions {
  readonly sheet?: SheetOptions | undefined;
  /** Account of videos that belong to no campaign of this ledger. Default: known videos keep theirs, new ones get the usual one. */
  readonly account?: string | undefined;
}

/** What became of a sheet of videos. */
export interface ImportedVideos extends AddedVideos {
  readonly check: CheckedVideos;
  /** Videos on the list now. */
  readonly videos: number;
  /** Memory of Redis that a year of nightly samples of the whole list needs, in bytes. */
  readonly yearBytes: number;
}

/** Measured with long captions and URLs: keys, facts, the service's last answer, and the lists. Bytes of Redis. */
const bytesPerVideo = 1500;
/** Measured over a year of nights of a busy video. */
const bytesPerSample = 18;
const nightsAYear = 365;

/**
 * @param source the file as the user named it, and the path of its bytes, which are read twice.
 * @throws {UseCaseError} `manifest_unreadable`, `account_unknown`.
 */
export async function importVideos(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'environment'>,
  { file, path }: { readonly file: string; readonly path: string },
  { sheet = {}, account }: VideoImportOptions = {},
): Promise<ImportedVideos> {
  const { list } = runtime.ledger.videos;
  const name = nameOfAccount(runtime, account ?? usualAccount(runtime));
  const source = fileSource(path, file);
  const added = { added: 0, known: 0 };
  const rows = new CampaignRows(runtime.ledger, { name, isGiven: account !== undefined });
  const store: VideoSink = async (videos, _warn, has) => {
    const counts = await list.add(await rows.tie(videos, has));
    added.added += counts.added;
    added.known += counts.known;
  };
  try {
    const check = await checkVideoSheet(source, sheet, warnOfOthers(runtime));
    if (check.problems.total === 0) await checkVideoSheet(source, sheet, store);
    const videos = await list.size();
    return { check, ...added, videos, yearBytes: videos * (bytesPerVideo + nightsAYear * bytesPerSample) };
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UseCaseError('manifest_unreadable', `${file}: ${describeFileError(error)}`, { cause: error });
  }
}

/** The default account; without one, the only account of the settings. */
function usualAccount({ environment, settings }: Pick<Runtime, 'settings' | 'environment'>): string {
  const [first = defaultAccount] = Object.keys(settings.accounts);
  return environment.apiUrl === undefined ? first : defaultAccount;
}

/** Warns about rows with a campaign of another ledger: `c1` there is not `c1` here. */
function warnOfOthers({ ledger }: Pick<Runtime, 'ledger'>): VideoSink {
  return async (videos, warn) => {
    const own = await ledger.format.id();
    for (const { line, key, campaign, ledger: other } of videos) {
      if (other === '' || other === own || campaign === '') continue;
      warn(line, key, {
        column: 'campaign',
        code: 'other_ledger',
        value: showValue(campaign),
        problem: 'the sheet is from another installation, so this campaign is not one of ours',
        cure: 'The video is added without its campaign and key.',
      });
    }
  };
}

/** The document of an import, for `--json` and the REST API. */
export function describeImport({
  check,
  added,
  known,
  videos,
  yearBytes,
}: ImportedVideos): VideoCommandDocument<'videos import'> {
  return {
    format: check.format,
    rows: check.rows,
    problems: check.problems.kept,
    problemCounts: Object.fromEntries(check.problems.byCode),
    warnings: check.warnings.kept,
    warningCounts: Object.fromEntries(check.warnings.byCode),
    added,
    known,
    withoutUrl: check.withoutUrl,
    videos,
    yearBytes,
  };
}
