/** The next version of a planner's sheet: her edits come in, and what was fixed since the last one stays. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { editRow } from '../../../../src/app/campaigns/rows/edit.ts';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { bring, contents, fixes, keyed, openPlan, results } from './plan-versions.ts';
import { openHall } from './sheets-in-turn.ts';

it('a cell that still says what was fixed keeps the fix; one that says something else is an edit', async (test) => {
  const scene = await openPlan(test, keyed, fixes);
  const next = keyed.with(2, { ...keyed[2], caption: 'Better' });
  expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({
    kind: 'updated',
    problems: [],
    counts: { unchanged: 2, changed: 1 },
    changes: [{ key: 'c', cells: [{ column: 'caption', was: 'Third', is: 'Better' }] }],
  });
  // Its third version is compared with the second.
  const third = next.with(0, { ...next[0], creator: 'demo_ben' });
  expect(await bring(scene, 'plan-3.csv', third)).toMatchObject({
    problems: [],
    changes: [{ key: 'a', cells: [{ column: 'creator', was: 'demo_anna', is: 'demo_ben' }] }],
    counts: { unchanged: 2, changed: 1 },
  });
});

/** A caption that was edited in the console, then the next version of its row. @returns its parts, and the campaign's results. */
async function editedThenBrought(test: TestContext, caption: string, next: Cells) {
  const row = videoRow('a', { caption: 'Text', Hashtags: '#one' });
  const map = new Map([['Hashtags', '+caption']] as const);
  const scene = await openPlan(test, [row], {}, { map });
  const edit = { campaign: 'c1', key: 'a', revision: 0, cells: new Map([['caption', caption]] as const) };
  await editRow(scene.runtime, edit, { dryRun: false, by: 'ann' });
  const parts = async () => (await contents(scene)).map((each) => [each.caption, each.Hashtags ?? '']);
  const edited = await parts();
  await bring(scene, 'plan-2.csv', [{ ...row, ...next }]);
  return [edited, await parts()].flat();
}

it.for([
  ['the caption beside its hashtags', 'New #one', { Hashtags: '#two' }, ['New', '#one'], ['New', '#two']],
  ['both, then the hashtags', 'New #three', { Hashtags: '#two' }, ['New #three', ''], ['Text', '#two']],
  ['both, then the caption', 'New #three', { caption: 'Hers' }, ['New #three', ''], ['Hers', '#one']],
  ['both, then neither', 'New #three', {}, ['New #three', ''], ['New #three', '']],
] as const)('hashtags of a column are not repeated: %s', async ([, caption, next, edited, brought], test) => {
  expect(await editedThenBrought(test, caption, next)).toEqual([edited, brought]);
});

it('an edit of a post is told as long as the sheet differs, and no fix of it beside', async (test) => {
  const scene = await openPlan(test, keyed, fixes);
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const next = keyed.with(0, { ...keyed[0], caption: 'Other words' });
  const ignored = [
    { line: 2, key: 'a', cells: [{ column: 'caption', was: 'Caption a', is: 'Other words' }] },
  ];
  expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({ kind: 'updated', ignored });
  expect(await bring(scene, 'plan-3.csv', next)).toMatchObject({ kind: 'updated', ignored });
});

it('a sheet that lacks a column is told so, and takes nothing out of the campaign', async (test) => {
  const scene = await openPlan(test, keyed, fixes);
  const next = keyed.map(({ caption: _none, ...row }) => row);
  const { kind, changes, absent } = await bring(scene, 'plan-2.csv', next);
  expect({ kind, changes, absent }).toEqual({
    kind: 'problems',
    changes: [],
    absent: { count: 0, keys: [] },
  });
});

it('a key may be the name of a method of objects', async (test) => {
  const rows = keyed.with(0, { ...keyed[0], key: 'toString' });
  const scene = await openPlan(test, rows, fixes);
  expect((await bring(scene, 'plan-2.csv', rows)).counts).toEqual({ unchanged: 3 });
});

it('a column of notes that the sheet lacks is no edit', async (test) => {
  const rows = [videoRow('a'), videoRow('b')];
  const noted = rows.map((row) => ({ ...row, _mood: 'calm' }));
  const scene = await openPlan(test, noted, {});
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const next = rows.map((row) => ({ ...row, caption: `${row.caption}!` }));
  const of = (key: string) => [{ key, cells: [{ column: 'caption' }] }];
  expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({ changes: of('b'), ignored: of('a') });
});

