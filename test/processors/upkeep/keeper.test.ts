import { UnrecoverableError, Worker } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keep } from '../../../src/processors/upkeep/keeper.ts';
import { admissionJobId } from '../../../src/queues/campaign.ts';
import { postJobId } from '../../../src/queues/post.ts';
import type { QueueName } from '../../../src/queues/queues.ts';
import { showcaseJobId } from '../../../src/queues/showcase.ts';
import { uploadJobId } from '../../../src/queues/upload.ts';
import { waitForEvent } from '../../support/events.ts';
import { openRunner, type RunnerOptions, type TestRunner } from '../../support/in-process.ts';
import { keysOf } from '../../support/redis/redis.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const direct = { showcase: 'no' };

/** A campaign of one admitted row, without workers. */
async function runningRow(options?: RunnerOptions) {
  const runner = await openRunner(options);
  const id = await runner.importRows([videoRow('a', direct)]);
  await runner.admit(id);
  const ref = { c: id, r: 0, v: 0 };
  return { ...runner, id, ref };
}

/** A worker that fails one job permanently without telling the ledger, as after an outage. */
async function failOne({ redis, prefix }: TestRunner, queue: QueueName): Promise<void> {
  const worker = new Worker(
    queue,
    async () => {
      throw new UnrecoverableError('out of nowhere');
    },
    { connection: redis.duplicate({ maxRetriesPerRequest: null }), prefix },
  );
  onTestFinished(() => worker.close());
  await waitForEvent(worker, 'failed');
  await worker.close();
}

function stateOf({ queues }: TestRunner, queue: QueueName, jobId: string): Promise<string> {
  return queues.queue(queue).getJobState(jobId);
}

