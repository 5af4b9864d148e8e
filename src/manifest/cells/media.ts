/**
 * The media of a row given as files or URLs: one video, or 1 to 15 images; and the cover of a video: a frame, an image to upload, or an
 * uploaded image, at most one of these (contract, section 4.1).
 */
import { type MediaType, maxPhotos } from '../../service/contract/posts.ts';
import { type ColumnName, listSeparator } from '../columns.ts';
import type { Cover } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { mostListItems } from '../sheet-bounds.ts';
import { findLinkFault, findSeparatorFault, findSourceFault, isUrl, kindOf } from './media-source.ts';
import { findShareLink } from './share-links.ts';

/** Returns the trimmed items of a list cell, and reports faulty ones. */
export function readSources(input: RowInput, column: ColumnName): readonly string[] {
  const text = input.text(column);
  if (text === '') return [];
  const items = readItems(input, column, text);
  for (const item of items) {
    if (item === '') {
      const fix = `Write a single ${listSeparator} between the items.`;
      input.report(column, 'empty_item', 'the list has an empty item', fix);
      continue;
    }
    // References given as URLs are not fetched, only handed on.
    const isLink = column === 'ai_references' && isUrl(item);
    const fault = isLink
      ? (findSeparatorFault(item) ?? findLinkFault(item) ?? findShareLink(item))
      : findSourceFault(item);
    if (fault === null) continue;
    const { code, problem, fix, meant } = fault;
    input.report(column, code, problem, fix, { value: item, meant });
  }
  return items;
}

/** The items of a cell; only the first one of a list that is far too long, because the others need no check. */
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
  const found = kind ?? given;
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

/** The common kind of all media with a known extension. */
function commonKind(input: RowInput, media: readonly string[]): MediaType | null | 'mixed' {
  let common: MediaType | null = null;
  for (const source of media) {
    const kind = kindOf(source);
    if (kind === null) continue;
    if (common !== null && kind !== common) {
      const fix = 'Use one video, or only images. A row is one post.';
      input.report('media', 'mixed_media', 'images and videos are mixed', fix);
      return 'mixed';
    }
    common = kind;
  }
  return common;
}

function checkCount(input: RowInput, media: readonly string[], type: MediaType): void {
  if (type === 'VIDEO' && media.length > 1) {
    const problem = `the row has ${media.length} videos, but a post can have only one`;
    input.report('media', 'too_many_videos', problem, 'Give each video its own row.');
  }
  if (type === 'PHOTO' && media.length > maxPhotos) {
    const problem = `the row has ${media.length} images, but a post can have at most ${maxPhotos}`;
    input.report('media', 'too_many_images', problem, `Remove ${media.length - maxPhotos}.`);
  }
}

const coverColumns = ['cover_timestamp_ms', 'cover', 'cover_file_id', 'cover_uri'] as const;

/** @param mediaType undefined if unknown. */
export function readCover(input: RowInput, mediaType: MediaType | undefined): Cover | undefined {
  const frame = input.text('cover_timestamp_ms');
  const file = input.text('cover');
  const fileId = input.text('cover_file_id');
  const uri = input.text('cover_uri');
  if (frame === '' && file === '' && fileId === '' && uri === '') return undefined;
  if (mediaType === 'PHOTO') {
    const fix = 'Clear it. The first image is the cover.';
    reportEach(input, 'cover_of_photo', 'only a video can have a separate cover', fix);
    return undefined;
  }
  const ways = Number(frame !== '') + Number(file !== '') + Number(fileId !== '' || uri !== '');
  if (ways > 1) {
    const fix = 'Keep one: cover_timestamp_ms, or cover, or cover_file_id with cover_uri.';
    reportEach(input, 'cover_ways_mixed', 'the cover is given in more than one way', fix);
    return undefined;
  }
  if (frame !== '') return readFrame(input);
  if (file !== '') return readFile(input, file);
  return readUploaded(input, fileId, uri);
}

function reportEach(input: RowInput, code: string, problem: string, fix: string): void {
  const filled = coverColumns.filter((column: ColumnName) => input.text(column) !== '');
  for (const column of filled) input.report(column, code, problem, fix);
}

function readFrame(input: RowInput): Cover | undefined {
  const bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
  const timestampMs = input.duration('cover_timestamp_ms', bounds, 1);
  return timestampMs === undefined ? undefined : { kind: 'frame', timestampMs };
}

function readFile(input: RowInput, source: string): Cover | undefined {
  const several = findSeparatorFault(source);
  if (several !== null) {
    input.report(
      'cover',
      several.code,
      'the cell names several images, but a post has one cover',
      'Keep one.',
    );
    return undefined;
  }
  const fault = findSourceFault(source);
  if (fault !== null) {
    input.report('cover', fault.code, fault.problem, fault.fix, { meant: fault.meant });
    return undefined;
  }
  if (kindOf(source) === 'VIDEO') {
    input.report(
      'cover',
      'cover_not_image',
      'a cover must be an image, but this is a video',
      'Use an image.',
    );
    return undefined;
  }
  return { kind: 'file', source };
}

function readUploaded(input: RowInput, fileId: string, uri: string): Cover | undefined {
  if (fileId === '' || uri === '') {
    const [given, missing] =
      fileId === '' ? (['cover_uri', 'cover_file_id'] as const) : (['cover_file_id', 'cover_uri'] as const);
    const fix = `Fill in ${missing}, or clear ${given}.`;
    input.report(missing, 'cover_incomplete', `${given} is given without ${missing}`, fix);
    return undefined;
  }
  input.word('cover_uri');
  if (!/^\d{1,40}$/.test(fileId)) {
    const fix = 'Format the column as text and copy the id again.';
    input.report('cover_file_id', 'invalid_integer', 'a file id must be a whole number', fix);
    return undefined;
  }
  return { kind: 'uploaded', fileId, uri };
}
