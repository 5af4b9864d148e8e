import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  capitalized,
  describeAge,
  describeDuration,
  describeRange,
  describeRate,
  parseRate,
  sheetTime,
} from '../../src/manifest/wording.ts';

test.for([
  ['Asia/Shanghai', '2026-12-02 01:30 (Asia/Shanghai)'],
  ['America/New_York', '2026-12-01 12:30 (America/New_York)'],
  [null, '2026-12-01 17:30 (UTC)'],
] as const)('a time is named in the zone of the sheet: %s', ([zone, text]) => {
  expect(sheetTime(Date.parse('2026-12-01T17:30:00Z'), zone)).toBe(text);
});

test.for([
  ['20/s', 20],
  ['300/min', 5],
  ['1.5 / sec', 1.5],
  ['36/h', 0.01],
  ['100/10s', 10],
  ['20', 20],
] as const)('%s is read as %d calls a second', ([text, perSecond]) => {
  expect(parseRate(text)).toBeCloseTo(perSecond);
});

test.for(['', '20/', '20/0s', '0/s', '-1/s', '5/fortnight', '1e999/s', '5/constructor', 'fast'])(
  '"%s" is no rate',
  (text) => {
    expect(parseRate(text)).toBeUndefined();
  },
);

test.for([
  [20, '20/s'],
  [2.5, '2.5/s'],
  [0.5, '30/min'],
  [0.01, '36/h'],
] as const)('%d calls a second are written as %s', ([perSecond, text]) => {
  expect(describeRate(perSecond)).toBe(text);
});

test.for([
  [720_000, 1_200_000, '12 to 20 min'],
  [5000, 6000, 'about 6 s'],
  [0, 500, 'under a second'],
  [0, 1000, 'about 1 s'],
  [100, 90_000, '1 to 90 s'],
  [10_000, 150_000, 'up to 3 min'],
  [10_000_000, undefined, 'at least 2 h'],
] as const)('%d to %s ms are %s', ([least, most, text]) => {
  expect(describeRange(least, most)).toBe(text);
});

test.for([
  [350, '350 ms'],
  [200_000, '3 min 20 s'],
  [97_200_000, '27 h'],
  [172_800_000, '2 days'],
  [356_400_000, '4 days 3 h'],
  [9_493_500_000, '109 days'],
] as const)('a duration of %d ms is %s', ([ms, text]) => {
  expect(describeDuration(ms)).toBe(text);
});

test('an age has no seconds from a minute on', () => {
  expect([12_000, 104_000].map(describeAge)).toEqual(['12 s', '1 min']);
});

test.for([
  ['the file is gone', 'The file is gone'],
  ['failed.', 'Failed.'],
  ['sl-0417 is in review', 'sl-0417 is in review'],
  ['c1 has not ended', 'c1 has not ended'],
  ['mei_daily is on hold', 'mei_daily is on hold'],
  ['post_73334ec2 is not published', 'post_73334ec2 is not published'],
  ['seedance2.0-mini takes no cover', 'seedance2.0-mini takes no cover'],
] as const)('"%s" begins a sentence as "%s"', ([text, sentence]) => {
  expect(capitalized(text)).toBe(sentence);
});

/** These have a digit or an ending, are options of ours, or are made of a text of ours. */
const recognizable =
  /^(?:plural|count|id\b|file\b|to\b|out\b|option\b|what\b|error\.message|sheet\.file|name\}: )/;

test('no message begins with a name that could be any word, such as that of a user', () => {
  const folder = join(import.meta.dirname, '../../../src');
  const found = globSync('{access,videos,campaigns,console}/**/*.ts', { cwd: folder }).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [...text.matchAll(/UseCaseError\(\s*'[a-z_]+',\s*`\$\{([^`]*)/g)].flatMap(([, first = '']) =>
      recognizable.test(first) ? [] : [`${file}: ${first}`],
    );
  });
  expect(found).toEqual([]);
});
