/** Pictures of the rows of a draft. */

import { isUrl, kindOf } from '../../manifest/cells/media-source.ts';
import { readDuration } from '../../manifest/cells/scalars.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { inspectLocal } from '../../service/media/local.ts';
import { ownerOfRoot } from '../../service/media/picture-store.ts';
import type { Depicted, Pictures } from '../../service/media/pictures.ts';
import { describeProbe } from '../../service/media/probe.ts';
import { describeLocalMedia } from '../../service/media/source.ts';
import { noPicture, ownPictureOf, type RowPicture } from '../campaigns/rows/pictures.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { mediaSources, textIn } from './check/check-view.ts';
import { type DraftRuntime, draftMediaFolder } from './folder.ts';
import type { OpenDrafts } from './open-drafts.ts';
import type { KeptPlan, KeptPost } from './planned.ts';
import type { CheckedDraft, DraftRow, DraftView } from './view.ts';

type Columns = Pick<CheckedDraft, 'columns'>;
type Folders = Pick<DraftView, 'mediaRoot' | 'newMedia'>;

/** @returns the pictures of the rows, by number. Files of other servers are not fetched before a campaign needs them. */
export function draftPicturesOf(
  pictures: Pictures,
  view: Folders,
  checked: Columns,
  rows: readonly DraftRow[],
): Promise<ReadonlyMap<number, RowPicture>> {
  return picturesByNumber(pictures, rows, async (row) => ({
    depicted: await depictedOf(view, checked, row, 0),
    isPrompt: textIn(checked, row, 'ai_prompt') !== '',
  }));
}

/** @returns the pictures of posts that were kept by the last check, by number of the row. */
export function plannedPicturesOf(
  pictures: Pictures,
  { mediaRoot, posts }: KeptPlan,
  numbers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, RowPicture>> {
  const wanted = posts.filter(({ number }) => numbers.has(number));
  return picturesByNumber(pictures, wanted, (post) => ({
    depicted: plannedDepicted(mediaRoot, post),
    isPrompt: post.isPrompt,
  }));
}

interface DepictedRow {
  readonly depicted: Depicted | undefined;
  readonly isPrompt: boolean;
}

async function picturesByNumber<Row extends { readonly number: number }>(
  pictures: Pictures,
  rows: readonly Row[],
  read: (row: Row) => DepictedRow | Promise<DepictedRow>,
): Promise<ReadonlyMap<number, RowPicture>> {
  const found = rows.map(async (row): Promise<readonly [number, RowPicture]> => {
    const { depicted, isPrompt } = await read(row);
    if (depicted !== undefined) return [row.number, await ownPictureOf(pictures, depicted)];
    return [row.number, isPrompt ? { ...noPicture, kind: 'prompt' } : noPicture];
  });
  return new Map(await Promise.all(found));
}

function plannedDepicted(root: string, { media, frameMs }: KeptPost): Depicted | undefined {
  return media === '' ? undefined : { ...ownDepicted(root, media), frameMs };
}

async function depictedOf(
  { mediaRoot, newMedia }: Folders,
  checked: Columns,
  row: DraftRow,
  index: number,
): Promise<Depicted | undefined> {
  const source = mediaSources(checked, row)[index];
  if (source === undefined) return undefined;
  const isNew = newMedia !== undefined && !isUrl(source) && (await hasFile(newMedia, source));
  const depicted = ownDepicted(isNew ? newMedia : mediaRoot, source);
  const frameMs = readDuration(textIn(checked, row, 'cover_timestamp_ms'), 1);
  return depicted.isVideo && frameMs !== null && frameMs < 1e9 ? { ...depicted, frameMs } : depicted;
}

function ownDepicted(root: string, source: string): Depicted {
  return { source, root, owner: ownerOfRoot(root), isVideo: kindOf(source) === 'VIDEO' };
}

/** @returns the picture of a file of the draft. @param path within its folder of media. */
export function filePictureOf(
  runtime: DraftRuntime,
  pictures: Pictures,
  draft: string,
  path: string,
): Promise<RowPicture> {
  return ownPictureOf(pictures, ownDepicted(draftMediaFolder(runtime, draft), path));
}

function hasFile(root: string, path: string): Promise<boolean> {
  return inspectLocal(path, root).then(
    () => true,
    () => false,
  );
}

/** What the headers of a local file say, in words; undefined if it cannot be read. */
export async function draftLookOf(
  { prober, settings }: Pick<Runtime, 'prober' | 'settings'>,
  view: Folders,
  checked: Columns,
  row: DraftRow,
  index: number,
): Promise<string | undefined> {
  const { source = '', root = '' } = (await depictedOf(view, checked, row, index)) ?? {};
  const options = { mediaRoot: root, maxBytes: settings.media.maxBytes, prober };
  // Its problems stand at its cell.
  const file = await describeLocalMedia(source, options).catch(() => undefined);
  return file?.probe && describeProbe(file.probe);
}

/** @param index of its cell; undefined: the first, as last checked. @throws {UseCaseError} `draft_not_found`, `media_not_shown`. */
export async function draftDepicted(
  drafts: Pick<OpenDrafts, 'look' | 'window' | 'plans'>,
  draft: string,
  number: number,
  index: number | undefined,
): Promise<Depicted> {
  if (index === undefined) {
    const plan = await drafts.plans.find(draft);
    const post = plan?.posts.find((each) => each.number === number);
    return ownFile(plan && post && plannedDepicted(plan.mediaRoot, post));
  }
  const view = await drafts.look(draft);
  const isNumber = Number.isInteger(number) && number > 0;
  const { rows } = isNumber ? await drafts.window(draft, 'all', number - 1, 1) : { rows: [] };
  const [row] = rows;
  if (row === undefined || view.checked === undefined)
    throw new UseCaseError('media_not_shown', 'the draft has no such row');
  return ownFile(await depictedOf(view, view.checked, row, index));
}

function ownFile(depicted: Depicted | undefined): Depicted {
  if (depicted === undefined || isUrl(depicted.source))
    throw new UseCaseError('media_not_shown', 'the row has no such file');
  return depicted;
}
