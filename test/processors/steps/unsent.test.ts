/** Rows whose post or generation is not sent after all: they end, and the send journal has no entry of them. */
import { expect, it, vi } from 'vitest';
import { NotSentError } from '../../../src/service/errors.ts';
import { openRunner, type RunnerOptions } from '../../support/in-process.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

const past = { scheduled_at: '2026-01-01T10:00Z' };

/** A running row whose uploads were removed by hand, or never had to be made. */
async function withoutUploads(row: Cells, options: RunnerOptions) {
  const runner = await openRunner(options);
  const id = await runner.importRows([{ product_source: 'SHOP', ...row }]);
  await runner.admit(id);
  await (await runner.queues.queue('upload')).obliterate({ force: true });
  const ref = { campaign: id, row: 0, revision: 0 };
  await runner.queues.removeFlow(ref);
  return { ...runner, id, ref };
}

async function endOf({ rows, redis, ledger }: Awaited<ReturnType<typeof openRunner>>, id: string) {
  const [row] = await rows(id);
  const fields = await redis.hkeys(ledger.keys.progress(id, 0));
  return {
    state: row?.state,
    code: row?.error?.code,
    journal: fields.filter((name) => name.startsWith('journal:')),
  };
}

it.for([
  ['review', 'review'],
  ['fail', 'failed'],
] as const)('a late post, with post.late %s, ends as %s', async ([late, state]) => {
  const runner = await openRunner({ settings: { post: { late } } });
  const id = await runner.importOrUpdate([videoRow('a', past)]);
  await runner.start();
  await runner.ended(id);
  expect(await endOf(runner, id)).toEqual({ state, code: 'late', journal: [] });
  expect(runner.sandbox.calls('createCreatorPost')).toEqual([]);
});

it('a late post tells that earlier attempts failed, but of no answer that never came', async () => {
  let ahead = 0;
  const hour = 3_600_000;
  const retry = { attempts: 2, base: '1ms', cap: '1ms' };
  const runner = await openRunner({ settings: { retry }, now: () => Date.now() + ahead });
  vi.spyOn(runner.client.posts, 'create').mockImplementationOnce(async () => {
    ahead = 2 * hour;
    throw new NotSentError('The connection was refused.', { operation: 'createCreatorPost' });
  });
  const soon = { scheduled_at: new Date(Date.now() + hour).toISOString() };
  const id = await runner.importOrUpdate([videoRow('a', soon)]);
  await runner.start();
  await runner.ended(id);
  const [row] = await runner.rows(id);
  expect(row?.error).toMatchObject({
    code: 'late',
    message: expect.stringContaining('Earlier attempts failed'),
  });
  expect(row?.error?.message).not.toContain('answered');
});

it('a late post tells when its clock is not that of the service', async () => {
  const runner = await openRunner();
  const { reach } = runner.context.service;
  if (!reach) throw new Error('no service');
  vi.spyOn(reach, 'clockAheadMs', 'get').mockReturnValue(3_600_000);
  const id = await runner.importOrUpdate([videoRow('a', past)]);
  await runner.start();
  await runner.ended(id);
  const [row] = await runner.rows(id);
  expect(row?.error?.message).toContain('is 60 min ahead of the clock of the service');
  expect(row?.error?.fix).toMatch(/^Correct the clock/);
});

it('a post whose files were not uploaded fails', async () => {
  const { id, ref, ...runner } = await withoutUploads(videoRow('a'), { queues: ['post'] });
  await runner.queues.addFlows([{ ...ref, plan: { uploads: [], generation: undefined } }]);
  await runner.start();
  await runner.ended(id);
  expect(await endOf(runner, id)).toEqual({ state: 'failed', code: 'media_not_uploaded', journal: [] });
  expect(runner.sandbox.calls('createCreatorPost')).toEqual([]);
});

it('a generation whose references were not uploaded fails', async () => {
  const row = aiVideoRow('a', { ai_references: 'face.png' });
  const { id, ref, ...runner } = await withoutUploads(row, { queues: ['generate'] });
  await runner.queues.addFlows([
    { ...ref, plan: { uploads: [], generation: { create: 1, references: [] } } },
  ]);
  await runner.start();
  await runner.ended(id);
  expect(await endOf(runner, id)).toEqual({ state: 'failed', code: 'media_not_uploaded', journal: [] });
  expect(runner.sandbox.calls('createAiGenerationSchedule')).toEqual([]);
});
