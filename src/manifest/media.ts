/** The media of a row that is given as files or URLs: one video, or 1 to 15 images (contract, section 4.1). */
import { maxPhotos } from '../api/contract/posts.ts';
import { type ColumnName, listSeparator } from './columns.ts';
import { findSourceFault, kindOf, type MediaKind } from './media-source.ts';
import type { Row } from './row.ts';
import type { RowInput } from './row-input.ts';

type MediaType = Row['mediaType'];

/** The items of a list cell, trimmed. An empty item between separators is reported. */
export function readSources(input: RowInput, column: ColumnName): readonly string[] {
  const text = input.text(column);
  if (text === '') return [];
  const items = text.includes(listSeparator) ? text.split(listSeparator).map((item) => item.trim()) : [text];
  for (const item of items) {
    if (item === '') {
      input.report(
        column,
        'empty_item',
        `the list has an empty item`,
        `Separate the items by a single ${listSeparator}.`,
      );
      continue;
    }
    const fault = findSourceFault(item);
    if (fault !== null) input.report(column, fault.code, fault.problem, fault.cure, item);
  }
  return items;
}

/**
 * Whether the media is a video or photos: by `media_type`, else by the extensions. Reports kinds that are mixed, unknown,
 * contradict `media_type`, or are too many.
 * @param given what `media_type` says.
 */
export function readMediaType(
  input: RowInput,
  media: readonly string[],
  given: MediaType | undefined,
): MediaType | undefined {
  const kind = commonKind(input, media);
  if (kind === 'mixed') return given;
  if (kind === null && given === undefined) {
    // What is wrong with its text has been told; the extension of such a text says nothing.
    if (media.some((source) => source === '' || findSourceFault(source) !== null)) return undefined;
    input.report(
      'media',
      'media_kind_unknown',
      'the extension does not tell whether this is an image or a video',
      'Fill in media_type with VIDEO or PHOTO.',
    );
    return undefined;
  }
  const found = kind === null ? given : mediaTypeOf(kind);
  if (given !== undefined && found !== given) {
    const is = found === 'VIDEO' ? 'a video' : 'an image';
    input.report(
      'media_type',
      'media_type_contradicts',
      `media_type is ${given}, but the media is ${is}`,
      `Set media_type to ${found}, or leave it empty.`,
    );
    return given;
  }
  if (found !== undefined) checkCount(input, media, found);
  return found;
}

function mediaTypeOf(kind: MediaKind): MediaType {
  return kind === 'VIDEO' ? 'VIDEO' : 'PHOTO';
}

/** The one kind of all whose extension tells it; the others must be of the same, or the row would be mixed. */
function commonKind(input: RowInput, media: readonly string[]): MediaKind | null | 'mixed' {
  let common: MediaKind | null = null;
  for (const source of media) {
    const kind = kindOf(source);
    if (kind === null) continue;
    if (common !== null && kind !== common) {
      input.report(
        'media',
        'mixed_media',
        'images and videos are mixed',
        'Give one video, or images only: a row is one post.',
      );
      return 'mixed';
    }
    common = kind;
  }
  return common;
}

function checkCount(input: RowInput, media: readonly string[], type: MediaType): void {
  if (type === 'VIDEO' && media.length > 1) {
    input.report(
      'media',
      'too_many_videos',
      `${media.length} videos are given, a post has one`,
      'Give each video a row of its own.',
    );
  }
  if (type === 'PHOTO' && media.length > maxPhotos) {
    input.report(
      'media',
      'too_many_images',
      `${media.length} images are given, a post has at most ${maxPhotos}`,
      `Take away ${media.length - maxPhotos}.`,
    );
  }
}
