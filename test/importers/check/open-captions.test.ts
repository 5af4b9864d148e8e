import { expect, it, test } from 'vitest';
import { isOpenCaption, twoVersions } from '../../../src/importers/check/cell-checks.ts';
import { check, manifestOf } from '../manifest-source.ts';

test.each(['Caption folgt', 'tbd', 'Text kommt noch', 'caption follows…', 'Copy: TBC', 'à définir', '???'])(
  '%s is no caption yet',
  (caption) => expect(isOpenCaption(caption)).toBe(true),
);

test.each([
  'Open late tonight',
  'Text me when you are home',
  'Caption this',
  'Coming soon: our new lamp',
  '',
])('%s is a caption, or none', (caption) => expect(isOpenCaption(caption)).toBe(false));

it('is a problem where a page asks, and a warning elsewhere', async () => {
  const content = manifestOf([{ caption: 'Caption folgt' }]);
  expect((await check(content, { isAsked: true })).found).toEqual(['2 caption caption_open']);
  const { found, warnings } = await check(content);
  expect([found, warnings.byCode.has('caption_open')]).toEqual([[], true]);
});

it('two versions in one caption are a warning', async () => {
  const { warnings } = await check(manifestOf([{ caption: 'V1: Linen loves me. / V2: I love linen.' }]));
  expect(warnings.byCode.has('caption_versions')).toBe(true);
  expect(twoVersions('Option 1: red / Option 2: blue')).toBeDefined();
  expect(twoVersions('V1: the first of many')).toBeUndefined();
  expect(twoVersions('Part 1: red\nPart 2: blue')).toBeUndefined();
});
