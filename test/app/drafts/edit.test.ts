import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { draftFiles } from '../../../src/app/drafts/folder.ts';
import { OpenDrafts } from '../../../src/app/drafts/open-drafts.ts';
import { DraftDatabase } from '../../../src/app/drafts/store/database.ts';
import { addEdit, readEdits } from '../../../src/app/drafts/store/edits.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft } from './test-draft.ts';

const rows = ['a', 'b', 'c', 'd'].map((key) => videoRow(key));
/** Positions of columns. */
const key = 0;
const creator = 1;
const caption = 2;
const problems = (groups: readonly { readonly code: string; readonly numbers: readonly number[] }[] = []) =>
  groups.map(({ code, numbers }) => [code, numbers]);

describe('an edit of a key', () => {
  it('finds the rows that it makes doubles, and frees those that it no longer does', async () => {
    const { edit } = await openTestDraft(rows);
    const doubled = await edit({ cells: [{ row: 1, position: key, text: 'c' }] });
    expect(problems(doubled.checked?.groups)).toEqual([['duplicate_key', [3]]]);
    const freed = await edit({ cells: [{ row: 1, position: key, text: 'new' }] });
    expect(freed.checked).toMatchObject({ accepted: 4, refused: 0, groups: [] });
  });

  it('finds the row whose key is the number of a row without a key', async () => {
    const { edit } = await openTestDraft([videoRow('a'), videoRow('b', { key: '1' })]);
    const { checked } = await edit({ cells: [{ row: 1, position: key, text: '' }] });
    expect(problems(checked?.groups)).toEqual([['duplicate_key', [2]]]);
  });

  it('leaves a double alone once the first of the two rows is left out', async () => {
    const { edit } = await openTestDraft([videoRow('a'), videoRow('b', { key: 'a' })]);
    const { checked } = await edit({ leaveOut: [1] });
    expect(checked).toMatchObject({ accepted: 1, refused: 0, leftOut: 1 });
    const { checked: again } = await edit({ takeIn: [1] });
    expect(problems(again?.groups)).toEqual([['duplicate_key', [2]]]);
  });
});

it('a warning that other rows tell stays while the whole sheet is checked again', async () => {
  const same = { media: 'a.mp4' };
  const { edit } = await openTestDraft([videoRow('a'), videoRow('b', same), videoRow('c')]);
  const { checked } = await edit({ cells: [{ row: 2, position: caption, text: 'Another' }] });
  expect(problems(checked?.warnings)).toEqual([['file_repeats', [2]]]);
  const media = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  const { checked: other } = await edit({ cells: [{ row: 2, position: media, text: 'c.mp4' }] });
  expect(problems(other?.warnings)).toEqual([]);
});

it('a warning that other rows tell stays when the only edit of the row is undone', async () => {
  const same = { media: 'a.mp4' };
  const { edit, drafts, id } = await openTestDraft([videoRow('a'), videoRow('b', same), videoRow('c')]);
  await edit({ cells: [{ row: 2, position: caption, text: 'Another' }] });
  const { checked } = await drafts.undo(id, { by: 'ann', version: undefined });
  expect(problems(checked?.warnings)).toEqual([['file_repeats', [2]]]);
});

it('a check of some rows finds the same as a check of the whole sheet', async () => {
  const { edit, drafts, id, look } = await openTestDraft(rows);
  await edit({
    cells: [
      { row: 2, position: creator, text: 'demo_nobody' },
      { row: 3, position: key, text: 'd' },
    ],
  });
  const atOnce = (await edit({ leaveOut: [1] })).checked;
  expect(atOnce?.isOutdated).toBe(true);
  await drafts.checkAgain(id);
  const { checked } = await look();
  expect(checked).toMatchObject({ isOutdated: false, rows: 4, accepted: 1, refused: 2, leftOut: 1 });
  const { accepted, refused, leftOut, groups } = checked ?? {};
  expect(atOnce).toMatchObject({ accepted, refused, leftOut, groups });
});

it.each([
  ['may be chance beside whole ids: a warning', '1730000000000000417', { accepted: 2, refused: 0 }],
  ['are lost where all ids end so: a problem', '1730000000000020000', { accepted: 0, refused: 2 }],
])('zeros at the end of an id, in a row that is checked again, %s', async (_what, other, counts) => {
  const ids = ['1730000000000010000', other];
  const { edit, look } = await openTestDraft(ids.map((id, at) => videoRow(`${at}`, { product_id: id })));
  expect((await look()).checked).toMatchObject(counts);
  const { checked } = await edit({ cells: [{ row: 1, position: caption, text: 'Another' }] });
  expect(checked).toMatchObject({ isOutdated: true, ...counts });
});

