/** A plan whose next version has its keys at other rows. */
import { describe, expect, it, type TestContext } from 'vitest';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { bring, openPlan, results } from './plan-versions.ts';

const captions = ['One', 'Two', 'Three', 'Four', 'Five'];
const postOf = (caption: string): Cells => videoRow(caption, { caption, media: `${caption}.mp4` });
const numbered = (rows: readonly Cells[]): Cells[] =>
  rows.map((row, index) => ({ ...row, key: String(index + 1) }));

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
  const posts = (await results(scene)).map(({ caption, creator }) => `${caption} ${creator}`);
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

it('a fix is not carried into another post with the key of its row', async (test) => {
  const rows = [postOf('One'), { ...postOf('Two'), creator: '' }];
  const fixed = { row: 2, position: Object.keys(rows[0] ?? {}).indexOf('creator'), text: 'demo_ben' };
  const scene = await openPlan(test, rows, { cells: [fixed] });
  const other = { ...postOf('Other'), key: 'Two', creator: '' };
  scene.media([other]);
  expect((await bring(scene, 'plan-2.csv', [postOf('One'), other])).problems).toEqual(['missing_value']);
});

const positionOf = (column: string) => Object.keys(postOf('One')).indexOf(column);

it('creators that a person filled in stay with their videos when a row is removed', async (test) => {
  const rows = numbered(
    ['One', 'Two', 'Three'].map((name) => ({ ...postOf(name), creator: '', caption: 'Shop now' })),
  );
  const cells = ['demo_anna', 'demo_ben', 'demo_carla'].map((text, at) => ({
    row: at + 1,
    position: positionOf('creator'),
    text,
  }));
  const scene = await openPlan(test, rows, { cells });
  const { counts, problems, absent } = await bring(scene, 'plan-2.csv', numbered(rows.slice(1)));
  expect({ counts, problems }).toEqual({ counts: { unchanged: 2 }, problems: [] });
  expect(absent.keys).toEqual(['1']);
});

it('creators that come with the next version move no post to another row', async (test) => {
  const whole = captions.map(postOf);
  const rows = numbered(whole.map((row) => ({ ...row, creator: '' })));
  const cells = rows.map((_row, at) => ({ row: at + 1, position: positionOf('creator'), text: 'demo_anna' }));
  const scene = await openPlan(test, rows, { cells });
  await asIf(scene.runner).ended('c1', [{ row: 2, state: 'posted' }]);
  const added = postOf('Between');
  scene.media([added]);
  const { counts, problems } = await bring(scene, 'plan-2.csv', numbered(whole.toSpliced(1, 0, added)));
  expect({ counts, problems }).toEqual({ counts: { unchanged: 4, posted: 1, new: 1 }, problems: [] });
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

it('the file that a person chose stays with the creator, product and time when the caption is edited', async (test) => {
  const rows = slotted([postOf('One'), { ...postOf('Two'), media: 'Two final.mp4' }]);
  const chosen = { row: 2, position: positionOf('media'), text: 'One.mp4' };
  const scene = await openPlan(test, rows, { cells: [chosen] });
  await asIf(scene.runner).ended('c1', [{ row: 1, state: 'posted' }]);
  const next = rows.with(1, { ...rows[1], caption: 'New words' });
  const { ignored } = await bring(scene, 'plan-2.csv', next);
  expect(ignored.flatMap(({ cells }) => cells.map(({ column }) => column))).toEqual(['caption']);
});

describe('a time that a person wrote for', () => {
  const tbc = (name: string) => ({ ...postOf(name), caption: 'Shop now', scheduled_at: 'tbc' });
  const slot = {
    row: 1,
    position: Object.keys(tbc('One')).indexOf('scheduled_at'),
    text: '2026-05-01 10:00Z',
  };

  it('one video is not that of another with its key', async (test) => {
    const scene = await openPlan(test, [tbc('One'), { ...tbc('Two'), scheduled_at: '' }], { cells: [slot] });
    const next = [
      { ...tbc('Other'), key: 'One' },
      { ...tbc('Two'), scheduled_at: '' },
    ];
    scene.media(next);
    expect((await bring(scene, 'plan-2.csv', next)).problems).toEqual(['invalid_time']);
  });

  it('one video stays with it when the caption is edited', async (test) => {
    const scene = await openPlan(test, [tbc('One'), { ...tbc('Two'), scheduled_at: '' }], { cells: [slot] });
    const next = [
      { ...tbc('One'), caption: 'Buy it now' },
      { ...tbc('Two'), scheduled_at: '' },
    ];
    expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({
      problems: [],
      changes: [{ cells: [{ column: 'caption' }] }],
    });
  });
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

const slotted = (rows: readonly Cells[]): Cells[] =>
  rows.map((row, index) => ({ ...row, scheduled_at: `2026-05-0${index + 1} 10:00Z` }));
const keyed = (rows: readonly Cells[], keyOf: (number: number) => string): Cells[] =>
  slotted(rows).map((row, index) => ({ ...row, key: keyOf(index + 1) }));
const withoutKeys = (rows: readonly Cells[]) => rows.map(({ key: _key, ...row }) => row);
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

describe('of a plan without keys,', () => {
  const rows = withoutKeys(['a', 'b', 'c'].map((key) => videoRow(key)));
  const [a = {}, b = {}, c = {}] = rows;
  const of = (key: string, more: Cells = {}) => withoutKeys([videoRow(key, more)])[0] ?? {};

  it('another video with the caption of a posted row that was removed is new', async (test) => {
    const same = rows.map((row) => ({ ...row, caption: 'Shop now' }));
    const scene = await openPlan(test, same, {});
    await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
    const next = [...same.slice(1), of('d', { caption: 'Shop now' })];
    scene.media(next);
    expect((await bring(scene, 'plan-2.csv', next)).counts).toEqual({ unchanged: 2, new: 1 });
  });

  it('a post of another creator in the line of a posted row is new', async (test) => {
    const scene = await openPlan(test, rows, {});
    await asIf(scene.runner).ended('c1', [{ row: 1, state: 'posted' }]);
    const next = [a, of('d', { creator: 'demo_ben' }), c];
    scene.media(next);
    expect((await bring(scene, 'plan-2.csv', next)).counts).toEqual({ unchanged: 2, new: 1 });
  });

  it('a row that may be a posted one, edited, has to be decided', async (test) => {
    const scene = await openPlan(test, rows, {});
    await asIf(scene.runner).ended('c1', [{ row: 1, state: 'posted' }]);
    const edited = { ...b, caption: 'Corrected', media: 'final.mp4' };
    scene.media([edited]);
    const asked = await bring(scene, 'plan-2.csv', [a, edited, c]);
    expect(asked).toMatchObject({ kind: 'problems', problems: ['may_be_row'] });
  });

  it('one clip for several products is one post for each', async (test) => {
    const product = (product_id: string) => of('a', { product_id });
    const scene = await openPlan(test, [product('11'), product('12')], {});
    await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
    const { counts } = await bring(scene, 'plan-2.csv', [product('13'), product('11'), product('12')]);
    expect(counts).toEqual({ posted: 1, unchanged: 1, new: 1 });
  });
});
