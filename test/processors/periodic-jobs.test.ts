import { expect, it } from 'vitest';
import { readPeriodicJobs } from '../../src/app/campaigns/queues.ts';
import { periodicJobs } from '../../src/processors/heartbeat.ts';
import { openRunner } from '../support/in-process.ts';
import { asIf } from '../support/ledger.ts';
import { hourMs } from '../support/own-clock.ts';

const second = 1000;
const every = { everyMs: 15 * second };

it('a process asks only for the jobs of its queues', async () => {
  const { context } = await openRunner({ queues: [] });
  expect(periodicJobs(context, ['post'], 1)).toEqual([]);
  expect(periodicJobs(context, ['post', 'campaign'], 2)).toEqual([{ name: 'rescuer', everyMs: 7000 }]);
});

it('the rescuer runs again and again, without a job scheduler', async () => {
  const runner = await openRunner({ speedUp: 20 });
  await runner.start();
  await runner.jobFinished(({ step }) => step === 'rescuer');
  await runner.jobFinished(({ step }) => step === 'rescuer');
  expect(await (await runner.queues.queue('campaign')).getJobSchedulers()).toEqual([]);
});

it('others are told which periodic jobs are missing, as long as workers would run them', async () => {
  const runner = await openRunner({ queues: [] });
  const read = async (paused: readonly 'campaign'[] = []) =>
    readPeriodicJobs(runner, await runner.ledger.presence.workers(), paused);
  await runner.ledger.periodic.begin('rescuer', every.everyMs);
  await runner.ledger.periodic.begin('records', every.everyMs);
  expect(await read()).toEqual([]);
  const facts = { host: 'hall', pid: 7, version: '1', queues: ['campaign'], periodic: ['rescuer'] };
  const worker = runner.ledger.presence.announce({ ...facts, since: Date.now() - hourMs });
  await worker.beat();
  expect(await read()).toEqual([{ name: 'rescuer', forMs: expect.any(Number), isMissing: false }]);
  await asIf(runner).lastRun('rescuer', 60 * second);
  expect(await read()).toMatchObject([{ name: 'rescuer', isMissing: true }]);
  expect(await read(['campaign'])).toEqual([]);
  await worker.beat({ clockAheadMs: hourMs });
  expect(await read()).toEqual([]);
});