describe('the keeper', () => {
  it('adds the admission of a campaign with waiting rows', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    await keep(runner.context);
    expect(await stateOf(runner, 'campaign', admissionJobId(id))).toBe('waiting');
  });

  it('leaves a paused campaign alone', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
    await keep(runner.context);
    expect(await stateOf(runner, 'campaign', admissionJobId(id))).toBe('unknown');
  });

  it('recreates the missing flow of a running row', async () => {
    const { ref, ...runner } = await runningRow();
    await runner.queues.removeFlow(ref);
    await keep(runner.context);
    expect(await stateOf(runner, 'post', postJobId(ref))).toBe('waiting-children');
    expect(await stateOf(runner, 'upload', uploadJobId({ ...ref, of: 'media', i: 0 }))).toBe('waiting');
  });

  it('adds the flow of a row that was admitted just before a crash', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a', direct)]);
    const row = { row: 0, revision: 0, atOnce: true, fields: [] };
    await runner.ledger.admission.admit({ campaign: id, number: 0, cursor: 1, groups: [], rows: [row] });
    await keep(runner.context);
    expect(await stateOf(runner, 'post', postJobId({ c: id, r: 0, v: 0 }))).toBe('waiting-children');
    expect(await runner.ledger.admission.rowsToAdd(id)).toEqual([]);
  });

  it('adds the job of a group again, and leaves the flows of its rows to that job', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    await runner.admit(id);
    const [g = -1] = (await runner.ledger.admission.groups(id)).keys();
    await runner.queues.removeShowcaseJob({ c: id, g });
    await keep(runner.context);
    expect(await stateOf(runner, 'showcase', showcaseJobId({ c: id, g }))).toBe('waiting');
    expect(await stateOf(runner, 'post', postJobId({ c: id, r: 0, v: 0 }))).toBe('unknown');
  });

  it('runs a failed job again while its row runs', async () => {
    const { ref, ...runner } = await runningRow();
    const jobId = uploadJobId({ ...ref, of: 'media', i: 0 });
    await failOne(runner, 'upload');
    expect(await stateOf(runner, 'upload', jobId)).toBe('failed');
    await keep(runner.context);
    expect(await stateOf(runner, 'upload', jobId)).toBe('waiting');
  });

  it('leaves a failed job whose row has failed', async () => {
    const { id, ref, ...runner } = await runningRow();
    const jobId = uploadJobId({ ...ref, of: 'media', i: 0 });
    await failOne(runner, 'upload');
    const error = { step: 'upload' as const, code: 'http_400', message: 'no', at: 1 };
    await runner.ledger.steps.finish({
      campaign: id,
      row: 0,
      revision: 0,
      step: 'upload',
      jobId,
      end: { verdict: 'failed', error },
    });
    await keep(runner.context);
    expect(await stateOf(runner, 'upload', jobId)).toBe('failed');
  });

  it('reads the states of all failed jobs of a campaign at once', async () => {
    const runner = await openRunner();
    const { faults } = runner.sandbox;
    faults.add({ operation: 'createCreatorPost', kind: 'status', status: 422, times: 'always' });
    const id = await runner.handIn(['a', 'b', 'c'].map((key) => videoRow(key, direct)));
    await runner.start();
    await runner.ended(id);
    await runner.until(async () => (await runner.queues.queue('post').getFailedCount()) === 3, 'all to fail');
    const { rows } = runner.ledger;
    const [together, single] = [vi.spyOn(rows, 'statusesOf'), vi.spyOn(rows, 'statuses')];
    await keep(runner.context);
    expect(together).toHaveBeenCalledTimes(1);
    expect(single).not.toHaveBeenCalled();
  });

  it('runs a failed job again while that of another campaign cannot be repaired', async () => {
    const { ref, id, ...runner } = await runningRow();
    await failOne(runner, 'upload');
    const broken = await runner.importRows([videoRow('b', direct)]);
    await runner.admit(broken);
    await failOne(runner, 'upload');
    const states = runner.ledger.keys.states(broken);
    await runner.redis.del(states);
    await runner.redis.hset(states, 'not', 'a string');
    await keep(runner.context);
    expect(await stateOf(runner, 'upload', uploadJobId({ ...ref, of: 'media', i: 0 }))).toBe('waiting');
  });

  it('keeps no more failed flows than the setting', async () => {
    const runner = await openRunner({ settings: { keepFailedFlows: 1 } });
    runner.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'status',
      status: 422,
      times: 'always',
    });
    const id = await runner.handIn([videoRow('a', direct), videoRow('b', direct)]);
    await runner.start();
    await runner.ended(id);
    await runner.until(
      async () => (await runner.queues.queue('post').getFailedCount()) === 2,
      'both to fail',
    );
    await keep(runner.context);
    expect(await runner.queues.queue('post').getFailedCount()).toBe(1);
  });

  it('finishes a cancellation that was only begun', async () => {
    const { id, ref, ...runner } = await runningRow();
    await runner.ledger.cancellation.begin(id);
    await keep(runner.context);
    expect(await runner.ledger.campaigns.find(id)).toMatchObject({
      state: 'ended',
      counts: { cancelled: 1 },
    });
    expect(await stateOf(runner, 'post', postJobId(ref))).toBe('unknown');
  });

  it('finishes a deletion that was only begun', async () => {
    const { id, ...runner } = await runningRow();
    await runner.ledger.cancellation.begin(id);
    await keep(runner.context);
    expect(await runner.ledger.deletion.bury(id, {})).toBeUndefined();
    await keep(runner.context);
    expect(await keysOf(runner.redis, runner.ledger.keys.campaign(id))).toEqual([]);
    expect(await runner.ledger.deletion.remains()).toEqual([]);
  });

  it('deletes campaigns that ended longer ago than is set', async () => {
    let now = Date.UTC(2026, 5, 1);
    const { id, ...runner } = await runningRow({ settings: { keepEnded: '1d' }, now: () => now });
    await runner.ledger.cancellation.begin(id);
    await keep(runner.context);
    now += 86_400_000;
    await keep(runner.context);
    expect(await runner.ledger.campaigns.find(id)).toBeDefined();
    now += 1;
    await keep(runner.context);
    expect(await runner.ledger.campaigns.find(id)).toBeUndefined();
  });

  it('repairs other campaigns when one cannot be repaired', async () => {
    const runner = await openRunner();
    const other = await runner.importRows([videoRow('a', direct)]);
    // The newest is looked at first.
    const broken = await runner.importRows([videoRow('b', direct)]);
    await runner.redis.set(runner.ledger.keys.groups(broken), 'not a hash');
    await keep(runner.context);
    expect(await stateOf(runner, 'campaign', admissionJobId(other))).toBe('waiting');
  });
});
