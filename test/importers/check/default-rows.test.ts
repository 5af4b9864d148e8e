import { describe, expect, it } from 'vitest';
import { check, manifestOf } from '../manifest-source.ts';

const blank = { creator: '', media: '', caption: '', product_id: '', product_title: '' };
const post = (caption: string) => ({
  caption,
  key: caption,
  showcase: 'TRUE',
  scheduled_tz: 'UTC',
  _note: 'x',
});

/** Rows with posts, then rows with nothing but these cells. */
async function checkWith(...rows: readonly Readonly<Record<string, string>>[]) {
  return check(manifestOf([post('a'), post('b'), ...rows.map((row) => ({ ...blank, ...row }))]));
}

describe('rows with nothing but defaults are blank', () => {
  it.each([
    ['open tick boxes', [{ showcase: 'FALSE' }]],
    ['tick boxes in columns that are notes', [{ _note: 'FALSE', showcase: 'no' }]],
    ['the cell above, filled down', [{ scheduled_tz: 'UTC' }, { scheduled_tz: 'UTC' }]],
    ['a constant of their own', [{ _note: 'open' }, { _note: 'open' }, { _note: 'open' }]],
    ['numbers filled down', [{ key: '3' }, { key: '4' }, { key: '5' }]],
    ['keys filled down', [{ key: 'a-09' }, { key: 'a-10' }]],
  ])('%s', async (_what, rows) => {
    const { found, notices, ...result } = await checkWith(...rows);
    expect({ found, rows: result.rows, accepted: result.accepted }).toEqual({
      found: [],
      rows: 2,
      accepted: 2,
    });
    expect(notices).toMatchObject([{ line: 4, key: null, code: 'default_rows' }]);
    expect(notices[0]?.problem).toContain(
      rows.length === 1 ? '1 row has' : `(line 4 to line ${rows.length + 3})`,
    );
  });

  it('in the thousands', async () => {
    const { rows, notices } = await checkWith(...Array.from({ length: 1200 }, () => ({ showcase: 'FALSE' })));
    expect(rows).toBe(2);
    expect(notices[0]?.problem).toContain('1,200 rows have');
  });

  it('also between posts, which keep their lines', async () => {
    const { handedOn, notices } = await checkWith(
      { showcase: 'FALSE' },
      { ...post('c'), creator: 'demo_anna' },
    );
    expect(notices).toHaveLength(1);
    expect(handedOn).toHaveLength(2);
  });
});

describe('rows that somebody filled in are no rows of defaults', () => {
  it.each([
    ['a caption', { caption: 'Glow', showcase: 'FALSE' }],
    ['a date', { scheduled_at: '2027-01-01 10:00', showcase: 'FALSE' }],
    ['a remark', { _note: 'ask Anna', showcase: 'FALSE' }],
    ['a key of its own', { key: 'reel', showcase: 'FALSE' }],
    ['a ticked box that no other row has', { _note: 'TRUE' }],
  ])('with %s', async (_what, row) => {
    const { notices } = await checkWith(row);
    expect(notices).toMatchObject([{ code: 'no_posts' }]);
  });

  it('nor if too few columns of posts are known by their names', async () => {
    const sheet = 'Kanal,Datei,Inhalt,product_id,product_title\nx,y,z,1,A\nx,y,z,,\n';
    const map = new Map([
      ['Kanal', 'creator'],
      ['Datei', 'media'],
      ['Inhalt', 'caption'],
    ] as const);
    const { rows } = await check(sheet, { sheet: { map } });
    expect(rows).toBe(2);
  });

  it('if the sheet has no posts but rows of defaults, there are no rows', async () => {
    const { found, rows } = await check(manifestOf([{ ...blank, showcase: 'FALSE' }]));
    expect({ found, rows }).toEqual({ found: ['1 - no_rows'], rows: 0 });
  });
});
