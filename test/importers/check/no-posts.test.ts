import { describe, expect, it, test } from 'vitest';
import { NoPosts } from '../../../src/importers/check/no-posts.ts';
import { matchHeader } from '../../../src/manifest/headers/header.ts';
import { check, manifestOf, right } from '../manifest-source.ts';

const blank = { creator: '', media: '', caption: '', product_id: '', product_title: '' };
const post = (caption: string) => ({ caption, key: caption, showcase: 'TRUE', _note: 'x' });

function checkWith(row: Readonly<Record<string, string>>, sheet = {}) {
  return check(manifestOf([post('a'), post('b'), row]), { sheet });
}

const header = ['key', 'creator', 'media', 'caption', 'product_id', 'product_title', 'showcase', '_note'];

describe('rows that are no posts are skipped and told', () => {
  it.each([
    [
      'a remark among the captions',
      { ...blank, caption: 'Easter: nothing before Tuesday', showcase: 'FALSE' },
    ],
    ['a total', { ...blank, key: 'Total', _note: '1,240' }],
    ['a total under the creator, with sums', { ...blank, creator: 'Total', media: '45', product_id: '8' }],
    ['a total among the creators', { ...blank, creator: 'Grand total:', _note: '1,240' }],
    ['a total that counts the files', { ...blank, key: 'TOTAL', media: '45 vidéos' }],
    ['a total that counts the posts', { ...blank, key: 'Sum', creator: '45 posts' }],
    ['a month among the creators', { ...blank, creator: 'MARCH' }],
    ['a total in Italian', { ...blank, creator: 'Totale', media: '45' }],
    ['a total in Vietnamese, with its accents', { ...blank, key: 'Tổng cộng', media: '45 video' }],
    [
      'a total with words about it',
      { ...blank, key: 'Totale', media: 'post previsti', product_id: '45', product_title: '45' },
    ],
    ['a total in Korean', { ...blank, key: '합계', media: '45' }],
    ['headers once more', Object.fromEntries(header.map((name) => [name, name]))],
    [
      'headers once more, with other words for the same columns',
      { ...blank, creator: 'Creator:', media: 'Images', caption: 'Text', product_id: 'Product ID' },
    ],
  ])('%s', async (_what, row) => {
    const { found, rows, accepted, notices } = await checkWith(row);
    expect({ found, rows, accepted }).toEqual({ found: [], rows: 2, accepted: 2 });
    expect(notices).toMatchObject([{ line: 4, key: null, code: 'no_posts' }]);
    expect(notices[0]?.problem).toContain('(line 4)');
  });

  it('in a results sheet, where a row that was skipped says why', () => {
    const cells = ['MARCH', '', '', '', '', '', '', 'skipped', 'media is empty.'];
    const names = [...Object.keys(right), 'ledger', 'campaign', 'status', 'error'];
    expect(new NoPosts(matchHeader(names)).take({ line: 4, cells })).toBe(true);
  });

  it('the first five by their lines', async () => {
    const months = Array.from({ length: 7 }, (_, at) => ({ ...blank, creator: `Week ${at * 3}` }));
    const { notices } = await check(manifestOf([post('a'), ...months]));
    expect(notices[0]?.problem).toContain(
      '7 rows have only one filled cell: skipped (lines 3, 4, 5, 6, 7 and 2 more)',
    );
  });

  it('each for its own reason', async () => {
    const total = { ...blank, creator: 'Total', media: '45', product_id: '8' };
    const remark = { ...blank, caption: 'Easter', _note: 'nothing before Tuesday' };
    const { notices } = await check(manifestOf([post('a'), total, remark, total]));
    expect(notices[0]?.problem).toBe(
      '3 rows have a total, or no creator, media or product: skipped (lines 3, 4 and 5)',
    );
  });

  it('and a sheet of them has no rows', async () => {
    const { found, rows } = await check(manifestOf([{ ...blank, caption: 'soon', _note: 'x' }]));
    expect({ found, rows }).toEqual({ found: ['1 - no_rows'], rows: 0 });
  });
});

describe('rows that lack something are checked', () => {
  it.each([
    ['the creator', { creator: '' }],
    ['the media', { media: '' }],
    ['all but the creator and its caption', { ...blank, creator: 'demo_anna', caption: 'Glow' }],
    ['all but the creator, who is called so, and its media', { ...blank, creator: 'Total', media: 'a.mp4' }],
    [
      'the media, of a creator who is called so',
      { ...blank, creator: 'soma', product_id: '1729384071926530212' },
    ],
    [
      'the media, of a creator who is called so, with a time',
      { ...blank, creator: 'soma', product_id: '8', scheduled_at: '2027-01-01 10:00Z' },
    ],
    [
      'the creator and its file, where its note is a total',
      { ...blank, caption: '1', media: 'a.mp4', _note: 'Total' },
    ],
    ['all but the product', { ...blank, product_title: 'Serum', caption: 'Glow' }],
  ])('%s', async (_what, row) => {
    const { rows, notices, found } = await checkWith({ ...post('c'), ...row });
    expect({ rows, notices }).toEqual({ rows: 3, notices: [] });
    expect(found.length).toBeGreaterThan(0);
  });

  it('if a person wants all rows checked', async () => {
    const { rows, found } = await checkWith({ ...blank, caption: 'soon', _note: 'x' }, { noPosts: 'post' });
    expect(rows).toBe(3);
    expect(found).toContain('4 creator missing_value');
  });

  it('if a program wrote them', async () => {
    const { rows } = await check(JSON.stringify([right, { ...blank, caption: 'soon', key: 'x' }]));
    expect(rows).toBe(2);
  });
});

test('the rows after one keep their numbers, which are their keys in a sheet without keys', async () => {
  const { handedOn } = await check(manifestOf([{ ...blank, creator: 'MARCH' }, { caption: 'Glow' }]));
  expect(handedOn).toMatchObject([{ number: 2, key: '2' }]);
});
