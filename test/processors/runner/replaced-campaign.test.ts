import { expect, it } from 'vitest';
import { openRunner } from '../../support/in-process.ts';
import { acceptJournal, stepStart, testLedger } from '../../support/ledger.ts';
import { copyOf, flush } from '../../support/redis/copy.ts';
import { videoRow } from '../../support/sheets/rows.ts';

it('after all data was lost, a worker that stayed up posts the rows of the new campaign with the old id', async () => {
  const runner = await openRunner({ queues: ['campaign', 'showcase', 'upload', 'post'] });
  await runner.start();
  const old = await runner.importOrUpdate([videoRow('old')]);
  await runner.ended(old);
  const { ledger, redis, prefix, sandbox } = runner;
  await runner.context.views.open(old);
  await flush(redis, prefix);
  await acceptJournal(ledger);
  await ledger.format.open();

  const id = await runner.importOrUpdate([videoRow('new', { caption: 'A new caption' })]);
  expect(id).toBe(old);
  await runner.ended(id);
  expect(sandbox.effects().posts.map(({ title }) => title)).toEqual([expect.anything(), 'A new caption']);
  expect(await runner.rows(id)).toMatchObject([{ state: 'posted' }]);
});

it('a row of a restored campaign is posted as its sheet has it now', async () => {
  const runner = await openRunner({ queues: ['campaign', 'showcase', 'upload', 'post'] });
  const id = await runner.importRows([videoRow('a', { caption: 'Before' })]);
  const { ledger, redis, prefix, context, sandbox } = runner;
  const putBack = await copyOf(redis, prefix);
  const edit = async (caption: string) => {
    const campaign = await ledger.campaigns.find(id);
    if (!campaign) throw new Error('no campaign');
    const { cells, number } = await ledger.store.read(campaign, 0);
    const column = campaign.header.indexOf('caption');
    const changed = cells.map((cell, index) => (index === column ? caption : cell));
    const refusal = await ledger.edits.edit(campaign, {
      row: 0,
      revision: 0,
      outdated: { files: false, cover: false, references: false, generations: false },
      what: 'caption',
      chunk: 0,
      creator: undefined,
      rows: [{ number, cells: changed }],
      header: campaign.header,
      map: campaign.map,
    });
    expect(refusal).toBeUndefined();
    return (await ledger.campaigns.find(id))?.sheetVersion;
  };
  // The view and the row are in memory, with the same number of edits as the sheet has later.
  const lost = await edit('Lost');
  const view = await context.views.open(id, lost);
  expect(await view?.row(0)).toMatchObject({ caption: 'Lost' });
  await putBack();
  await edit('After');

  await runner.start();
  await runner.queues.wakeAdmission(id);
  await runner.ended(id);
  expect(sandbox.effects().posts.map(({ title }) => title)).toEqual(['After']);
});

it('the late answer of a row changes nothing in another campaign with the same id', async () => {
  const { ledger, redis, prefix, campaign: make, admit } = testLedger();
  const old = await make(1);
  await admit(old, [0]);
  const { sheetId } = (await ledger.campaigns.find(old)) ?? {};
  const ref = { campaign: old, row: 0, revision: 0, sheetId };
  await ledger.steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
  await flush(redis, prefix);
  const id = await make(1);
  await admit(id, [0]);
  const result = { postId: 'p1', postStatus: '', fileIds: [], at: 0 };
  const end = { verdict: 'posted', result, assets: [] } as const;
  const late = { ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a', end } as const;
  expect(await ledger.steps.finish(late)).toBe('stale');
  expect(await ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'running', revision: 0 }]);
});

it('no rows are admitted as an earlier sheet had them', async () => {
  const { ledger, campaign: make } = testLedger();
  const id = await make(1);
  const plan = { campaign: id, number: 0, cursor: 1, groups: [] };
  const rows = [{ row: 0, revision: 0, atOnce: true, fields: [] }];
  expect(await ledger.admission.admit({ ...plan, sheetId: 'another ', rows })).toBeUndefined();
  const { sheetId } = (await ledger.campaigns.find(id)) ?? {};
  expect(await ledger.admission.admit({ ...plan, sheetId, rows })).toMatchObject({ rows: new Set([0]) });
});