it('a column of notes that the campaign lacks is no ignored edit, but is kept in the results', async (test) => {
  const rows = [videoRow('a'), videoRow('b')];
  const scene = await openPlan(test, rows, {});
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const next = rows.map((row) => ({ ...row, caption: `${row.caption}!`, _mood: 'calm' }));
  for (const version of ['plan-2.csv', 'plan-3.csv'])
    expect(await bring(scene, version, next)).toMatchObject({
      ignored: [{ key: 'a', cells: [{ column: 'caption', was: 'Caption a', is: 'Caption a!' }] }],
    });
  expect((await results(scene)).map(({ _mood }) => _mood)).toEqual(['calm', 'calm']);
});

it('a row that the sheet no longer has is named, and stays', async (test) => {
  const scene = await openPlan(test, keyed, fixes);
  expect(await bring(scene, 'plan-2.csv', keyed.slice(0, 2))).toMatchObject({
    kind: 'updated',
    counts: { unchanged: 2 },
    absent: { count: 1, keys: ['c'] },
  });
  expect((await scene.runner.ledger.campaigns.find('c1'))?.rows).toBe(3);
});

it('results leave the notes of the newest sheet as they are, also of posts', async (test) => {
  const rows = [videoRow('a'), videoRow('b')];
  const noted = (text: string) => rows.map((row) => ({ ...row, _mood: text }));
  const scene = await openPlan(test, noted('planned'), { cells: [] });
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const next = noted('on hold').map((row) => ({ ...row, _remark: 'ask Mira' }));
  await bring(scene, 'plan-2.csv', next);
  const written = (await results(scene)).map(({ _mood, _remark }) => [_mood, _remark]);
  expect(written).toEqual(rows.map(() => ['on hold', 'ask Mira']));
});

it.for(['d', ''])(
  'a key that was fixed is fixed again, wherever its row stands: “%s”',
  async (text, test) => {
    const rows = [...keyed, videoRow('c', { caption: 'Of a second c', media: 'd.mp4' })];
    const scene = await openPlan(test, rows, {
      cells: [...(fixes.cells ?? []), { row: 4, position: 0, text }],
    });
    scene.media([videoRow('d'), videoRow('e')]);
    const next = [videoRow('e'), ...rows.with(2, { ...rows[2], caption: 'Better' })];
    expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({
      kind: 'updated',
      problems: [],
      counts: { new: 1, unchanged: 3, changed: 1 },
      changes: [{ key: 'c', cells: [{ column: 'caption', was: 'Third', is: 'Better' }] }],
    });
  },
);

it('a column that was added on the page is not asked for again, but in new rows', async (test) => {
  const bare: Cells[] = keyed.map(({ product_id: _id, scheduled_at: _at, ...row }) => ({
    ...row,
    creator: 'demo_ben',
  }));
  const at = Object.keys(bare[0] ?? {}).length;
  const columns = [{ name: 'product_id' as const }];
  const cells = bare.map((_row, index) => ({ row: index + 1, position: at, text: `p-${index}` }));
  const scene = await openPlan(test, bare, { addColumns: { at, columns }, cells });
  const { product_id: _id, ...added } = videoRow('d');
  scene.media([videoRow('d')]);
  const next = [...bare.with(1, { ...bare[1], caption: 'New' }), added];
  expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({
    kind: 'problems',
    problems: ['missing_value'],
    counts: { unchanged: 2 },
  });
  expect(await bring(scene, 'plan-3.csv', next.slice(0, 3))).toMatchObject({
    kind: 'updated',
    counts: { unchanged: 2, changed: 1 },
  });
  expect(await contents(scene)).toMatchObject([
    { product_id: 'p-0' },
    { product_id: 'p-1', caption: 'New' },
    { product_id: 'p-2' },
  ]);
});

