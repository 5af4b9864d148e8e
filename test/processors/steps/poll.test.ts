import { expect, it } from 'vitest';
import { pollJobId } from '../../../src/queues/row-jobs.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { aiPhotoRow, aiVideoRow } from '../../support/sheets/rows.ts';

it('runs in a paused campaign do not count as polls', async () => {
  const runner = await openRunner({
    queues: ['generate', 'poll'],
    settings: { generation: { poll: { first: '30s', max: '1h', deadline: '2h' } } },
  });
  runner.sandbox.faults.add({ operation: 'listAiTasksByScheduleId', kind: 'empty-list', times: 'always' });
  const id = await runner.importRows([aiVideoRow('a', { product_source: 'SHOP' })]);
  await runner.admit(id);
  await runner.start();
  const queue = await runner.queues.queue('poll');
  const jobId = pollJobId({ campaign: id, row: 0, revision: 0 });
  const isDelayed = async (runs: number) => {
    if ((await queue.getJobState(jobId)) !== 'delayed') return false;
    const job = await queue.getJob(jobId);
    return job?.attemptsStarted === runs && job;
  };
  const first = await runner.until(() => isDelayed(1), 'the first poll');
  expect(first.delay).toBeLessThanOrEqual(30_000);

  await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
  for (const runs of [2, 3, 4, 5, 6, 7]) {
    await (await queue.getJob(jobId))?.promote();
    await runner.until(() => isDelayed(runs), 'a run in the paused campaign');
  }
  await runner.ledger.campaigns.resume(id);
  await (await queue.getJob(jobId))?.promote();
  const second = await runner.until(() => isDelayed(8), 'the second poll');
  expect(second.delay).toBeGreaterThan(30_000);
  expect(second.delay).toBeLessThanOrEqual(45_000);
});

it('a row whose list of tasks is cut says in review how many were shown', async () => {
  const runner = await openRunner({
    queues: ['generate', 'poll'],
    settings: { generation: { poll: { first: '0s', max: '0s', deadline: '0s' } } },
    relay: {
      answered: (text, { target }) => (target.startsWith('/v1/ai/task/') ? firstTaskOf(text) : text),
    },
  });
  const id = await runner.importRows([aiPhotoRow('a', 3, { product_source: 'SHOP' })]);
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);

  expect(await runner.rows(id)).toMatchObject([
    {
      state: 'review',
      error: { code: 'poll_deadline', message: expect.stringContaining(' (1 of 3 tasks shown).') },
    },
  ]);
});

function firstTaskOf(answer: string): string {
  const { data, ...envelope } = JSON.parse(answer) as { data: { list: readonly unknown[] } };
  return JSON.stringify({ ...envelope, data: { ...data, list: data.list.slice(0, 1) } });
}

it('a generation that Redis has forgotten, although its job is completed, is looked at again', async () => {
  let before: Promise<Record<string, string>> | undefined;
  const runner: TestRunner = await openRunner({
    queues: ['generate', 'poll'],
    settings: { generation: { poll: { first: '30s', max: '1h', deadline: '2h' } } },
    relay: {
      asked: (target) => {
        if (target.startsWith('/v1/ai/schedule/create')) before ??= runner.redis.hgetall(key);
        return target;
      },
    },
  });
  runner.sandbox.faults.add({ operation: 'listAiTasksByScheduleId', kind: 'empty-list', times: 'always' });
  const id = await runner.importRows([aiVideoRow('a', { product_source: 'SHOP' })]);
  const key = runner.ledger.keys.progress(id, 0);
  await runner.admit(id);
  await runner.start();
  const queue = await runner.queues.queue('poll');
  const jobId = pollJobId({ campaign: id, row: 0, revision: 0 });
  await runner.until(async () => (await queue.getJobState(jobId)) === 'delayed', 'the first poll');

  // As a replica has it that took over a moment too soon: the call is under way.
  await runner.redis.del(key);
  await runner.redis.hset(key, (await before) ?? {});
  await (await queue.getJob(jobId))?.promote();
  await runner.ended(id);

  expect(await runner.rows(id)).toMatchObject([{ state: 'review', error: { step: 'generate' } }]);
});
