/** Notes that look like parts of a post, and columns that are appended to the caption. */
import { describe, expect, it } from 'vitest';
import type { MappedTo } from '../../../src/manifest/headers/column-map.ts';
import { createColumnMap } from '../../../src/manifest/headers/column-map.ts';
import { hint, hintsOf } from '../../../src/manifest/problems/hint.ts';
import { check, manifestOf } from '../manifest-source.ts';

const options = { allowUnknownColumns: true };

async function toldOf(rows: readonly Readonly<Record<string, string>>[]) {
  const { notices } = await check(manifestOf(rows), options);
  return notices.filter(({ code }) => code === 'note_hides').map(({ problem }) => problem);
}

describe('a note that looks like a part of a post', () => {
  it.each([
    ['Tags', '#spring #sale', 'hashtags'],
    ['With', 'thanks @demo_ben', 'mentions'],
    ['Brief', 'see https://docs.example/1', 'links'],
    ['B-roll', 'shots/mug-2.mov', 'media'],
    ['Go', '12.05.2027 18:00', 'times'],
    ['_caption', 'The longer text', 'captions'],
  ])('%s is told with the number of its rows', async (header, text, what) => {
    const rows = [{ [header]: text }, { [header]: '', caption: 'Two' }, { [header]: text, caption: 'Three' }];
    expect(await toldOf(rows)).toEqual([
      `${header} is a column of notes, so the ${what} of 2 rows are not posted`,
    ]);
  });

  it.each([
    ['Tags', '#spring', [hint('joinCaption', { header: 'Tags' })]],
    ['Go', '12.05.2027 18:00', [hint('mapColumn', { header: 'Go', column: 'scheduled_at' })]],
    ['_time', '18:30', [hint('mapColumn', { header: '_time', column: 'scheduled_time' })]],
    // The sheet has media and captions already.
    ['B-roll', 'shots/mug-2.mov', []],
    ['_caption', 'The longer text', []],
    ['Tags\u200b', '#spring', [hint('joinCaption', { header: 'Tags\u200b' })]],
    [`${'Tags '.repeat(30)}`, '#spring', []],
  ])('%s comes with what it may be', async (header, text, hints) => {
    const { notices } = await check(manifestOf([{ [header]: text }]), options);
    expect(notices.flatMap(({ fix }) => hintsOf(fix))).toEqual(hints);
  });

  it('is told of one by one only while there are few', async () => {
    const notes = Array.from({ length: 30 }, (_, index) => [`Tags ${index}`, '#a'] as const);
    const told = await toldOf([Object.fromEntries(notes), { caption: 'Two', 'Tags 29': '#b' }]);
    expect(told).toHaveLength(21);
    expect(told[0]).toBe('Tags 29 is a column of notes, so the hashtags of 2 rows are not posted');
    expect(told.at(-1)).toBe('10 more notes look like part of the post');
  });

  it('is none with other texts, or as a status', async () => {
    expect(await toldOf([{ Team: 'North', Status: 'ready', Mail: 'a@b.example', Nr: '#12' }])).toEqual([]);
  });
});

describe('a column that hides nothing', () => {
  const rows = [{ Remark: 'ask @kim' }];

  it('is one that a person made a note', async () => {
    const { notices } = await check(manifestOf(rows), {
      sheet: { map: createColumnMap([['remark', '_']]) },
    });
    expect(notices).toEqual([]);
  });

  it('is one that is not clear yet', async () => {
    const { notices, found } = await check(manifestOf(rows));
    expect([notices, found]).toEqual([[], ['1 Remark unknown_column']]);
  });
});

describe('a column that is appended to the caption', () => {
  const map = createColumnMap([['Tags', '+ Caption']]);

  it('is part of the text that is posted', async () => {
    const captions: (string | undefined)[] = [];
    const find = async (posts: readonly { readonly text: string }[]) => {
      captions.push(...posts.map(({ text }) => text.split('\0').at(-1)));
      return [];
    };
    const rows = [
      { caption: 'Mug', Tags: '#tea #calm' },
      { caption: 'Cup', Tags: '' },
    ];
    const result = await check(manifestOf(rows), { sheet: { map }, posts: { find } });
    expect({ found: result.found, captions }).toEqual({ found: [], captions: ['Mug #tea #calm', 'Cup'] });
    expect(result.notices).toEqual([]);
  });

  it('counts for the limit of the caption', async () => {
    const rows = [{ caption: 'a'.repeat(3_995), Tags: '#long' }];
    expect((await check(manifestOf(rows), { sheet: { map } })).found).toEqual(['2 caption too_long']);
  });

  it('may be one of several', async () => {
    const several = new Map<string, MappedTo>([...map, ['With', '+caption']]);
    const rows = [{ Tags: '#a', With: '@b' }];
    expect((await check(manifestOf(rows), { sheet: { map: several } })).found).toEqual([]);
  });
});
