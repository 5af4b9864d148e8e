/** The cover of a video: a frame, an image to upload, or an uploaded image; at most one of these (contract, section 4.1). */
import type { ColumnName } from '../columns.ts';
import type { Cover, Row } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { findSourceFault, kindOf } from './media-source.ts';
import { findSeparatorFault } from './separators.ts';

const coverColumns = ['cover_timestamp_ms', 'cover', 'cover_file_id', 'cover_uri'] as const;

/** @param mediaType undefined if unknown. */
export function readCover(input: RowInput, mediaType: Row['mediaType'] | undefined): Cover | undefined {
  const frame = input.text('cover_timestamp_ms');
  const file = input.text('cover');
  const fileId = input.text('cover_file_id');
  const uri = input.text('cover_uri');
  if (frame === '' && file === '' && fileId === '' && uri === '') return undefined;
  if (mediaType === 'PHOTO') {
    const cure = 'Clear it. The first image is the cover.';
    reportEach(input, 'cover_of_photo', 'only a video can have a separate cover', cure);
    return undefined;
  }
  const ways = Number(frame !== '') + Number(file !== '') + Number(fileId !== '' || uri !== '');
  if (ways > 1) {
    const cure = 'Keep one: cover_timestamp_ms, or cover, or cover_file_id with cover_uri.';
    reportEach(input, 'cover_ways_mixed', 'the cover is given in more than one way', cure);
    return undefined;
  }
  if (frame !== '') return readFrame(input);
  if (file !== '') return readFile(input, file);
  return readUploaded(input, fileId, uri);
}

function reportEach(input: RowInput, code: string, problem: string, cure: string): void {
  const filled = coverColumns.filter((column: ColumnName) => input.text(column) !== '');
  for (const column of filled) input.report(column, code, problem, cure);
}

function readFrame(input: RowInput): Cover | undefined {
  const bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
  const timestampMs = input.whole('cover_timestamp_ms', bounds);
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
    input.report('cover', fault.code, fault.problem, fault.cure, { meant: fault.meant });
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
    const cure = `Fill in ${missing}, or clear ${given}.`;
    input.report(missing, 'cover_incomplete', `${given} is given without ${missing}`, cure);
    return undefined;
  }
  input.word('cover_uri');
  if (!/^\d{1,40}$/.test(fileId)) {
    const cure = 'Format the column as text and copy the id again.';
    input.report('cover_file_id', 'invalid_integer', 'a file id must be a whole number', cure);
    return undefined;
  }
  return { kind: 'uploaded', fileId, uri };
}