it('a fix that plain results take back is taken back', async (test) => {
  const scene = await openPlan(test, keyed, fixes);
  const [a = {}, b = {}, c = {}] = await contents(scene);
  expect(await bring(scene, 'results-1.csv', [{ ...a, caption: 'Mine' }, b, c])).toMatchObject({
    counts: { unchanged: 2, changed: 1 },
  });
  // Her plan is still compared with its last version, which is not the results sheet.
  expect(await bring(scene, 'plan-2.csv', keyed)).toMatchObject({ problems: [], counts: { unchanged: 3 } });
  const back = { ...a, caption: 'Mine', creator: 'demo anna' };
  expect(await bring(scene, 'results-2.csv', [back, b, c])).toMatchObject({
    kind: 'problems',
    problems: ['creator_unknown'],
  });
});

it('without keys, one row inserted is one new row, and results go into their lines', async (test) => {
  const rows = keyed.map(({ key: _key, ...row }) => row);
  const cells = fixes.cells?.map((cell) => ({ ...cell, position: cell.position - 1 }));
  const scene = await openPlan(test, rows, { cells });
  const { key: _key, ...added } = videoRow('d');
  scene.media([videoRow('d')]);
  const next = [added, ...rows.with(2, { ...rows[2], caption: 'Better' })];
  expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({
    kind: 'updated',
    problems: [],
    counts: { new: 1, unchanged: 2, changed: 1 },
    changes: [{ key: '3', cells: [{ column: 'caption', was: 'Third', is: 'Better' }] }],
  });
  expect(
    (await results(scene)).map(({ media, key, posted_with, status }) => [media, key, posted_with, status]),
  ).toEqual([
    ['d.mp4', '4', '', 'waiting'],
    ['a.mp4', '1', 'creator: demo_anna', 'waiting'],
    ['b.mp4', '2', 'scheduled_at: 2026-05-01 10:00Z', 'waiting'],
    ['c.mp4', '3', '', 'waiting'],
  ]);
  const third = next.toSpliced(1, 0, { ...added, caption: 'Fifth' });
  expect(await bring(scene, 'plan-3.csv', third)).toMatchObject({ counts: { new: 1, unchanged: 4 } });
});

it('without keys, rows are named by their lines, not by numbers that she has never seen', async (test) => {
  const rows = ['a', 'b', 'c'].map((name): Cells => {
    const { key: _key, ...row } = videoRow(name);
    return row;
  });
  const { key: _key, ...added } = videoRow('d');
  const scene = await openPlan(test, rows, {});
  scene.media([videoRow('d')]);
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const [a = {}, b = {}] = rows;
  const next = [added, { ...a, caption: 'Too late' }, { ...b, caption: 'Better' }];
  const { lines } = await bring(scene, 'plan-2.csv', next);
  expect(lines.slice(1)).toEqual([
    '  changed in the sheet, but not in the campaign: line 3',
    '    line 3, caption: stays “Caption a”; the sheet has “Too late”',
    expect.stringContaining(
      '1 row of the campaign is no longer in the sheet: line 4 of an earlier version. It stays',
    ),
    '  new: line 2',
    '  changed: line 4',
    '    line 4, caption: “Caption b” becomes “Better”',
  ]);
});

it('without keys and without its last version, rows are matched with the campaign', async (test) => {
  const scene = await openHall(test);
  const rows = ['a', 'b'].map((name) => videoRow(name)).map(({ key: _key, ...row }) => row);
  scene.media(rows);
  const path = join(scene.runner.folder, 'rows.json');
  writeFileSync(path, JSON.stringify(rows));
  const manifest = { file: path, path, name: 'rows', folder: scene.runner.folder };
  await startCampaign(scene.runtime, manifest, { problemsFile: null });
  expect(await bring(scene, 'rows-2.csv', rows.toReversed())).toMatchObject({ counts: { unchanged: 2 } });
});

it('an id that was added on the page is not carried over to another product', async (test) => {
  const rows = ['a', 'b']
    .map((key) => videoRow(key, { product_title: 'Serum' }))
    .map(({ product_id: _id, ...row }): Cells => row);
  const at = Object.keys(rows[0] ?? {}).length;
  const scene = await openPlan(test, rows, {
    addColumns: { at, columns: [{ name: 'product_id' }] },
    cells: rows.map((_row, index) => ({ row: index + 1, position: at, text: 'p-serum' })),
  });
  const brought = await bring(scene, 'plan-2.csv', rows.with(1, { ...rows[1], product_title: 'Cream' }));
  expect(brought).toMatchObject({ kind: 'problems', problems: ['missing_value'], counts: { unchanged: 1 } });
});
