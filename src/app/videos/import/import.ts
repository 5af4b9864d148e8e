/**
 * Adds the videos of a sheet, or of a list of links, to the watch list. Of a sheet with problems it adds nothing, and collects all of
 * them; of links it adds those that are right.
 */
import { Readable } from 'node:stream';
import type { AddedVideos } from '../../../ledger/videos/watch-list.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { foundDocument } from '../../../manifest/problems/problem-log.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { describeFileError } from '../../../platform/files/disk.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { VideoCommandDocument } from '../documents.ts';
import { CampaignRows } from './campaign-rows.ts';
import { type CheckedVideos, checkVideoSheet, type OpenList, type VideoSink } from './check-videos.ts';
import type { VideoRow } from './video-sheet.ts';

export interface VideoImportOptions {
  readonly sheet?: SheetOptions | undefined;
  /** Of all videos that have none of their own. */
  readonly facts?: Partial<Pick<VideoRow, 'campaign' | 'creator' | 'product'>>;
}

export interface ImportedVideos extends AddedVideos {
  readonly check: CheckedVideos;
  readonly videos: number;
  /** Memory of Redis that a year of nightly samples of the whole list needs, in bytes. */
  readonly yearBytes: number;
}

/** Measured with long captions and URLs: keys, facts, the service's last answer, and the lists. Bytes of Redis. */
const bytesPerVideo = 1500;
/** Measured over a year of nights of a busy video. */
const bytesPerSample = 50;
const nightsAYear = 365;

/** A file as the user named it, and the path of its bytes, which are read twice; or links, one a line. */
export type VideoSource = { readonly file: string; readonly path: string } | { readonly links: string };

/** @throws {UseCaseError} `manifest_unreadable`. */
export async function importVideos(
  runtime: Pick<Runtime, 'ledger'>,
  given: VideoSource,
  { sheet = {}, facts = {} }: VideoImportOptions = {},
): Promise<ImportedVideos> {
  const { list } = runtime.ledger.videos;
  const open =
    'links' in given
      ? async () => sheetOfLinks(given.links)
      : () => openSheet(fileSource(given.path, given.file), sheet);
  const added = { added: 0, known: 0 };
  const rows = new CampaignRows(runtime.ledger);
  const store: VideoSink = async (videos, _warn, has) => {
    const named = videos.map((video) => ({
      ...video,
      campaign: video.campaign || (facts.campaign ?? ''),
      creator: video.creator || (facts.creator ?? ''),
      product: video.product || (facts.product ?? ''),
    }));
    const counts = await list.add(await rows.link(named, has));
    added.added += counts.added;
    added.known += counts.known;
  };
  try {
    const isOfLinks = 'links' in given;
    const check = await checkVideoSheet(open, isOfLinks ? store : warnOfOthers(runtime));
    if (!isOfLinks && check.problems.total === 0) await checkVideoSheet(open, store);
    const videos = await list.size();
    return { check, ...added, videos, yearBytes: videos * (bytesPerVideo + nightsAYear * bytesPerSample) };
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error) || 'links' in given) throw error;
    throw new UseCaseError('manifest_unreadable', `the sheet ${given.file}: ${describeFileError(error)}`, {
      cause: error,
    });
  }
}

/** Warns about rows with a campaign of another ledger: `c1` there is not `c1` here. */
function warnOfOthers({ ledger }: Pick<Runtime, 'ledger'>): VideoSink {
  return async (videos, warn) => {
    const own = await ledger.format.id();
    for (const video of videos) {
      const { key, campaign, ledger: other } = video;
      if (other === '' || other === own || campaign === '') continue;
      warn(video, key, {
        column: 'campaign',
        code: 'other_ledger',
        value: showValue(campaign),
        problem: 'the sheet is from another installation, so its campaign is not known here',
        fix: 'The video is added without its campaign and key.',
      });
    }
  };
}

/** Links, one a line, as a sheet of one column. Blank lines are no rows. */
function sheetOfLinks(text: string): OpenList {
  const rows = text.split(/\r\n|\r|\n/).map((link, index) => ({ line: index + 1, cells: [link.trim()] }));
  return {
    format: null,
    headerLine: null,
    header: { line: 1, cells: ['video_url'] },
    rows: Readable.from([rows]),
    close: async () => undefined,
  };
}

export function describeImport(imported: ImportedVideos): VideoCommandDocument<'videos import'> {
  const { check, added, known, videos, yearBytes } = imported;
  return {
    format: check.format,
    headerLine: check.headerLine,
    rows: check.rows,
    ...foundDocument(check),
    added,
    known,
    withoutUrl: check.withoutUrl,
    videos,
    yearBytes,
  };
}
