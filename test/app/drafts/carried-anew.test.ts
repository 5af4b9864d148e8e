/** What a draft of an update keeps of its campaign is as new as the campaign. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import type { Edit } from '../../../src/app/campaigns/import/edit.ts';
import { editRow } from '../../../src/app/campaigns/rows/edit.ts';
import { findDraft } from '../../../src/app/drafts/drafts.ts';
import { draftUpdate } from '../../../src/app/drafts/files/sheet-home.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../support/sheets/sheet.ts';
import { openTestDraft } from './test-draft.ts';

const long = { waitMs: 2 ** 31 - 1 };

/** A campaign of some rows of a plan. */
async function openCampaign(test: TestContext, rows: readonly Cells[], leaveOut: readonly number[]) {
  const opened = await openTestDraft([...rows], { queues: [] }, test);
  const { drafts, id, edit, runtime, runner } = opened;
  const { draft } = await edit({ leaveOut: [...leaveOut] });
  const count = rows.length - leaveOut.length;
  const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: count });
  const bring = (name: string, next: readonly Cells[]) => {
    const path = join(runner.folder, name);
    writeFileSync(path, sheetText([...next]));
    return draftUpdate(runtime, drafts, { campaign, by: 'ann' }, { name, path });
  };
  const fix = (key: string, caption: string) => {
    const cells = new Map([['caption', caption]] as const);
    return editRow(runtime, { campaign: campaign.id, key, revision: 0, cells }, { dryRun: false, by: 'ben' });
  };
  const captions = async () => {
    const now = await runtime.ledger.campaigns.find(campaign.id);
    if (now === undefined) throw new TypeError('it is there');
    const found: string[] = [];
    for await (const part of runtime.ledger.store.all(now))
      for (const [, { cells }] of part) found.push(cells[now.header.indexOf('caption')] ?? '');
    return found;
  };
  return { ...opened, bring, fix, captions };
}

const plan = ['a', 'b', 'c'].map((key) => videoRow(key));

it('a fix that a colleague makes while the draft is open stays, below the edits of people', async (test) => {
  const { drafts, bring, fix, captions } = await openCampaign(test, plan, [3]);
  await fix('a', 'Fixed first');
  const update = await bring('plan-2.csv', plan);
  const { version } = (await drafts.look(update, long)).draft;
  const position = Object.keys(plan[0] ?? {}).indexOf('caption');
  await drafts.edit(
    update,
    { by: 'ann', version },
    { cells: [{ row: 1, position, text: 'By Ann' }] },
    'edited',
  );
  await fix('b', 'Fixed by Ben');
  const { draft, checked } = await drafts.look(update, long);
  expect(checked?.update?.matches).toMatchObject({ new: { count: 0 }, changed: { keys: ['a'] } });
  const agreed = checked?.update?.digest;
  await drafts.start(update, { by: 'ann', version: draft.version, rows: 1, update: agreed });
  expect(await captions()).toEqual(['By Ann', 'Fixed by Ben']);
});

it('a row that was skipped stays skipped if the draft is started before its first check', async (test) => {
  const { drafts, bring, runtime, captions } = await openCampaign(test, plan, [3]);
  const update = await bring('plan-2.csv', plan);
  const { version } = await findDraft(runtime, update);
  await expect(drafts.start(update, { by: 'ann', version, rows: 1 })).rejects.toMatchObject({
    code: 'plan_changed',
  });
  expect(await captions()).toHaveLength(2);
});

it('without keys, a post that a colleague adds meanwhile is not overwritten', async (test) => {
  const rows = ['a', 'b', 'c', 'd', 'e']
    .map((key) => videoRow(key))
    .map(({ key: _key, ...row }): Cells => row);
  const { drafts, bring, captions } = await openCampaign(test, rows, [4, 5]);
  const updates = await Promise.all(
    [3, 4].map((row) => bring(`${row}.csv`, [...rows.slice(0, 3), { ...rows[row], caption: `New ${row}` }])),
  );
  const seen = [];
  for (const id of updates) seen.push({ id, version: (await drafts.look(id, long)).draft.version });
  for (const { id, version } of seen)
    await drafts.start(id, { by: 'ann', version, rows: 1 }).catch(() => undefined);
  expect(await captions()).toContain('New 3');
});

it('a fix stays although a column came with it, after an edit in the open draft', async (test) => {
  const { drafts, bring, captions } = await openCampaign(test, plan, [3]);
  const position = Object.keys(plan[0] ?? {}).indexOf('caption');
  const [mine = '', colleagues = ''] = [await bring('plan-2.csv', plan), await bring('plan-3.csv', plan)];
  const edit = async (id: string, given: Edit) => {
    const { version } = (await drafts.look(id, long)).draft;
    await drafts.edit(id, { by: 'ann', version }, given, 'edited');
    const { draft, checked } = await drafts.look(id, long);
    return { version: draft.version, update: checked?.update?.digest };
  };
  await edit(mine, { cells: [{ row: 2, position, text: 'By Ann' }] });

  const at = Object.keys(plan[0] ?? {}).length;
  const seen = await edit(colleagues, {
    addColumns: { at, columns: [{ name: 'lead', text: '2h' }] },
    cells: [{ row: 1, position, text: 'By Ben' }],
  });
  await drafts.start(colleagues, { by: 'ben', rows: 2, ...seen });
  expect(await captions()).toEqual(['By Ben', expect.anything()]);

  const { draft, checked } = await drafts.look(mine, long);
  expect(checked?.update?.matches).toMatchObject({ new: { count: 0 }, changed: { keys: ['b'] } });
  await drafts.start(mine, { by: 'ann', version: draft.version, rows: 1, update: checked?.update?.digest });
  expect(await captions()).toEqual(['By Ben', 'By Ann']);
});
