/** The picture of each row: what a list shows of its post, or why there is nothing to show yet. */
import { join } from 'node:path';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Assets } from '../../../ledger/rows/results.ts';
import { isUrl, kindOf } from '../../../manifest/cells/media-source.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import type { Row } from '../../../manifest/row.ts';
import { Proxies } from '../../../platform/net/proxy.ts';
import { AddressPolicy } from '../../../service/media/addresses.ts';
import { MediaError } from '../../../service/media/errors.ts';
import { ownerOfCampaign, ownerOfRoot, removePictures } from '../../../service/media/picture-store.ts';
import { type Depicted, type Look, Pictures } from '../../../service/media/pictures.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { findCampaign, findRow } from '../find.ts';

/** `remote`, `generated`: on another server. `prompt`: not generated yet. `missing`: cannot be opened. `unshown`: HEIC. `none`: no file. */
export type PictureKind = 'ready' | 'remote' | 'generated' | 'prompt' | 'missing' | 'unshown' | 'none';

export type PictureColumn = 'media' | 'cover' | 'outputs' | 'thumbnails';

export interface RowPicture extends Pick<Look, 'version' | 'small'> {
  readonly kind: PictureKind;
  readonly isVideo: boolean;
  /** Path or URL, as written in the sheet or answered by the service; empty if there is none. */
  readonly source: string;
  /** Which of the row's media it is: the first of this column. */
  readonly column: PictureColumn;
  /** Time of the frame to show, in milliseconds. */
  readonly frameMs: number | undefined;
  /** Column of the video to play, if the post is one and its file can be had. */
  readonly plays: PictureColumn | undefined;
}

export interface AskedMedium {
  /** A `PictureColumn`, or `ai_references`; anything else is not found. */
  readonly column: string;
  readonly index: number;
}

type PictureRuntime = Pick<Runtime, 'ledger' | 'views'>;

function picturesFolder({ environment }: Pick<Runtime, 'environment'>): string {
  return join(environment.dataDir, 'pictures');
}

/** The pictures that this process keeps on its disk. */
export function openPictures(runtime: Pick<Runtime, 'environment' | 'settings'>): Pictures {
  const { pictures: mostBytes, allowPrivateAddresses } = runtime.settings.media;
  const addresses = new AddressPolicy(allowPrivateAddresses, new Proxies(runtime.environment.proxies));
  return new Pictures({ directory: picturesFolder(runtime), mostBytes, addresses });
}

/** @returns the pictures of the rows, by position. */
export async function picturesOf(
  { ledger, views }: PictureRuntime,
  pictures: Pictures,
  campaign: Campaign,
  positions: readonly number[],
): Promise<ReadonlyMap<number, RowPicture>> {
  const view = await views.open(campaign.id, campaign.sheetVersion);
  const rows = await Promise.all(positions.map((position) => view?.uncachedRow(position)));
  const generated = positions.filter((_position, index) => rows[index]?.generation !== undefined);
  const assets = await ledger.rows.assetsOf(campaign.id, generated);
  const assetsOf = new Map(generated.map((position, index) => [position, assets[index] ?? none]));
  const found = positions.map(async (position, index) => {
    const row = rows[index];
    const picture = row && (await pictureOf(pictures, campaign, row, assetsOf.get(position) ?? none));
    return [position, picture ?? noPicture] as const;
  });
  return new Map(await Promise.all(found));
}

export const noPicture: RowPicture = {
  kind: 'none',
  isVideo: false,
  source: '',
  column: 'media',
  frameMs: undefined,
  plays: undefined,
  version: '',
  small: undefined,
};

const none: Assets = { assets: [], thumbnails: [] };

/** A cover of its own, else the thumbnail of the first output, else the first medium or output, which may have a poster. */
async function pictureOf(
  pictures: Pictures,
  campaign: Campaign,
  row: Row,
  assets: Assets,
): Promise<RowPicture> {
  const isVideo = row.mediaType === 'VIDEO';
  const main = row.generation ? 'outputs' : 'media';
  const first = depictedOf(campaign, row, assets, { column: main, index: 0 });
  const cover = depictedOf(campaign, row, assets, { column: 'cover', index: 0 });
  const look = first && (await pictures.look(first));
  const plays = isVideo && look && look.place !== 'missing' ? main : undefined;
  const coverLook = cover && (await pictures.look(cover));
  if (cover && coverLook?.place === 'kept') return { ...kindOfLook(cover, coverLook, 'cover'), plays };
  // The output itself may be a hundred times as large, and needs a player if it is a video.
  const thumbnail = depictedOf(campaign, row, assets, { column: 'thumbnails', index: 0 });
  if (thumbnail && (isVideo || look?.place === 'away'))
    return { ...kindOfLook(thumbnail, await pictures.look(thumbnail), 'thumbnails'), plays };
  if (first && look) return { ...kindOfLook(first, look, main), plays };
  return row.generation ? { ...noPicture, kind: 'prompt', isVideo, column: main } : noPicture;
}