it('the whole sheet is checked after the last edit, for the plan', async () => {
  const { edit, look, runner } = await openTestDraft(rows, { settleMs: 0 });
  await edit({ leaveOut: [1, 2] });
  const checked = await runner.until(async () => {
    const view = await look();
    return view.checked?.isOutdated === false && view.checked;
  }, 'the check of the whole sheet');
  expect(checked.plan.rows).toBe(2);
});

describe('an undo', () => {
  it('takes back the last edit, and the one before with the next', async () => {
    const { edit, drafts, id } = await openTestDraft(rows);
    await edit({ cells: [{ row: 1, position: creator, text: 'demo_nobody' }] });
    const { draft } = await edit({ cells: [{ row: 1, position: creator, text: 'demo_none' }] });
    const once = await drafts.undo(id, { by: 'bob', version: draft.version });
    expect((await drafts.window(id, 'problems', 0, 9)).rows[0]?.cells[creator]).toBe('demo_nobody');
    const twice = await drafts.undo(id, { by: 'bob', version: once.draft.version });
    expect(twice.checked).toMatchObject({ accepted: 4, refused: 0 });
    await expect(drafts.undo(id, { by: 'bob', version: twice.draft.version })).rejects.toMatchObject({
      code: 'draft_refused',
      message: 'nothing was edited yet',
    });
  });
});

it('columns that the sheet has, or that were added for another width, are refused', async () => {
  const { edit } = await openTestDraft(rows);
  const add = (at: number, name: 'caption' | 'ai_name') => edit({ addColumns: { at, columns: [{ name }] } });
  await expect(add(6, 'caption')).rejects.toMatchObject({
    message: 'the sheet has a column caption already',
  });
  await expect(add(5, 'ai_name')).rejects.toMatchObject({ message: 'the sheet has other columns now' });
  expect((await add(6, 'ai_name')).checked?.columns.at(-1)).toMatchObject({ column: 'ai_name' });
});

