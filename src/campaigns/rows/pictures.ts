/** The picture of each row: what a list shows of its post, or why there is nothing to show yet. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { isUrl, kindOf } from '../../manifest/cells/media-source.ts';
import type { Row } from '../../manifest/row.ts';
import { MediaError } from '../../media/errors.ts';
import { inspectLocal } from '../../media/local.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/**
 * `ready`: there is a picture to show. `undrawn`: there is the file, but no small version of it. `remote`, `generated`: the file is on
 * another server. `prompt`: it is not generated yet. `missing`: the file cannot be opened. `none`: the row names no file.
 */
export type PictureKind = 'ready' | 'undrawn' | 'remote' | 'generated' | 'prompt' | 'missing' | 'none';

export interface RowPicture {
  readonly kind: PictureKind;
  readonly isVideo: boolean;
  /** Path or URL, as written in the sheet or answered by the service; empty if there is none. */
  readonly source: string;
}

/** Larger images are not sent to lists. Bytes. */
const largestShown = 2 * 1024 * 1024;

/** @returns the pictures of the rows, by position. */
export async function picturesOf(
  { views }: Pick<Runtime, 'views'>,
  campaign: Campaign,
  positions: readonly number[],
): Promise<ReadonlyMap<number, RowPicture>> {
  const view = await views.open(campaign.id, campaign.sheetVersion);
  const found = positions.map(async (position) => {
    const row = await view?.uncachedRow(position);
    return [position, row ? await pictureOf(row, campaign.mediaRoot) : noPicture] as const;
  });
  return new Map(await Promise.all(found));
}

const noPicture: RowPicture = { kind: 'none', isVideo: false, source: '' };

async function pictureOf(row: Row, mediaRoot: string): Promise<RowPicture> {
  const [source] = row.media;
  if (source === undefined) {
    return row.generation ? { kind: 'prompt', isVideo: row.mediaType === 'VIDEO', source: '' } : noPicture;
  }
  const isVideo = kindOf(source) === 'VIDEO';
  if (isUrl(source)) return { kind: 'remote', isVideo, source };
  try {
    const { size } = await inspectLocal(source, mediaRoot);
    return { kind: isVideo || size > largestShown ? 'undrawn' : 'ready', isVideo, source };
  } catch (error) {
    if (error instanceof MediaError) return { kind: 'missing', isVideo, source };
    throw error;
  }
}
