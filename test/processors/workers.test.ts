import { expect, it, onTestFinished, vi } from 'vitest';
import { GatedWorker } from '../../src/processors/gated-worker.ts';
import { openRunner, type RunnerOptions } from '../support/in-process.ts';
import { videoRow } from '../support/sheets/rows.ts';

/** A campaign of one row whose post is never answered. */
async function heldPost(options: RunnerOptions = {}) {
  const runner = await openRunner({ ...options, settings: { api: { timeout: '10m' } } });
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold' });
  const id = await runner.importOrUpdate([videoRow('a')]);
  await runner.start();
  await runner.sandbox.whenHeld('createCreatorPost');
  return { ...runner, id };
}

it('a stop cuts off a call that is not answered until the deadline, and its row goes to review', async () => {
  const { workers, ledger, client, id } = await heldPost();
  await workers.stop(50);
  // With the call still under way this would wait for its ten minutes.
  await client.close();
  expect(await ledger.campaigns.find(id)).toMatchObject({ state: 'ended', counts: { review: 1 } });
  const [error] = await ledger.rows.errors(id, [0]);
  expect(error).toMatchObject({ code: 'outcome_unknown', step: 'post' });
});

it('a stop once Redis has ended waits neither for jobs nor to take its announcement back', async () => {
  const { workers, ledger } = await heldPost({ gone: AbortSignal.abort() });
  await workers.stop();
  expect(await ledger.presence.workers()).toMatchObject([{ host: 'hall' }]);
});

it('workers are seen by others from their start until their stop', async () => {
  const { workers, ledger } = await heldPost();
  expect(await ledger.presence.workers()).toMatchObject([{ host: 'hall', isAlive: true }]);
  await workers.stop(50);
  expect(await ledger.presence.workers()).toEqual([]);
});

it('a stop goes on although the connection of one worker is lost meanwhile', async () => {
  const runner = await openRunner();
  await runner.start();
  vi.spyOn(GatedWorker.prototype, 'pause').mockRejectedValueOnce(new Error('Connection is closed.'));
  onTestFinished(() => void vi.restoreAllMocks());
  await runner.workers.stop(1000);
  expect(runner.workers.areRunning).toBe(false);
  expect(await runner.ledger.presence.workers()).toEqual([]);
});