describe('edits', () => {
  it('are refused if somebody else was faster, and say who', async () => {
    const { edit, drafts, id, look } = await openTestDraft(rows);
    const { version } = (await look()).draft;
    await edit({ leaveOut: [1] });
    await expect(
      drafts.edit(id, { by: 'bob', version }, { leaveOut: [2] }, 'left out a row'),
    ).rejects.toMatchObject({
      code: 'draft_changed',
      message: 'the draft has since been changed by ann: edited cells',
    });
    expect((await look()).checked?.leftOut).toBe(1);
  });

  it.each([
    ['a row', { leaveOut: [5] }, 'the sheet has only 4 rows'],
    ['a column', { cells: [{ row: 1, position: 6, text: '' }] }, 'the sheet has no such column'],
  ])('of %s that the sheet does not have are refused', async (_what, edited, message) => {
    const { edit } = await openTestDraft(rows);
    await expect(edit(edited)).rejects.toMatchObject({ code: 'draft_refused', message });
  });

  it.each([
    [
      'a longer text than a cell takes',
      { cells: [{ row: 1, position: creator, text: 'x'.repeat(32_768) }] },
      'a cell takes at most 32,767 characters',
    ],
    [
      'a column far to the right',
      { cells: [{ row: 1, position: 1000, text: '' }] },
      'only cells of the first 1,000 columns can be edited',
    ],
    ['a row before the first', { leaveOut: [0] }, 'the first row is row 1'],
  ])('with %s are refused as a whole', async (_what, edited, message) => {
    const { edit, look } = await openTestDraft(rows);
    const refused = { code: 'draft_refused', message, fix: expect.stringContaining('Nothing was changed') };
    await expect(edit(edited)).rejects.toMatchObject(refused);
    expect((await look()).edits).toMatchObject({ rows: 0, leftOut: 0 });
  });

  it.each([
    ['damaged', `UPDATE edits SET entry = replace(entry, '[1]', '[0]')`],
    ['gone', 'DELETE FROM edits WHERE revision = 1'],
  ])('that are %s are reported', async (_what, sql) => {
    const { edit, runtime, id } = await openTestDraft(rows);
    await edit({ leaveOut: [1] });
    const path = draftFiles(runtime, id).database;
    using database = await DraftDatabase.open(path);
    await database.write(() => database.run(sql));
    await expect(new OpenDrafts(runtime).look(id)).rejects.toMatchObject({
      code: 'draft_not_stored',
      message: `the edits of the draft, in ${path}, cannot be read`,
    });
  });

  it('that were not stored whole do not count, also not with the next one', async () => {
    const { edit, runtime, id, look } = await openTestDraft(rows);
    await edit({ leaveOut: [1] });
    const { draft, database: path } = draftFiles(runtime, id);
    const before = readFileSync(draft);
    await edit({ cells: [{ row: 2, position: creator, text: 'demo_nobody' }] });
    // As a crash leaves it between the two files.
    writeFileSync(draft, before);
    const again = new OpenDrafts(runtime);
    const seen = await again.look(id, { waitMs: 60_000 });
    expect(seen.edits).toMatchObject({ rows: 0, leftOut: 1 });
    await again.edit(id, { by: 'ann', version: seen.draft.version }, { leaveOut: [3] }, 'left out a row');
    using database = await DraftDatabase.open(path);
    expect(database.all('SELECT revision FROM edits')).toHaveLength(2);
    const stored = readEdits(database, (await look()).draft);
    expect([stored.skips(1), stored.skips(3), stored.of(2)]).toEqual([true, true, undefined]);
  });

  it('that are told to be refused are not shown either', async () => {
    const { edit, runtime, id, drafts, look } = await openTestDraft(rows);
    const { version } = (await edit({ leaveOut: [1] })).draft;
    const { draft } = draftFiles(runtime, id);
    // The draft's own file cannot be written: there is no room for the longer name that it has until it is whole.
    const long = join(dirname(draft), 'x'.repeat(255));
    renameSync(draft, long);
    symlinkSync(long, draft);
    await expect(
      drafts.edit(id, { by: 'ann', version }, { leaveOut: [2] }, 'left out a row'),
    ).rejects.toMatchObject({ code: 'draft_not_stored' });
    expect((await look()).edits).toMatchObject({ leftOut: 1 });
  });

  it('are refused beyond what a draft takes', async () => {
    const { runtime, id, look } = await openTestDraft(rows);
    const { draft } = await look();
    const entry = { at: 1, by: 'ann', of: '', leaveOut: [1] };
    using database = await DraftDatabase.open(draftFiles(runtime, id).database);
    const text = 'x'.repeat(64 * 1024 * 1024);
    await database.write(() => database.run('INSERT INTO edits VALUES (1, ?)', text));
    await expect(addEdit(database, { ...draft, edits: 1 }, entry)).rejects.toMatchObject({
      code: 'draft_refused',
      message: 'there are too many edits',
    });
  });

  it('are there when the console starts again', async () => {
    const { edit, runtime, id } = await openTestDraft(rows);
    await edit({ cells: [{ row: 1, position: creator, text: 'demo_nobody' }], leaveOut: [2] });
    const { checked, edits } = await new OpenDrafts(runtime).look(id, { waitMs: 60_000 });
    expect(checked).toMatchObject({ accepted: 2, refused: 1, leftOut: 1 });
    expect(edits).toMatchObject({ rows: 1, leftOut: 1, last: { by: 'ann' } });
  });

  it('of rows on one line of JSON each find their row', async () => {
    const { drop, edit, drafts, id } = await openTestDraft(rows);
    await drop(JSON.stringify(rows), 'Spring.json');
    await edit({ leaveOut: [2] });
    expect((await drafts.window(id, 'all', 0, 9)).rows.map(({ state }) => state)).toEqual([
      ...['accepted', 'left out', 'accepted', 'accepted'],
    ]);
  });
});

it('a check that cannot be made says why, and is made once it can', async () => {
  const clock = { ahead: 0 };
  const { look, runner } = await openTestDraft(rows, { now: () => Date.now() + clock.ahead });
  runner.sandbox.faults.add({ operation: 'listCreatorAccounts', kind: 'status', status: 401 });
  expect(await look()).toMatchObject({
    state: 'failed',
    checked: undefined,
    failure: { message: expect.any(String) },
  });
  // Not at once: many pages may ask.
  runner.sandbox.faults.clear();
  expect(await look()).toMatchObject({ state: 'failed' });
  clock.ahead = 10_000;
  expect(await look()).toMatchObject({ state: 'checked', failure: undefined });
});

it('an edit is checked while Redis is away', async () => {
  const { runtime, id, look } = await openTestDraft(rows);
  const away = { now: false };
  const cut = new Proxy(runtime, {
    get(target, name) {
      if (away.now && (name === 'redis' || name === 'ledger')) throw new Error('Redis is away');
      return Reflect.get(target, name);
    },
  });
  const drafts = new OpenDrafts(cut, { settleMs: 2 ** 31 - 1 });
  await drafts.look(id, { waitMs: 60_000 });
  away.now = true;
  const { version } = (await look()).draft;
  const cells = [{ row: 1, position: key, text: 'b' }];
  const { checked, failure } = await drafts.edit(id, { by: 'ann', version }, { cells }, 'a cell');
  expect(failure).toBeUndefined();
  expect(problems(checked?.groups)).toEqual([['duplicate_key', [2]]]);
});
