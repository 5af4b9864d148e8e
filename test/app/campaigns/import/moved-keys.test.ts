/** A plan whose next version has its keys at other rows. */
import { describe, expect, it, type TestContext } from 'vitest';
import { asIf } from '../../../support/ledger.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import {
  bring,
  captions,
  contents,
  numbered,
  openPlan,
  postOf,
  results,
  slotted,
  withoutKeys,
} from './plan-versions.ts';

/** Its third row is posted, and the creator of its fourth was fixed. */
async function openNumbered(test: TestContext) {
  const rows = numbered(captions.map(postOf)).with(3, { ...postOf('Four'), key: '4', creator: 'demo ben' });
  const fixed = { row: 4, position: Object.keys(rows[3] ?? {}).indexOf('creator'), text: 'demo_ben' };
  const scene = await openPlan(test, rows, { cells: [fixed] });
  await asIf(scene.runner).ended('c1', [{ row: 2, state: 'posted' }]);
  return { scene, rows };
}

it('a row that is inserted is the only new one, and no post is sent again', async (test) => {
  const { scene, rows } = await openNumbered(test);
  const added = postOf('Between');
  scene.media([added]);
  const { counts, problems, absent } = await bring(
    scene,
    'plan-2.csv',
    numbered(rows.toSpliced(1, 0, added)),
  );
  expect({ counts, problems }).toEqual({ counts: { unchanged: 4, posted: 1, new: 1 }, problems: [] });
  expect(absent.count).toBe(0);
  const posts = (await contents(scene)).map(({ caption, creator }) => `${caption} ${creator}`);
  expect(posts.toSorted()).toEqual([
    'Between demo_anna',
    'Five demo_anna',
    'Four demo_ben',
    'One demo_anna',
    'Three demo_anna',
    'Two demo_anna',
  ]);
});

it('a row that is removed is the only one that is missing, and an edit beside it comes in', async (test) => {
  const { scene, rows } = await openNumbered(test);
  const next = numbered(rows.toSpliced(0, 1)).map((row) =>
    row.caption === 'Five' ? { ...row, product_id: '1729000000000000999' } : row,
  );
  const { counts, changes, absent } = await bring(scene, 'plan-2.csv', next);
  expect(counts).toEqual({ unchanged: 2, posted: 1, changed: 1 });
  expect(changes).toMatchObject([{ key: '5', cells: [{ column: 'product_id' }] }]);
  expect(absent).toEqual({ count: 1, keys: ['1'] });
});

it('a row that was skipped is skipped again under its new number', async (test) => {
  const rows = numbered(captions.map(postOf));
  const scene = await openPlan(test, rows, { leaveOut: [4] });
  const added = postOf('Between');
  scene.media([added]);
  const { counts, skippedAgain } = await bring(scene, 'plan-2.csv', numbered([added, ...rows]));
  expect(counts).toEqual({ unchanged: 4, new: 1 });
  expect(skippedAgain).toMatchObject({ count: 1 });
  expect(await skipped(scene)).toBe(1);
});

const skipped = async ({ runner }: Awaited<ReturnType<typeof openPlan>>) =>
  (await runner.ledger.campaigns.find('c1'))?.leftOut;

describe('skipped rows of a plan are those of its last version', () => {
  it.for([
    ['with keys', (rows: readonly Cells[]) => numbered(rows)],
    ['without keys', (rows: readonly Cells[]) => withoutKeys(rows)],
  ] as const)('%s', async ([, of], test) => {
    const rows = captions.map(postOf);
    const scene = await openPlan(test, of(rows), { leaveOut: [2, 5] });
    const added = postOf('Between');
    scene.media([added]);
    await bring(scene, 'plan-2.csv', of([added, ...rows]));
    expect(await skipped(scene)).toBe(2);
    const without = [added, ...rows].toSpliced(2, 1);
    await bring(scene, 'plan-3.csv', of(without));
    expect(await skipped(scene)).toBe(1);
  });
});

