/** Pictures of the rows of a draft, and small versions of its files, drawn while they are uploaded. */
import { noPicture, ownPictureOf, type RowPicture, sweepPictures } from '../campaigns/rows/pictures.ts';
import { isUrl, kindOf } from '../manifest/cells/media-source.ts';
import { inspectLocal } from '../media/local.ts';
import { ownerOfRoot } from '../media/picture-store.ts';
import type { Depicted, OpenPicture, Pictures } from '../media/pictures.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { shownOrRefused } from '../runtime/shown-media.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { mediaSources, textIn } from './check/shown.ts';
import { listDraftIds } from './drafts.ts';
import { readFiles } from './files/record.ts';
import { type DraftRuntime, draftMediaFolder } from './folder.ts';
import type { DraftPlans, KeptPlan, KeptPost } from './planned.ts';
import type { CheckedDraft, DraftRow, DraftView, DraftWindow } from './view.ts';

type Columns = Pick<CheckedDraft, 'columns'>;
type Folders = Pick<DraftView, 'mediaRoot' | 'newMedia'>;

/** @returns the pictures of the rows, by number. Files of other servers are not fetched before a campaign needs them. */
export async function draftPicturesOf(
  pictures: Pictures,
  view: Folders,
  checked: Columns,
  rows: readonly DraftRow[],
): Promise<ReadonlyMap<number, RowPicture>> {
  const found = rows.map(async (row) => {
    const depicted = await depictedOf(view, checked, row, 0);
    if (depicted !== undefined) return [row.number, await ownPictureOf(pictures, depicted)] as const;
    const isPrompt = textIn(checked, row, 'ai_prompt') !== '';
    return [row.number, isPrompt ? { ...noPicture, kind: 'prompt' as const } : noPicture] as const;
  });
  return new Map(await Promise.all(found));
}

/** @returns the pictures of posts that were kept by the last check, by number of the row. */
export async function plannedPicturesOf(
  pictures: Pictures,
  { mediaRoot, posts }: KeptPlan,
  numbers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, RowPicture>> {
  const found = posts
    .filter(({ number }) => numbers.has(number))
    .map(async (post) => {
      const depicted = plannedDepicted(mediaRoot, post);
      if (depicted !== undefined) return [post.number, await ownPictureOf(pictures, depicted)] as const;
      return [post.number, post.isPrompt ? { ...noPicture, kind: 'prompt' as const } : noPicture] as const;
    });
  return new Map(await Promise.all(found));
}

function plannedDepicted(root: string, { media, frameMs }: KeptPost): Depicted | undefined {
  if (media === '') return undefined;
  return { source: media, root, owner: ownerOfRoot(root), isVideo: kindOf(media) === 'VIDEO', frameMs };
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
  const root = isNew ? newMedia : mediaRoot;
  const isVideo = kindOf(source) === 'VIDEO';
  const frame = textIn(checked, row, 'cover_timestamp_ms');
  const frameMs = isVideo && /^\d{1,9}$/.test(frame) ? Number(frame) : undefined;
  return { source, root, owner: ownerOfRoot(root), isVideo, frameMs };
}

function hasFile(root: string, path: string): Promise<boolean> {
  return inspectLocal(path, root).then(
    () => true,
    () => false,
  );
}

/** Removes the pictures of campaigns and drafts that are gone. */
export async function sweepUnused(
  runtime: DraftRuntime & Pick<Runtime, 'ledger'>,
  pictures: Pictures,
): Promise<void> {
  const drafts = await listDraftIds(runtime);
  await sweepPictures(
    runtime,
    pictures,
    drafts.map((id) => ownerOfRoot(draftMediaFolder(runtime, id))),
  );
}

/** As `OpenDrafts` reads them. */
interface OpenedDrafts {
  readonly look: (id: string) => Promise<DraftView>;
  readonly window: (id: string, of: 'all', from: number, count: number) => Promise<DraftWindow>;
  readonly plans: Pick<DraftPlans, 'find'>;
}

/**
 * A file of a row of a draft.
 * @param index among the sources of its cell, from 0. Undefined: the first one, as the last check found it; that needs no check.
 * @throws {UseCaseError} `draft_not_found`; `media_not_shown`, also for a file on another server.
 */
export async function draftDepicted(
  drafts: OpenedDrafts,
  { draft, row: number, index }: { readonly draft: string; readonly row: number; readonly index?: number },
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

/** Opens a file of a row, or its small version. @throws {UseCaseError} `media_not_shown`. */
export async function openDraftPicture(
  pictures: Pictures,
  depicted: Depicted,
  size: 'small' | 'whole',
): Promise<OpenPicture> {
  return shownOrRefused(() => pictures.open(depicted, size));
}

/** @throws {UseCaseError} `media_not_shown`. */
export async function keepDraftSmall(pictures: Pictures, depicted: Depicted, bytes: Buffer): Promise<void> {
  await shownOrRefused(() => pictures.keepSmall(depicted, bytes));
}

/**
 * Keeps the small version that a browser drew of a file while it uploaded it.
 * @param upload id of the upload, which has ended.
 * @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `media_not_shown`.
 */
export async function keepUploadSmall(
  runtime: DraftRuntime,
  pictures: Pictures,
  { draft, upload }: { readonly draft: string; readonly upload: string },
  bytes: Buffer,
): Promise<void> {
  const { stored } = await readFiles(runtime, draft);
  const file = [...stored.values()].find(({ id }) => id === upload);
  if (file === undefined) throw new UseCaseError('upload_not_found', 'there is no such file');
  const root = draftMediaFolder(runtime, draft);
  const isVideo = kindOf(file.path) === 'VIDEO';
  const depicted = { source: file.path, root, owner: ownerOfRoot(root), isVideo };
  await shownOrRefused(() => pictures.keepSmall(depicted, bytes));
}