/** The picture of a file of the planner's, which is not fetched from another server. */
export async function ownPictureOf(pictures: Pictures, depicted: Depicted): Promise<RowPicture> {
  const picture = kindOfLook(depicted, await pictures.look(depicted), 'media');
  return { ...picture, plays: depicted.isVideo && picture.kind === 'ready' ? 'media' : undefined };
}

function kindOfLook(
  { isVideo, source, frameMs }: Depicted,
  { place, version, small }: Look,
  column: PictureColumn,
): RowPicture {
  const kinds = {
    away: column === 'outputs' || column === 'thumbnails' ? 'generated' : 'remote',
    missing: 'missing',
    unshown: 'unshown',
    kept: 'ready',
  } as const;
  return { kind: kinds[place], isVideo, source, column, frameMs, plays: undefined, version, small };
}

/** A medium of a row; undefined if the row has no such medium. */
function depictedOf(
  { id, mediaRoot }: Pick<Campaign, 'id' | 'mediaRoot'>,
  { media, cover, mediaType, generation }: Row,
  { assets, thumbnails }: Assets,
  { column, index }: AskedMedium,
): Depicted | undefined {
  const isVideo = mediaType === 'VIDEO';
  const frameMs = isVideo && cover?.kind === 'frame' ? cover.timestampMs : undefined;
  const from = (source: string | undefined): Depicted | undefined => {
    if (source === undefined) return undefined;
    const owner = isUrl(source) ? ownerOfCampaign(id) : ownerOfRoot(mediaRoot);
    return { source, root: mediaRoot, owner, isVideo, frameMs };
  };
  const image = (source: string | undefined): Depicted | undefined => {
    const found = from(source);
    return found && { ...found, isVideo: kindOf(found.source) === 'VIDEO', frameMs: undefined };
  };
  switch (column) {
    case 'media':
      return from(media[index]);
    case 'outputs':
      return from(assets[index]);
    case 'thumbnails':
      return image(thumbnails[index]);
    case 'cover':
      return index === 0 && cover?.kind === 'file' ? image(cover.source) : undefined;
    case 'ai_references':
      return image(generation?.references[index]);
    default:
      return undefined;
  }
}

/** Finds a medium of a row. @throws {UseCaseError} `campaign_not_found`, `row_not_found`, `media_not_shown`. */
export async function findRowMedium(
  runtime: PictureRuntime,
  id: string,
  key: string,
  asked: AskedMedium,
): Promise<Depicted> {
  const campaign = await findCampaign(runtime, id);
  const position = await findRow(runtime, campaign, key);
  const view = await runtime.views.open(campaign.id, campaign.sheetVersion);
  const row = await view?.uncachedRow(position);
  const [assets = none] = row?.generation ? await runtime.ledger.rows.assetsOf(id, [position]) : [];
  const depicted = row && depictedOf(campaign, row, assets, asked);
  if (depicted === undefined) throw new UseCaseError('media_not_shown', 'the row has no such file');
  return depicted;
}

/** Removes the pictures of campaigns and media folders that are gone, here or by another machine. @param others further owners. */
export async function sweepPictures(
  { ledger }: Pick<Runtime, 'ledger'>,
  { store }: Pictures,
  others: readonly string[],
): Promise<void> {
  const campaigns = await ledger.campaigns.listAll();
  const own = campaigns.flatMap(({ id, mediaRoot }) => [ownerOfCampaign(id), ownerOfRoot(mediaRoot)]);
  await store.sweep(new Set([...own, ...others]));
}

/** Removes the pictures of a deleted campaign, and those of its media, unless another campaign has the same folder. */
export async function removePicturesOf(
  runtime: Pick<Runtime, 'ledger' | 'environment'>,
  { id, mediaRoot }: Pick<Campaign, 'id' | 'mediaRoot'>,
): Promise<void> {
  const folder = picturesFolder(runtime);
  await removePictures(folder, ownerOfCampaign(id));
  const others = await runtime.ledger.campaigns.listAll();
  if (others.some((other) => other.mediaRoot === mediaRoot)) return;
  await removePictures(folder, ownerOfRoot(mediaRoot));
}

/** Runs work on media for people. @throws {UseCaseError} `media_not_shown` instead of a `MediaError`. */
export async function shownOrRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw new UseCaseError('media_not_shown', error.message.replace(/\.$/, ''), { fix: error.fix });
  }
}