it('a post that is out is not sent again, and none is lost, when a row is inserted and all files are renamed', async (test) => {
  const { scene, rows } = await openNumbered(test);
  const renamed = (row: Cells): Cells => ({ ...row, media: row.media?.replace('.mp4', '_v2.mp4') ?? '' });
  const added = postOf('Between');
  const next = numbered(rows.map(renamed).toSpliced(1, 0, added));
  scene.media(next);
  const { counts, problems, absent } = await bring(scene, 'plan-2.csv', next);
  expect({ counts, problems }).toEqual({
    counts: { changed: 4, posted: 1, new: 1, edited: 1 },
    problems: [],
  });
  expect(absent.count).toBe(0);
});

it('a number that the campaign has given to another row is hers', async (test) => {
  const [a = {}, b = {}, c = {}, x = {}, y = {}] = ['A', 'B', 'C', 'X', 'Y'].map(postOf);
  const scene = await openPlan(test, numbered([a, b, c]), {});
  scene.media([x, y]);
  await bring(scene, 'plan-2.csv', numbered([b, x, c]));
  const { counts, problems } = await bring(scene, 'plan-3.csv', numbered([b, x, c, y]));
  expect({ counts, problems }).toEqual({ counts: { unchanged: 3, new: 1 }, problems: [] });
  await asIf(scene.runner).ended('c1', [{ row: 3, state: 'posted' }]);
  const without = [b, c, y].map((row, at) => ({ ...row, key: '134'[at] ?? '' }));
  expect((await bring(scene, 'plan-4.csv', without)).counts).toEqual({ unchanged: 3 });
});

it('the number of a posted row that the plan no longer has makes no new post of it', async (test) => {
  const rows = numbered([postOf('One'), postOf('Two'), { ...postOf('Three'), creator: 'demo_ben' }]);
  const scene = await openPlan(test, rows, {});
  await asIf(scene.runner).ended('c1', [{ row: 2, state: 'posted' }]);
  await bring(scene, 'plan-2.csv', rows.slice(0, 2));
  const next = numbered([...rows.slice(0, 2), postOf('Four')]);
  scene.media(next);
  const { counts, ignored } = await bring(scene, 'plan-3.csv', next);
  expect({ counts, ignored }).toEqual({ counts: { unchanged: 2, new: 1 }, ignored: [] });
});

it('keys that are edited where they stand are those of their rows', async (test) => {
  const { scene, rows } = await openNumbered(test);
  const next = rows.with(0, { ...rows[0], caption: 'Uno' });
  expect((await bring(scene, 'plan-2.csv', next)).counts).toEqual({ unchanged: 3, posted: 1, changed: 1 });
});

const keyed = (rows: readonly Cells[], keyOf: (number: number) => string): Cells[] =>
  slotted(rows).map((row, index) => ({ ...row, key: keyOf(index + 1) }));
const plain = captions.map(postOf);
const inserted = plain.toSpliced(1, 0, postOf('Between'));

describe('a post that is out is not sent again, and none is lost, when a row is inserted, times stay in their lines, and keys', () => {
  it.for([
    ['are codes', keyed(plain, (n) => `P0${n}`), keyed(inserted, (n) => `P0${n}`)],
    [
      'are numbers, with a hashtag added to all captions',
      keyed(plain, String),
      keyed(inserted, String).map((row) => ({ ...row, caption: `${row.caption} #ad` })),
    ],
    ['were numbers but one', keyed(plain, (n) => (n === 5 ? '4b' : `${n}`)), keyed(inserted, String)],
    ['come only now', withoutKeys(slotted(plain)), keyed(inserted, String)],
    [
      'are other ones now',
      keyed(plain, (n) => 'vwxyz'[n - 1] ?? ''),
      keyed(inserted, (n) => `k${'abcdef'[n]}`),
    ],
  ] as const)('%s', async ([, before, next], test) => {
    const scene = await openPlan(test, before, {});
    await asIf(scene.runner).ended('c1', [{ row: 2, state: 'posted' }]);
    scene.media(next);
    const { counts, absent } = await bring(scene, 'plan-2.csv', next);
    expect(counts).toMatchObject({ new: 1, posted: 1 });
    expect(absent.count).toBe(0);
    const media = (await results(scene)).map((row) => row.media ?? '');
    expect(media.toSorted()).toEqual(inserted.map((row) => row.media ?? '').toSorted());
  });
});

