/** The media of a row given as files or URLs: one video, or 1 to 15 images (contract, section 4.1). */
import { maxPhotos } from '../../service/contract/post-limits.ts';
import { type ColumnName, listSeparator } from '../columns.ts';
import type { Row } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { mostListItems } from '../sheet-bounds.ts';
import { findLinkFault, findSourceFault, isUrl, kindOf, type MediaKind } from './media-source.ts';
import { findSeparatorFault } from './separators.ts';
import { findShareLink } from './share-links.ts';

type MediaType = Row['mediaType'];

/** Returns the trimmed items of a list cell, and reports faulty ones. */
export function readSources(input: RowInput, column: ColumnName): readonly string[] {
  const text = input.text(column);
  if (text === '') return [];
  const items = readItems(input, column, text);
  for (const item of items) {
    if (item === '') {
      const cure = `Write a single ${listSeparator} between the items.`;
      input.report(column, 'empty_item', 'the list has an empty item', cure);
      continue;
    }
    // References given as URLs are not fetched, only handed on.
    const isLink = column === 'ai_references' && isUrl(item);
    const fault = isLink ? findReferenceFault(item) : findSourceFault(item);
    if (fault === null) continue;
    const { code, problem, cure, meant } = fault;
    input.report(column, code, problem, cure, { value: item, meant });
  }
  return items;
}

function findReferenceFault(url: string) {
  return findSeparatorFault(url) ?? findLinkFault(url) ?? findShareLink(url);
}

/** Of a list that is far too long, only the first item: the others need not be looked at. */
function readItems(input: RowInput, column: ColumnName, text: string): readonly string[] {
  if (!text.includes(listSeparator)) return [text];
  const items = text.split(listSeparator).map((item) => item.trim());
  if (items.length <= mostListItems) return items;
  const problem = `the list has ${items.length} items; ${mostListItems} are allowed`;
  input.report(column, 'too_many_items', problem, `Remove ${items.length - mostListItems}.`);
  return items.slice(0, 1);
}

/** By `media_type`, else by the extensions; reports mixed, unknown or too much media. @param given value of `media_type`. */
export function readMediaType(
  input: RowInput,
  media: readonly string[],
  given: MediaType | undefined,
): MediaType | undefined {
  const kind = commonKind(input, media);
  if (kind === 'mixed') return given;
  if (kind === null && given === undefined) {
    // The faulty text is already reported, and its extension says nothing.
    if (media.some((source) => source === '' || findSourceFault(source) !== null)) return undefined;
    input.report(
      'media',
      'media_kind_unknown',
      'the extension does not show whether this is an image or a video',
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

/** The common kind of all media with a known extension. */
function commonKind(input: RowInput, media: readonly string[]): MediaKind | null | 'mixed' {
  let common: MediaKind | null = null;
  for (const source of media) {
    const kind = kindOf(source);
    if (kind === null) continue;
    if (common !== null && kind !== common) {
      const cure = 'Use one video, or only images. A row is one post.';
      input.report('media', 'mixed_media', 'images and videos are mixed', cure);
      return 'mixed';
    }
    common = kind;
  }
  return common;
}

function checkCount(input: RowInput, media: readonly string[], type: MediaType): void {
  if (type === 'VIDEO' && media.length > 1) {
    const problem = `the row has ${media.length} videos, but a post can have only one`;
    input.report('media', 'too_many_videos', problem, 'Give each video a row of its own.');
  }
  if (type === 'PHOTO' && media.length > maxPhotos) {
    const problem = `the row has ${media.length} images, but a post can have at most ${maxPhotos}`;
    input.report('media', 'too_many_images', problem, `Remove ${media.length - maxPhotos}.`);
  }
}
