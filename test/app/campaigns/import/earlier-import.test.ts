import { expect, test } from 'vitest';
import { keptOptions } from '../../../../src/app/campaigns/import/earlier-import.ts';
import { createColumnMap } from '../../../../src/manifest/headers/column-map.ts';

const map = createColumnMap([
  ['No.', 'key'],
  ['Who', 'creator'],
]);
const campaign = { name: 'Spring', map, mediaRoot: '/clips', timezone: 'Asia/Shanghai' };
const same = { name: undefined, map: undefined, mediaRoot: '/clips', timezone: 'Asia/Shanghai' };

test('what is the same, or not given, is not spoken of', () => {
  expect(keptOptions(campaign, same)).toEqual([]);
  expect(keptOptions(campaign, { ...same, timezone: undefined })).toEqual([]);
  const otherwise = createColumnMap([
    ['WHO', 'creator'],
    ['no.', 'key'],
  ]);
  expect(keptOptions(campaign, { ...same, name: 'Spring', map: otherwise })).toEqual([]);
});

test('what differs is told, with what stays', () => {
  const now = { name: 'Summer', map: createColumnMap([['No.', 'key']]), mediaRoot: '/new', timezone: 'UTC' };
  expect(keptOptions(campaign, now)).toEqual([
    'its name Spring',
    'its mapping of headers',
    'its media folder /clips',
    'its time zone (Asia/Shanghai)',
  ]);
});
