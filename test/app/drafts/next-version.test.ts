/** The next version of a sheet that updates a campaign, as a draft: what the campaign has stays, and can be seen. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { draftUpdate } from '../../../src/app/drafts/files/sheet-home.ts';
import { checkedPage } from '../../support/console/draft-page.ts';
import { asIf } from '../../support/ledger.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { openTestDraft } from './test-draft.ts';

const long = { waitMs: 2 ** 31 - 1 };
const rows = [videoRow('a', { creator: 'demo anna' }), videoRow('b')].map(({ key: _key, ...row }) => row);

it('is an edit of the campaign, which can be seen and taken back', async (test) => {
  const { drafts, id, edit, runtime, runner, pages } = await openTestDraft(rows, { queues: [] }, test);
  const { draft } = await edit({ cells: [{ row: 1, position: 0, text: 'demo_anna' }] });
  const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 2 });

  const path = join(runner.folder, 'plan-2.csv');
  writeFileSync(path, sheetText([rows[1] ?? {}, { ...rows[0], caption: 'Better' }]));
  const update = await draftUpdate(runtime, drafts, { campaign, by: 'ann' }, { name: 'plan-2.csv', path });
  const { checked, edits, draft: now } = await drafts.look(update, long);
  expect(checked).toMatchObject({ accepted: 1, refused: 0, groups: [] });
  expect(checked?.update?.matches).toMatchObject({ unchanged: { count: 1 }, changed: { keys: ['1'] } });
  expect(edits).toMatchObject({ columns: 1, last: { by: 'campaign c1' } });
  const { rows: shown } = await drafts.window(update, 'all', 0, 2);
  expect(shown[1]?.edited.get(0)).toMatchObject({ was: 'demo anna', by: 'campaign c1' });
  await checkedPage({ runner, pages }, update);
  expect((await pages.get(`/campaigns/new/${update}/rows/2`)).text).toContain(
    'The sheet has demo anna; edited by campaign c1',
  );

  const undone = await drafts.undo(update, { by: 'ann', version: now.version });
  expect(undone.edits).toMatchObject({ rows: 0, columns: 0 });
  expect((await drafts.look(update, long)).checked?.blocking).toMatchObject([{ code: 'key_missing' }]);
});

it('starts with it', async (test) => {
  const { drafts, id, edit, runtime, runner } = await openTestDraft(rows, { queues: [] }, test);
  const { draft } = await edit({ cells: [{ row: 1, position: 0, text: 'demo_anna' }] });
  const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 2 });
  const path = join(runner.folder, 'plan-2.csv');
  writeFileSync(path, sheetText([rows[1] ?? {}, { ...rows[0], caption: 'Better' }]));
  const update = await draftUpdate(runtime, drafts, { campaign, by: 'ann' }, { name: 'plan-2.csv', path });
  const { draft: next, checked } = await drafts.look(update, long);
  expect(checked?.update?.matches).toMatchObject({ new: { count: 0 }, changed: { count: 1 } });
  const agreed = { by: 'ann', version: next.version, rows: 1, update: checked?.update?.digest };
  await drafts.start(update, agreed);
  const store = runtime.ledger.store;
  const updated = await runtime.ledger.campaigns.find(campaign.id);
  if (updated === undefined) throw new TypeError('it is there');
  const { cells } = await store.read(updated, 0);
  expect(cells.slice(0, 2)).toEqual(['demo_anna', 'Better']);
});

it('asks whether new rows are posts of the campaign, and no single press answers for all', async (test) => {
  const plan = ['a', 'b', 'c', 'd', 'e'].map((name) => videoRow(name)).map(({ key: _key, ...row }) => row);
  const { drafts, id, look, runtime, runner, store, pages } = await openTestDraft(plan, { queues: [] }, test);
  const { draft } = await look();
  const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: plan.length });
  await asIf(runner).ended(campaign.id, [
    { row: 1, state: 'posted' },
    { row: 3, state: 'posted' },
  ]);
  const [n, m] = ['n', 'm'].map((name) => videoRow(name)).map(({ key: _key, ...row }) => row);
  await store('n.mp4', 'm.mp4');
  const path = join(runner.folder, 'plan-2.csv');
  writeFileSync(path, sheetText(plan.with(1, n ?? {}).with(3, m ?? {})));
  const update = await draftUpdate(runtime, drafts, { campaign, by: 'ann' }, { name: 'plan-2.csv', path });
  const { checked } = await drafts.look(update, long);
  expect(checked?.groups).toMatchObject([{ code: 'may_be_row', count: 2 }]);

  const suggestions = await drafts.suggestions(update, checked?.groups[0]?.id ?? '');
  expect(suggestions).toMatchObject([
    {
      label: 'Use the old keys in 2 rows',
      evidence: 'Same creator, and same media or same place in the sheet. The rest differs.',
      edits: [{ text: '2' }, { text: '4' }],
      confidence: undefined,
    },
  ]);
  const { html } = await checkedPage({ runner, pages }, update);
  expect(html).toContain('These rows may be posts of the campaign.');
  expect(html).toContain('> Post again</label>');
  expect(html).not.toContain('sure fix');
});