it('a post that a person cancelled is not sent under the key of its neighbour', async (test) => {
  const scene = await openPlan(
    test,
    keyed(plain, (n) => `P0${n}`),
    {},
  );
  await asIf(scene.runner).ended('c1', [{ row: 1, state: 'cancelled' }]);
  const next = keyed([postOf('Between'), ...plain], (n) => `P0${n}`);
  scene.media(next);
  expect((await bring(scene, 'plan-2.csv', next)).counts).toMatchObject({ new: 1, cancelled: 1 });
});

it('a changed row that becomes a post that is out is refused, whatever its time', async (test) => {
  const scene = await openPlan(test, keyed(plain, String), {});
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const [one = {}, two = {}, ...others] = keyed(plain, String);
  const next = [one, { ...one, key: two.key ?? '', scheduled_at: '2026-05-20 10:00Z' }, ...others];
  expect((await bring(scene, 'plan-2.csv', next)).problems).toEqual(['already_posted']);
});

it('rows that were the same post at two times may both change', async (test) => {
  const [one = {}, ...others] = keyed(plain, String);
  const same = { ...one, key: '9', scheduled_at: '2026-05-20 10:00Z' };
  const scene = await openPlan(test, [one, same, ...others], {});
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const next = [one, { ...same, scheduled_at: '2026-05-21 10:00Z' }, ...others];
  const { counts, problems } = await bring(scene, 'plan-2.csv', next);
  expect({ counts, problems }).toMatchObject({ counts: { changed: 1 }, problems: [] });
});

it('says that keys are those of other rows, and names rows by their lines', async (test) => {
  const { scene, rows } = await openNumbered(test);
  const added = postOf('Between');
  scene.media([added]);
  const { lines } = await bring(scene, 'plan-2.csv', numbered(rows.toSpliced(1, 0, added)));
  expect(lines).toContain('  new: line 3');
  expect(lines.join()).toContain('4 rows have the key of another row: Rows were matched by what they post');
});

describe('a row that was copied, with its key', () => {
  const posts = keyed(plain, (n) => `P0${n}`);
  const copy = { ...posts[2], caption: 'Copied', media: 'Copied.mp4' };

  it.for([
    ['above', 2],
    ['below', 3],
  ] as const)('and then edited, is a new post: %s its original', async ([, place], test) => {
    const scene = await openPlan(test, posts, {});
    scene.media([copy]);
    const { counts, problems, lines } = await bring(scene, 'plan-2.csv', posts.toSpliced(place, 0, copy));
    expect({ counts, problems }).toEqual({ counts: { unchanged: 5, new: 1 }, problems: [] });
    expect(lines.join()).toContain('1 row has the key of another row');
    const media = (await results(scene)).map((row) => row.media ?? '');
    expect(media.toSorted()).toEqual([...posts, copy].map((row) => row.media ?? '').toSorted());
  });

  it('changes no post that is out', async (test) => {
    const scene = await openPlan(test, posts, {});
    await asIf(scene.runner).ended('c1', [{ row: 2, state: 'posted' }]);
    scene.media([copy]);
    const { counts, ignored } = await bring(scene, 'plan-2.csv', posts.toSpliced(2, 0, copy));
    expect({ counts, ignored }).toEqual({ counts: { unchanged: 4, posted: 1, new: 1 }, ignored: [] });
  });

  it.for([{}, { caption: 'Another' }, { creator: 'demo_ben' }])(
    'with its media, has to be decided: %j',
    async (edit, test) => {
      const scene = await openPlan(test, posts, {});
      const third = { ...posts[2], ...edit };
      expect((await bring(scene, 'plan-2.csv', posts.toSpliced(2, 0, third))).problems).toHaveLength(1);
    },
  );
});
