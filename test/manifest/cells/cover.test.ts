import { expect, test } from 'vitest';
import { problemsOf, rowOf } from '../rows.ts';

test.each([
  [{ cover_timestamp_ms: '1500' }, { kind: 'frame', timestampMs: 1500 }],
  [{ cover: 'cover.jpg' }, { kind: 'file', source: 'cover.jpg' }],
  [{ cover: 'https://cdn.example/cover' }, { kind: 'file', source: 'https://cdn.example/cover' }],
  [
    { cover_file_id: '90210', cover_uri: 'covers/1' },
    { kind: 'uploaded', fileId: '90210', uri: 'covers/1' },
  ],
])('%j is a cover', (changes, cover) => {
  expect(rowOf(changes).cover).toEqual(cover);
});

test.each([
  [{ cover_timestamp_ms: '-1' }, ['cover_timestamp_ms invalid_integer']],
  [{ cover_timestamp_ms: '1.5' }, ['cover_timestamp_ms invalid_integer']],
  [{ cover_timestamp_ms: '9007199254740992' }, ['cover_timestamp_ms invalid_integer']],
  [{ cover: '../cover.jpg' }, ['cover path_outside_root']],
  [{ cover: 'cover.mp4' }, ['cover cover_not_image']],
  [{ cover_file_id: '90210' }, ['cover_uri cover_incomplete']],
  [{ cover_uri: 'covers/1' }, ['cover_file_id cover_incomplete']],
  [{ cover_file_id: '9.02E+4', cover_uri: 'covers/1' }, ['cover_file_id invalid_integer']],
  [
    { cover: 'a.jpg', cover_timestamp_ms: '1' },
    ['cover_timestamp_ms cover_ways_mixed', 'cover cover_ways_mixed'],
  ],
  [{ media: 'a.png', cover: 'a.jpg' }, ['cover cover_of_photo']],
  [{ media: 'a.png', cover_timestamp_ms: '0' }, ['cover_timestamp_ms cover_of_photo']],
])('%j: %j', (changes, problems) => {
  // Columns without a cell in the test are not in the header, so problems use their catalogue names.
  expect(problemsOf(changes)).toEqual(problems);
});

test.each([
  ['1500', 1500],
  ['1500 ms', 1500],
  ['1.5 s', 1500],
  ['0:01', 1000],
  ['1:30', 90_000],
])('the frame at %s', (cover_timestamp_ms, timestampMs) => {
  expect(rowOf({ cover_timestamp_ms }).cover).toEqual({ kind: 'frame', timestampMs });
});
