import { UnrecoverableError, Worker } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { rescue } from '../../../src/processors/rescue/rescuer.ts';
import { admissionJobId, showcaseJobId } from '../../../src/queues/campaign-jobs.ts';
import type { QueueName } from '../../../src/queues/queues.ts';
import { postJobId, uploadJobId } from '../../../src/queues/row-jobs.ts';
import { waitForEvent } from '../../support/events.ts';
import { openRunner, type RunnerOptions, type TestRunner } from '../../support/in-process.ts';
import { keysOf } from '../../support/redis/redis.ts';
import { photoRow, videoRow } from '../../support/sheets/rows.ts';

const direct = { product_source: 'SHOP' };

/** A campaign of one admitted row, without workers. */
async function runningRow(options?: RunnerOptions) {
  const runner = await openRunner(options);
  const id = await runner.importRows([photoRow('a', 2, direct)]);
  await runner.admit(id);
  const ref = { campaign: id, row: 0, revision: 0 };
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

async function stateOf({ queues }: TestRunner, queue: QueueName, jobId: string): Promise<string> {
  return (await queues.queue(queue)).getJobState(jobId);
}

describe('the rescuer', () => {
  it('adds the admission of a campaign with waiting rows', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    await rescue(runner.context);
    expect(await stateOf(runner, 'campaign', admissionJobId(id))).toBe('waiting');
  });

  it('leaves a paused campaign alone', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
    await rescue(runner.context);
    expect(await stateOf(runner, 'campaign', admissionJobId(id))).toBe('unknown');
  });

  it('sends a running row without jobs to its next revision', async () => {
    const { id, ref, ...runner } = await runningRow();
    await runner.queues.removeFlow(ref);
    await rescue(runner.context);
    expect(await runner.ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'waiting', revision: 1 }]);
    expect(await stateOf(runner, 'campaign', admissionJobId(id))).toBe('waiting');
    const [entry] = await runner.ledger.histories.read(id, 0);
    expect(entry).toMatchObject({ outcome: 'run again' });
    await runner.admit(id);
    expect(await stateOf(runner, 'post', postJobId({ ...ref, revision: 1 }))).toBe('waiting-children');
    await rescue(runner.context);
    expect(await runner.ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'running', revision: 1 }]);
  });

  it('sends a row whose jobs do not survive to review in the end', async () => {
    const { id, ref, ...runner } = await runningRow();
    for (let revision = 0; revision < 4; revision += 1) {
      await runner.queues.removeFlow({ ...ref, revision });
      await rescue(runner.context);
      await runner.admit(id);
    }
    const [row] = await runner.rows(id);
    expect(row).toMatchObject({ state: 'review', error: { code: 'jobs_lost' } });
    expect(await runner.ledger.campaigns.find(id)).toMatchObject({ state: 'ended' });
  });

  it('notes running rows without jobs, and since when, until there are none', async () => {
    let now = Date.UTC(2026, 5, 1);
    const { id, ref, ...runner } = await runningRow({ now: () => now });
    const { stranded } = runner.ledger;
    await runner.queues.removeFlow(ref);
    await rescue(runner.context);
    expect(await stranded.lasting()).toEqual(new Map());
    now += 30_001;
    expect(await stranded.lasting()).toEqual(new Map([[id, { rows: 1, since: now - 30_001 }]]));
    await runner.admit(id);
    await rescue(runner.context);
    expect(await stranded.lasting()).toEqual(new Map());
  });

  it('adds the flow of a row that was admitted just before a crash', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([photoRow('a', 2, direct)]);
    const row = { row: 0, revision: 0, atOnce: true, fields: [] };
    await runner.ledger.admission.admit({ campaign: id, number: 0, cursor: 1, groups: [], rows: [row] });
    await rescue(runner.context);
    expect(await stateOf(runner, 'post', postJobId({ campaign: id, row: 0, revision: 0 }))).toBe(
      'waiting-children',
    );
    expect(await runner.ledger.admission.rowsToAdd(id)).toEqual([]);
  });

  it('adds the job of a group again, and leaves the flows of its rows to that job', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    await runner.admit(id);
    const [g = -1] = (await runner.ledger.admission.groups(id)).keys();
    await runner.queues.removeShowcaseJob({ campaign: id, group: g });
    await rescue(runner.context);
    expect(await stateOf(runner, 'showcase', showcaseJobId({ campaign: id, group: g }))).toBe('waiting');
    expect(await stateOf(runner, 'post', postJobId({ campaign: id, row: 0, revision: 0 }))).toBe('unknown');
  });

  it('sends a running row to its next revision when one of its jobs has failed without an outcome', async () => {
    const { id, ref, ...runner } = await runningRow();
    const jobId = uploadJobId({ ...ref, of: 'media', i: 0 });
    await failOne(runner, 'upload');
    expect(await stateOf(runner, 'upload', jobId)).toBe('failed');
    await rescue(runner.context);
    expect(await runner.ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'waiting', revision: 1 }]);
    expect(await stateOf(runner, 'upload', jobId)).toBe('unknown');
    expect(await stateOf(runner, 'post', postJobId(ref))).toBe('unknown');
  });

  it('sends the running rows of a group again whose job has failed without an outcome', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    await runner.admit(id);
    await failOne(runner, 'showcase');
    await rescue(runner.context);
    expect(await runner.ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'waiting', revision: 1 }]);
    expect((await runner.ledger.admission.groups(id)).size).toBe(0);
    expect(await (await runner.queues.queue('showcase')).getFailedCount()).toBe(0);
  });

  it('removes what a job of an older revision left behind', async () => {
    const { id, ref, ...runner } = await runningRow();
    await failOne(runner, 'upload');
    await runner.ledger.rows.runAgain(id, [{ row: 0, revision: 0 }]);
    await rescue(runner.context);
    expect(await stateOf(runner, 'post', postJobId(ref))).toBe('unknown');
    expect(await (await runner.queues.queue('upload')).getFailedCount()).toBe(0);
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
    await rescue(runner.context);
    expect(await stateOf(runner, 'upload', jobId)).toBe('failed');
  });

  it('asks for no state of the failed jobs of a campaign that has ended', async () => {
    const runner = await openRunner();
    const { faults } = runner.sandbox;
    faults.add({ operation: 'createCreatorPost', kind: 'status', status: 422, times: 'always' });
    const id = await runner.importOrUpdate(['a', 'b', 'c'].map((key) => videoRow(key, direct)));
    await runner.start();
    await runner.ended(id);
    await runner.until(
      async () => (await (await runner.queues.queue('post')).getFailedCount()) === 3,
      'all to fail',
    );
    const { rows } = runner.ledger;
    const [together, single] = [vi.spyOn(rows, 'statusesOf'), vi.spyOn(rows, 'statuses')];
    await rescue(runner.context);
    expect(together).not.toHaveBeenCalled();
    expect(single).not.toHaveBeenCalled();
  });

  it('repairs the row of a failed job while that of another campaign cannot be repaired', async () => {
    const { id, ...runner } = await runningRow();
    await failOne(runner, 'upload');
    const broken = await runner.importRows([photoRow('b', 2, direct)]);
    await runner.admit(broken);
    await failOne(runner, 'upload');
    const states = runner.ledger.keys.states(broken);
    await runner.redis.del(states);
    await runner.redis.hset(states, 'not', 'a string');
    await rescue(runner.context);
    expect(await runner.ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'waiting', revision: 1 }]);
  });

  it('keeps no more failed flows than the setting', async () => {
    const runner = await openRunner({ settings: { keepFailedFlows: 1 } });
    runner.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'status',
      status: 422,
      times: 'always',
    });
    const id = await runner.importOrUpdate([videoRow('a', direct), videoRow('b', direct)]);
    await runner.start();
    await runner.ended(id);
    await runner.until(
      async () => (await (await runner.queues.queue('post')).getFailedCount()) === 2,
      'both to fail',
    );
    await rescue(runner.context);
    expect(await (await runner.queues.queue('post')).getFailedCount()).toBe(1);
  });

  it('finishes a cancellation that was only begun', async () => {
    const { id, ref, ...runner } = await runningRow();
    await runner.ledger.cancellation.begin(id);
    await rescue(runner.context);
    expect(await runner.ledger.campaigns.find(id)).toMatchObject({
      state: 'ended',
      counts: { cancelled: 1 },
    });
    expect(await stateOf(runner, 'post', postJobId(ref))).toBe('unknown');
  });

  it('finishes a deletion that was only begun', async () => {
    const { id, ...runner } = await runningRow();
    await runner.ledger.cancellation.begin(id);
    await rescue(runner.context);
    expect(await runner.ledger.deletion.tombstone(id, {})).toBeUndefined();
    await rescue(runner.context);
    expect(await keysOf(runner.redis, runner.ledger.keys.campaign(id))).toEqual([]);
    expect(await runner.ledger.deletion.remains()).toEqual([]);
  });

  it('removes a waiting job of a deleted campaign, which was at work while its row was cancelled', async () => {
    const { id, ref, ...runner } = await runningRow();
    await runner.ledger.cancellation.begin(id);
    await rescue(runner.context);
    await runner.queues.addFlows([{ ...ref, plan: { uploads: [], generation: undefined } }]);
    await runner.ledger.deletion.tombstone(id, {});
    await rescue(runner.context);
    expect(await stateOf(runner, 'post', postJobId(ref))).toBe('unknown');
  });

  it('deletes campaigns that ended longer ago than is set', async () => {
    let now = Date.UTC(2026, 5, 1);
    const { id, ...runner } = await runningRow({ settings: { keepEnded: '1d' }, now: () => now });
    await runner.ledger.cancellation.begin(id);
    await rescue(runner.context);
    now += 86_400_000;
    await rescue(runner.context);
    expect(await runner.ledger.campaigns.find(id)).toBeDefined();
    now += 1;
    await rescue(runner.context);
    expect(await runner.ledger.campaigns.find(id)).toBeUndefined();
  });

  it('repairs other campaigns when one cannot be repaired', async () => {
    const runner = await openRunner();
    const other = await runner.importRows([photoRow('a', 2, direct)]);
    // The newest is looked at first.
    const broken = await runner.importRows([videoRow('b', direct)]);
    await runner.redis.set(runner.ledger.keys.groups(broken), 'not a hash');
    await rescue(runner.context);
    expect(await stateOf(runner, 'campaign', admissionJobId(other))).toBe('waiting');
  });
});
