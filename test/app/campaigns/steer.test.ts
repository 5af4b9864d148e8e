/** One row is taken out of a campaign that goes on, and brought back. */
import { expect, it } from 'vitest';
import { editRow } from '../../../src/app/campaigns/rows/edit.ts';
import { cancelRow } from '../../../src/app/campaigns/steer.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const later = { scheduled_at: new Date(Date.now() + 10 * 86_400_000).toISOString() };

async function openRows() {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a'), videoRow('b', later), videoRow('c')], {
    lead: 86_400_000,
  });
  const pages = await openPages(runner);
  const states = async () => (await runner.rows(id)).map(({ state }) => state);
  const cancel = (key: string, revision?: number) =>
    cancelRow(pages.runtime, { campaign: id, key, revision }, 'mei');
  const start = async () => {
    await runner.queues.wakeAdmission(id);
    await runner.start();
  };
  return { runner, pages, id, states, cancel, start };
}

it('a waiting row is cancelled, and the others are posted', async () => {
  const { runner, id, cancel, start } = await openRows();
  await cancel('a');
  await start();
  const ended = await runner.until(async () => {
    const campaign = await runner.ledger.campaigns.find(id);
    return campaign?.counts.posted === 1 && campaign.counts.ready === 1 && campaign;
  }, 'the other rows');
  expect(ended.counts).toMatchObject({ cancelled: 1, waiting: 0 });
  expect(runner.sandbox.calls('createCreatorPost').map(({ body }) => body)).toMatchObject([
    { title: 'Caption c' },
  ]);
});

it('a ready row is cancelled; then nothing is left, and the campaign has ended', async () => {
  const { runner, id, states, cancel, start } = await openRows();
  await start();
  await runner.until(async () => (await states()).join() === 'posted,ready,posted', 'the ready row');
  await cancel('b');
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 2, cancelled: 1 } });
  expect(await runner.ledger.admission.readyAt(id)).toBeUndefined();
});

it('saved on its page, it comes back', async () => {
  const { runner, pages, id, states, cancel, start } = await openRows();
  await cancel('a');
  await start();
  await runner.until(async () => (await states()).join() === 'cancelled,ready,posted', 'the other rows');
  await pages.post(`/campaigns/${id}/rows/a/save`, { revision: '1' });
  await runner.until(async () => (await states())[0] === 'posted', 'its post');
  expect(await states()).toEqual(['posted', 'ready', 'posted']);
});

it('a row that runs or is posted cannot be cancelled', async () => {
  const { runner, id, states, cancel, start } = await openRows();
  await start();
  await runner.until(async () => (await states())[0] === 'posted', 'its post');
  await expect(cancel('a')).rejects.toMatchObject({ code: 'edit_refused' });
  expect((await runner.ledger.campaigns.find(id))?.counts.cancelled).toBe(0);
});

it('a row that has changed since it was shown is not cancelled', async () => {
  const { pages, id, states, cancel } = await openRows();
  const cells = new Map([['caption', 'Better']] as const);
  await editRow(pages.runtime, { campaign: id, key: 'a', revision: 0, cells }, { dryRun: false, by: 'anna' });
  await expect(cancel('a', 0)).rejects.toMatchObject({ code: 'edit_refused' });
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
});

it('in a cancelled campaign, no edit brings a row back', async () => {
  const { pages, runner, id, cancel } = await openRows();
  await cancel('a');
  await runner.ledger.cancellation.begin(id);
  const edit = { campaign: id, key: 'a', revision: 1, cells: new Map() };
  await expect(editRow(pages.runtime, edit, { dryRun: false, by: 'anna' })).rejects.toMatchObject({
    code: 'edit_refused',
  });
});

it('its page asks first', async () => {
  const { pages, id, states } = await openRows();
  expect((await pages.get(`/campaigns/${id}/rows/a`)).text).toContain('Cancel…');
  expect((await pages.get(`/campaigns/${id}/rows/a/cancel`)).text).toContain('The row will not be posted.');
  await pages.post(`/campaigns/${id}/rows/a/cancel`, { revision: '0' });
  expect((await states())[0]).toBe('cancelled');
  expect((await pages.get(`/campaigns/${id}/rows/a`)).text).toContain('Save and retry');
});
