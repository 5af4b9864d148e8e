import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, it, type TestContext } from 'vitest';
import { type QueueName, queueNames } from '../../src/queues/queues.ts';
import { expectAgreement } from '../support/agreement.ts';
import { waitUntil } from '../support/events.ts';
import { type Finished, meanwhile, openScene, type Scene, spedUp } from '../support/processes/scene.ts';
import { startLedgerRedis } from '../support/redis/redis-server.ts';
import { photoRow, videoRow } from '../support/sheets/rows.ts';
import type { Cells } from '../support/sheets/sheet.ts';

/** What people do to jobs in Bull Board, by the calls that it makes. */
interface Hands {
  readonly scene: Scene;
  /** The end of the run. */
  readonly run: Promise<Finished>;
  queue(name: QueueName): Queue;
  /** The campaign's counters as the ledger has them. */
  counts(): Promise<Readonly<Record<string, number>>>;
}

/** A run at work on rows whose first PUT is held by the sandbox; one upload at a time, so that others wait. */
async function holdUploads(test: TestContext, rows: readonly Cells[], settings: object = {}): Promise<Hands> {
  const scene = await openScene(test, {
    ...spedUp,
    settings: { concurrency: { upload: 1, post: 1 }, ...settings },
  });
  const { url } = await startLedgerRedis(test, scene.folder);
  scene.sandbox.faults.add({ operation: 'putFile', kind: 'hold', when: 'before' });
  const run = scene.run(['run', scene.manifest(rows)], { REDIS_URL: url });
  await meanwhile(run, scene.sandbox.whenHeld('putFile'));
  const queues = connectQueues(test, url);
  const redis = queues.redis;
  return {
    scene,
    run,
    queue: queues.queue,
    counts: () => redis.hgetall('{campaigns}:c:c1').then((facts) => mapNumbers(facts)),
  };
}

function connectQueues(test: TestContext, url: string) {
  const redis = new Redis({ path: url.replace('unix://', ''), maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  const queues = new Map(
    queueNames.map((name) => [name, new Queue(name, { connection: redis, prefix: '{campaigns}' })]),
  );
  test.onTestFinished(async () => {
    for (const queue of queues.values()) await queue.close();
    redis.disconnect();
  });
  const queue = (name: QueueName): Queue => {
    const found = queues.get(name);
    if (!found) throw new RangeError(name);
    return found;
  };
  return { redis, queue };
}

function mapNumbers(facts: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, Number(value)]));
}

describe.concurrent('jobs changed by hand', { timeout: 90_000 }, () => {
  it('an upload that is removed: its post does not go out without it', async (test) => {
    const { scene, queue, run } = await holdUploads(test, [photoRow('1', 3)]);
    expect(await queue('upload').remove('c1-0-0-upload-media-2')).toBe(1);
    scene.sandbox.release();
    expect(await run).toMatchObject({ code: 3 });
    expect(scene.results().rows).toMatchObject([{ status: 'failed', error_code: 'media_not_uploaded' }]);
    expect(scene.sandbox.effects().posts).toEqual([]);
  });

  it('a queue of uploads that is drained: no post goes out incomplete, and a retry mends all', async (test) => {
    const rows = [photoRow('1', 2), photoRow('2', 2), videoRow('3')];
    const { scene, queue, run } = await holdUploads(test, rows);
    await queue('upload').drain();
    scene.sandbox.release();
    expect(await run).toMatchObject({ code: 3 });
    expectAgreement(scene.sandbox, scene.results());
    const REDIS_URL = `unix://${join(scene.folder, 'r.sock')}`;
    expect((await scene.run(['retry', 'c1'], { REDIS_URL })).code).toBe(0);
    expect((await scene.run(['run'], { REDIS_URL })).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('a post removed while it waits: the rescuer recreates the flow, with one post', async (test) => {
    const { scene, queue, run } = await holdUploads(test, [photoRow('1', 2)]);
    await queue('post').remove('c1-0-0-post', { removeChildren: false });
    scene.sandbox.release();
    expect(await run).toMatchObject({ code: 0 });
    expectAgreement(scene.sandbox, scene.results());
  });

  it('a post that is completed and retried: there is no second post', async (test) => {
    const { scene, queue, run } = await holdUploads(test, [videoRow('1'), videoRow('2'), videoRow('3')]);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'before', skip: 1 });
    scene.sandbox.release('putFile');
    await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
    const job = await waitUntil(async () => (await queue('post').getCompleted()).at(0), 'a completed post');
    await job.retry('completed');
    scene.sandbox.release();
    expect(await run).toMatchObject({ code: 0 });
    expect(scene.sandbox.effects().posts).toHaveLength(3);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('an upload that failed and is retried: the row goes on to its post by itself', async (test) => {
    const { scene, queue, run, counts } = await holdUploads(test, [photoRow('1', 2), videoRow('2')], {
      retry: { attempts: 1 },
    });
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400 });
    // Row 2 waits at its post, so that the campaign has not ended when row 1 has failed.
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'before' });
    scene.sandbox.release('putFile');
    await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
    const [job] = await waitUntil(async () => {
      const failed = await queue('upload').getFailed();
      return failed.length > 0 && failed;
    }, 'a failed upload');
    expect((await counts()).failed).toBe(1);
    await job?.retry();
    scene.sandbox.release();
    expect(await run).toMatchObject({ code: 0 });
    expectAgreement(scene.sandbox, scene.results());
  });

  it('a post in review that is retried: nothing is sent', async (test) => {
    const { scene, queue, run } = await holdUploads(test, [videoRow('1'), videoRow('2')]);
    const operation = 'createCreatorPost';
    scene.sandbox.faults.add({ operation, kind: 'lost-answer' });
    scene.sandbox.faults.add({ operation, kind: 'hold', when: 'before' });
    scene.sandbox.release('putFile');
    await meanwhile(run, scene.sandbox.whenHeld(operation));
    const [job] = await waitUntil(async () => {
      const failed = await queue('post').getFailed();
      return failed.length > 0 && failed;
    }, 'a failed post');
    await job?.retry();
    scene.sandbox.release();
    expect(await run).toMatchObject({ code: 3 });
    expect(scene.sandbox.counts()[operation]).toBe(2);
    expectAgreement(scene.sandbox, scene.results());
  });
});
