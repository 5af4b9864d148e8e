/** Rows of a draft as its client links show them: those that can be posted, as they are planned now. */
import { creatorIn } from '../../manifest/cells/creator.ts';
import { isUrl, kindOf } from '../../manifest/cells/media-source.ts';
import { readTime } from '../../manifest/cells/time.ts';
import { Zones } from '../../manifest/cells/zone.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../manifest/row-ref.ts';
import type { Depicted, Pictures } from '../../service/media/pictures.ts';
import type { RowPicture } from '../campaigns/rows/pictures.ts';
import { mediaSources, textIn, timeIn } from '../drafts/check/check-view.ts';
import type { Draft } from '../drafts/draft.ts';
import type { OpenDrafts } from '../drafts/open-drafts.ts';
import { draftDepicted, draftPicturesOf } from '../drafts/pictures.ts';
import type { CheckedDraft, DraftRow } from '../drafts/view.ts';
import type { SharedPost } from './shared-posts.ts';

export interface SharedRows {
  /** Undefined while the sheet is being checked. */
  readonly checked: CheckedDraft | undefined;
  readonly posts: readonly SharedPost[];
  readonly next: number | undefined;
  /** By position. */
  readonly pictures: ReadonlyMap<RowIndex, RowPicture>;
}

/** @param page.from how many rows come before. Their positions are those in the sheet. @throws {UseCaseError} `draft_not_found`, `draft_not_stored`. */
export async function listSharedRows(
  { drafts, pictures }: { readonly drafts: OpenDrafts; readonly pictures: Pictures },
  { id }: Draft,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<SharedRows> {
  const view = await drafts.look(id);
  const { checked } = view;
  if (checked === undefined) return { checked, posts: [], next: undefined, pictures: new Map() };
  const { rows, total } = await drafts.window(id, 'accepted', from, limit);
  const found = await draftPicturesOf(pictures, view, checked, rows);
  const shown = [...found].map(([number, picture]): readonly [RowIndex, RowPicture] => [
    number - 1,
    // Others cannot be opened here.
    picture.kind === 'ready' ? picture : { ...picture, source: '' },
  ]);
  return {
    checked,
    posts: rows.map((row) => postOf(id, checked, row)),
    next: from + limit < total ? from + limit : undefined,
    pictures: new Map(shown),
  };
}

function postOf(draft: string, checked: CheckedDraft, row: DraftRow): SharedPost {
  const text = (name: Parameters<typeof textIn>[2]) => textIn(checked, row, name);
  const sources = mediaSources(checked, row);
  return {
    campaign: draft,
    position: row.number - 1,
    revision: 0,
    seen: undefined,
    creator: creatorIn(text('creator')),
    caption: text('caption'),
    product: text('product_title') || text('product_id'),
    at: timeOf(checked, row),
    isVideo: kindOf(sources[0] ?? '') === 'VIDEO',
    column: 'media',
    media: sources.some(isUrl) ? 0 : sources.length,
    state: 'planned',
    goesNow: false,
  };
}

function timeOf(checked: CheckedDraft, row: DraftRow): number | undefined {
  const zones = new Zones();
  const zone = zones.find(textIn(checked, row, 'scheduled_tz')) ?? zones.find(checked.timezone ?? '');
  const read = readTime(timeIn(checked, row), zone);
  return 'at' in read ? read.at : undefined;
}

/** A file of a row that can be posted. @throws {UseCaseError} `draft_not_found`, `media_not_shown`. */
export async function sharedRowMedium(
  drafts: OpenDrafts,
  { id }: Draft,
  position: RowIndex,
  index: number,
): Promise<Depicted> {
  if (!(await isShared(drafts, id, position)))
    throw new UseCaseError('media_not_shown', 'the draft shows no such row');
  return draftDepicted(drafts, id, position + 1, index);
}

/** Whether guests see the row. */
export async function isShared(
  drafts: Pick<OpenDrafts, 'window'>,
  draft: string,
  position: RowIndex,
): Promise<boolean> {
  const { rows } = await drafts.window(draft, 'all', position, 1);
  return rows[0]?.number === position + 1 && rows[0].state === 'accepted';
}
