import { expect, test } from 'vitest';
import { describeKeptOptions } from '../../../src/campaigns/hand-in/kept-options.ts';
import { createColumnMap } from '../../../src/manifest/column-map.ts';

const map = createColumnMap([
  ['No.', 'key'],
  ['Who', 'creator'],
]);
const campaign = { id: 'c1', name: 'Spring', map, mediaRoot: '/clips', timezone: 'Asia/Shanghai' };
const same = { name: undefined, map: undefined, mediaRoot: '/clips', timezone: 'Asia/Shanghai' };

test('what is the same, or not given, is not spoken of', () => {
  expect(describeKeptOptions(campaign, same)).toBeNull();
  const otherwise = createColumnMap([
    ['WHO', 'creator'],
    ['no.', 'key'],
  ]);
  expect(describeKeptOptions(campaign, { ...same, name: 'Spring', map: otherwise })).toBeNull();
});

test('what differs is told, with what stays', () => {
  const now = { name: 'Summer', map: createColumnMap([['No.', 'key']]), mediaRoot: '/new', timezone: null };
  expect(describeKeptOptions(campaign, now)).toBe(
    'Campaign c1 keeps what it was imported with, not what is given now: ' +
      'its name Spring, its mapping of headers, its media root /clips, its time zone (Asia/Shanghai).',
  );
});
