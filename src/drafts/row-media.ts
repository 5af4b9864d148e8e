/** Media of a draft's row, to show to people. Opens only files under its media root, and never fetches URLs. */

import { type OpenMedium, openShown } from '../campaigns/rows/media.ts';
import { isUrl } from '../manifest/cells/media-source.ts';
import { listSeparator } from '../manifest/columns.ts';
import { MediaError } from '../media/errors.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import type { CheckedDraft, DraftRow, DraftView } from './check/checked-draft.ts';

/** The sources in the media cell of a row. */
export function mediaSources(
  { columns }: Pick<CheckedDraft, 'columns'>,
  { cells }: DraftRow,
): readonly string[] {
  const position = columns.find(({ column }) => column === 'media')?.position ?? -1;
  return (cells[position] ?? '')
    .split(listSeparator)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/**
 * Opens a file that the row names.
 * @param index among the sources of its cell, from 0.
 * @throws {UseCaseError} `media_not_shown` for a URL, and for a file that is not an image or a video.
 */
export async function openDraftMedium(
  { mediaRoot }: Pick<DraftView, 'mediaRoot'>,
  checked: Pick<CheckedDraft, 'columns'>,
  row: DraftRow,
  index: number,
): Promise<OpenMedium> {
  const source = mediaSources(checked, row)[index];
  if (source === undefined || isUrl(source)) {
    throw new UseCaseError('media_not_shown', 'the row has no such file');
  }
  try {
    return await openShown(source, mediaRoot);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw new UseCaseError('media_not_shown', error.message.replace(/\.$/, ''), { cure: error.cure });
  }
}
