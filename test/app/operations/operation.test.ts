import { expect, it } from 'vitest';
import { operations } from '../../../src/app/operations.ts';
import { systemUser } from '../../../src/app/runtime/machine.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

it('a program calls an operation, which is recorded under the name of the system user', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const { runtime } = await openPages(runner);
  expect(await operations.pauseCampaign(runtime, { id })).toEqual({ id, state: 'paused', was: 'running' });
  expect(await operations.retryRows(runtime, { id, dryRun: true })).toMatchObject({ rows: 0, dryRun: true });
  expect((await operations.listAudit(runtime, {})).changes).toEqual([
    expect.objectContaining({ who: systemUser(), what: `Paused ${id}.`, by: 'pauseCampaign' }),
  ]);
});

it('refuses fields that no operation takes, and a sheet that is missing', async () => {
  const { runtime } = await openPages(await openRunner());
  const wrong = operations.retryRows(runtime, { id: 'c1', step: 'none' as 'post' });
  await expect(wrong).rejects.toMatchObject({
    code: 'request_invalid',
    message: expect.stringContaining('step'),
  });
  await expect(operations.importSheet(runtime, {})).rejects.toMatchObject({ code: 'request_invalid' });
  const edit = { id: 'c1', key: 'a', revision: 0, cells: { none: 'x' } };
  const edited = operations.editRow(runtime, edit as Parameters<typeof operations.editRow>[1]);
  await expect(edited).rejects.toMatchObject({ code: 'request_invalid' });
});

it('takes numbers and flags of a query as such', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a'), videoRow('b')]);
  const { runtime } = await openPages(runner);
  expect(await operations.cancelCampaign(runtime, { id, dryRun: true })).toMatchObject({
    cancelled: 2,
    dryRun: true,
  });
  expect(await operations.listRows(runtime, { id, limit: 1 })).toMatchObject({
    total: 2,
    rows: [{ key: 'a' }],
  });
});

it('cuts long texts in the audit', async () => {
  const { runtime } = await openPages(await openRunner());
  const why = 'x'.repeat(200);
  await operations.pauseQueue(runtime, { name: 'post', why });
  const [change] = (await operations.listAudit(runtime, { limit: 1 })).changes;
  expect(change?.what.length).toBeLessThanOrEqual(303);
});
