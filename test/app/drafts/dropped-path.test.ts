import { expect, it } from 'vitest';
import { kindOfFile, readDroppedPath } from '../../../src/app/drafts/files/incoming.ts';

it.each([
  '../a.mp4',
  '/etc/a.mp4',
  'x/../../a.mp4',
  'x\\..\\..\\a.mp4',
  './a.mp4',
  '.hidden.mp4',
  'x/.incoming/a.mp4',
  'C:\\a.mp4',
  'a\u202e4pm.mp4',
  'a\u0000.mp4',
  'a//b.mp4',
  '',
  ' ',
  'x/',
  `${'x/'.repeat(10)}a.mp4`,
  `${'长'.repeat(81)}.mp4`,
  'x'.repeat(1001),
])('%j is no name of a dropped file', (name) => {
  expect(() => readDroppedPath(name)).toThrow(expect.objectContaining({ code: 'upload_refused' }));
});

it('folders stay, and characters are composed as people type them', () => {
  expect(readDroppedPath('玫瑰木\\cafe\u0301 01.mp4')).toBe('玫瑰木/caf\u00e9 01.mp4');
});

it('a sheet is known by its ending', () => {
  expect(['posts.XLSX', 'posts.csv', 'a.mp4', 'csv'].map(kindOfFile)).toEqual([
    'sheet',
    'sheet',
    'media',
    'media',
  ]);
});
