/** Rows whose post or generation is not sent after all: they end, and the send journal has no entry of them. */
import { expect, it, vi } from 'vitest';
import { NotSentError } from '../../../src/api/errors.ts';
import { openRunner, type RunnerOptions } from '../../support/in-process.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

const past = { scheduled_at: '2026-01-01T10:00Z' };

/** A running row whose uploads were removed by hand, or never had to be made. */
async function withoutUploads(row: Cells, options: RunnerOptions) {
  const runner = await openRunner(options);
  const id = await runner.importRows([{ product_source: 'SHOP', ...row }]);
  await runner.admit(id);
  await runner.queues.queue('upload').obliterate({ force: true });
  const ref = { c: id, r: 0, v: 0 };
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

it.for([
  ['ahead of', 'service', 3_600_000, undefined, 'is 60 min ahead of the clock of the service'],
  [
    'behind',
    'Redis',
    0,
    { at: Date.parse(past.scheduled_at), aheadMs: -3_600_000 },
    'was 60 min behind the clock of Redis',
  ],
  ['ahead of', 'Redis, before its time', 0, { at: 0, aheadMs: 3_600_000 }, undefined],
] as const)(
  'a late post tells when its clock is %s that of %s',
  async ([, , clockAheadMs, lastWrong, told]) => {
    const runner = await openRunner();
    const { reach } = runner.context.accounts.find('default') ?? {};
    const { clock } = runner.context;
    if (!reach || !clock) throw new Error('no clocks');
    vi.spyOn(reach, 'clockAheadMs', 'get').mockReturnValue(clockAheadMs);
    vi.spyOn(clock, 'lastWrong', 'get').mockReturnValue(lastWrong);
    const id = await runner.importOrUpdate([videoRow('a', past)]);
    await runner.start();
    await runner.ended(id);
    const [row] = await runner.rows(id);
    const { message = '', cure = '' } = row?.error ?? {};
    expect(message.includes(told ?? 'clock')).toBe(told !== undefined);
    expect(cure.startsWith('Correct the clock')).toBe(told !== undefined);
  },
);

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
