import { describe, expect, it, type TestContext } from 'vitest';
import { openPrivateRedis } from '../../src/redis/private-server.ts';
import { expectAgreement } from '../support/agreement.ts';
import type { TestProcess } from '../support/child.ts';
import { waitUntil } from '../support/events.ts';
import { keysOf } from '../support/redis.ts';
import { aiVideoRow, videoRow } from '../support/rows.ts';
import { finished, meanwhile, openScene, type Scene } from '../support/scene.ts';
import type { ResultSheet } from '../support/sheet.ts';

/** A document that a command prints with `--json`. */
interface Document {
  readonly state: string;
  readonly was: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly review: number;
  readonly cancelled: number;
}

async function documentOf(scene: Scene, ...args: readonly string[]): Promise<Document> {
  const { stdout, stderr } = await scene.run([...args, '--json']);
  expect(stderr).not.toContain('defect');
  return JSON.parse(stdout) as Document;
}

/** The results sheet as the ledger has it now. */
async function sheetOf(scene: Scene): Promise<ResultSheet> {
  expect((await scene.run(['report', 'c1', '--out', 'now.csv'])).code).toBe(0);
  return scene.results('now.csv');
}

/** The private Redis of the scene, for what no command shows. */
async function ledgerOf(test: TestContext, { dataDir }: Scene) {
  const server = await openPrivateRedis(dataDir, () => undefined);
  test.onTestFinished(() => server.close());
  const redis = server.connections.connect('test');
  return { redis, keys: () => keysOf(redis, '{campaigns}') };
}

const statuses = ({ rows }: ResultSheet) => rows.map(({ key, status }) => `${key} ${status}`);

/** A run of five rows, of which the sandbox holds the first post; the others wait for their turn behind it. */
async function holdFirstPost(
  test: TestContext,
  when: 'before' | 'after',
): Promise<{ scene: Scene; run: TestProcess }> {
  const scene = await openScene(test, { settings: { concurrency: { post: 1 }, api: { timeout: '60s' } } });
  scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when });
  const run = scene.start(['run', scene.manifest(['1', '2', '3', '4', '5'].map((key) => videoRow(key)))]);
  await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
  return { scene, run };
}

describe.concurrent('pause', { timeout: 150_000 }, () => {
  it('lets the call under way finish, and sends nothing further until it is resumed', async (test) => {
    const { scene, run } = await holdFirstPost(test, 'before');
    expect(await documentOf(scene, 'pause', 'c1')).toMatchObject({ state: 'paused', was: 'running' });
    scene.sandbox.release();
    expect((await finished(run)).code).toBe(4);
    expect(scene.sandbox.counts().createCreatorPost).toBe(1);
    expect((await scene.run(['run'])).code).toBe(4);
    expect(await documentOf(scene, 'resume', 'c1')).toMatchObject({ state: 'running', was: 'paused' });
    expect((await scene.run(['run'])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });
});

describe.concurrent('cancel', { timeout: 150_000 }, () => {
  it('cancels what was not sent; the call under way is settled by its answer', async (test) => {
    const { scene, run } = await holdFirstPost(test, 'after');
    expect(await documentOf(scene, 'cancel', 'c1')).toMatchObject({
      cancelled: 4,
      review: 1,
      state: 'ended',
    });
    expect(statuses(await sheetOf(scene)).filter((line) => line.endsWith('review'))).toHaveLength(1);
    scene.sandbox.release();
    expect((await finished(run)).code).toBe(3);
    expect(scene.sandbox.counts().createCreatorPost).toBe(1);
    expect(scene.results().rows.filter(({ status }) => status === 'posted')).toHaveLength(1);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('leaves a row in review whose answer never comes', async (test) => {
    const { scene, run } = await holdFirstPost(test, 'after');
    await documentOf(scene, 'cancel', 'c1');
    run.kill('SIGKILL');
    await finished(run);
    scene.sandbox.release();
    const sheet = await sheetOf(scene);
    expect(statuses(sheet).filter((line) => line.endsWith('cancelled'))).toHaveLength(4);
    expectAgreement(scene.sandbox, sheet);
  });

  it('stops a generation that is being polled', async (test) => {
    const scene = await openScene(test);
    const row = aiVideoRow('1', { creator: 'demo_ben', ai_prompt: '[stuck] Video 1' });
    const run = scene.start(['run', scene.manifest([row])]);
    await meanwhile(run, scene.sandbox.whenCalled('listAiTasksByScheduleId', 2));
    expect(await documentOf(scene, 'cancel', 'c1')).toMatchObject({ cancelled: 1, review: 0 });
    expect((await finished(run)).code).toBe(3);
    expect(statuses(scene.results())).toEqual(['1 cancelled']);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('is finished by the keeper after a crash between its mark and its rows', async (test) => {
    const { scene, run } = await holdFirstPost(test, 'before');
    expect((await documentOf(scene, 'pause', 'c1')).state).toBe('paused');
    scene.sandbox.release();
    await finished(run);
    const { redis } = await ledgerOf(test, scene);
    await redis.hset('{campaigns}:c:c1', 'state', 'cancelling', 'cancelled-at', '1', 'paused', '');
    expect((await scene.run(['run'])).code).toBe(3);
    expect(await documentOf(scene, 'show', 'c1')).toMatchObject({
      state: 'ended',
      counts: { posted: 1, cancelled: 4, running: 0, waiting: 0 },
    });
    expectAgreement(scene.sandbox, await sheetOf(scene));
  });

  it('says so to whoever runs the manifest again, or retries', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'code', code: 50_001, times: 'always' });
    const file = scene.manifest([videoRow('1'), videoRow('2')]);
    expect((await scene.run(['run', file, '--canary', '1'])).code).toBe(4);
    expect(await documentOf(scene, 'cancel', 'c1')).toMatchObject({ cancelled: 1 });
    const again = await scene.run(['run', file]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('cancelled') });
    const retried = await scene.run(['retry', 'c1']);
    expect(retried).toMatchObject({ code: 2, stderr: expect.stringContaining('c1 was cancelled') });
    const shown = await scene.run(['show', 'c1']);
    expect(shown.stdout).toContain('was cancelled');
    expect(shown.stdout).not.toContain('campaigns run c1.failed.csv');
  });
});

describe.concurrent('delete', { timeout: 150_000 }, () => {
  it('refuses what is under way or in doubt, then removes it with its jobs and keys', async (test) => {
    const { scene, run } = await holdFirstPost(test, 'after');
    const refused = await scene.run(['delete', 'c1']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('campaigns cancel c1') });
    const doubtful = await scene.run(['delete', 'c1', '--cancel']);
    expect(doubtful).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    scene.sandbox.release();
    await finished(run);

    const deleted = await scene.run(['delete', 'c1', '--export', 'kept.csv']);
    expect(deleted.code, deleted.stderr).toBe(0);
    expectAgreement(scene.sandbox, scene.results('kept.csv'));
    expect((await scene.run(['show', 'c1'])).code).toBe(2);
    const { keys } = await ledgerOf(test, scene);
    expect((await keys()).filter((key) => /:c:|:rows:|buried|(post|upload|showcase):c1-/.test(key))).toEqual(
      [],
    );
  });

  it('lets the manifest be run again without saying so, and uploads nothing twice', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([videoRow('1')]);
    expect((await scene.run(['run', file])).code).toBe(0);
    expect((await scene.run(['delete', 'c1'])).code).toBe(0);
    const again = await scene.run(['run', file]);
    expect(again.code).toBe(0);
    expect(again.stderr).not.toContain('another campaign');
    expect(scene.sandbox.counts()).toMatchObject({ putFile: 1, createCreatorPost: 2 });
  });

  it('is done by itself once a campaign has ended longer ago than it is kept', async (test) => {
    const scene = await openScene(test);
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(0);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    expect((await scene.run(['run', scene.manifest([videoRow('2')], 'doubtful.csv')])).code).toBe(3);
    scene.configure({ keepEnded: '0s' });
    const worker = scene.start(['worker']);
    const ids = await meanwhile(
      worker,
      waitUntil(
        async () => {
          const { stdout } = await scene.run(['list', '--json']);
          const { campaigns } = JSON.parse(stdout) as { campaigns: { id: string }[] };
          return campaigns.length < 2 && campaigns.map(({ id }) => id);
        },
        'the keeper',
        60_000,
      ),
    );
    expect(ids).toEqual(['c2']);
    worker.kill('SIGTERM');
    await finished(worker);
  });
});

describe.concurrent('two operators at once', { timeout: 150_000 }, () => {
  it('pause and cancel: it is cancelled', async (test) => {
    const { scene, run } = await holdFirstPost(test, 'before');
    await Promise.all([scene.run(['pause', 'c1']), scene.run(['cancel', 'c1'])]);
    scene.sandbox.release();
    expect((await finished(run)).code).toBe(3);
    expect(await documentOf(scene, 'show', 'c1')).toMatchObject({ state: 'ended', counts: { running: 0 } });
    expectAgreement(scene.sandbox, await sheetOf(scene));
  });

  it('retry and cancel: no row is left waiting', async (test) => {
    const scene = await openScene(test, { settings: { concurrency: { post: 1 }, api: { timeout: '60s' } } });
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'code', code: 50_001, times: 2 });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'before' });
    const keys = ['1', '2', '3', '4', '5', '6'];
    const run = scene.start(['run', scene.manifest(keys.map((key) => videoRow(key)))]);
    await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
    await waitUntil(async () => (await documentOf(scene, 'show', 'c1')).counts.failed === 2, 'two failures');
    await Promise.all([scene.run(['retry', 'c1']), scene.run(['cancel', 'c1'])]);
    scene.sandbox.release();
    expect((await finished(run)).code).toBe(3);
    const { counts, state } = await documentOf(scene, 'show', 'c1');
    expect({ state, left: (counts.waiting ?? 0) + (counts.running ?? 0) }).toEqual({
      state: 'ended',
      left: 0,
    });
    expectAgreement(scene.sandbox, await sheetOf(scene));
  });

  it('cancel and cancel, cancel and delete: each row is counted once', async (test) => {
    const { scene, run } = await holdFirstPost(test, 'before');
    const both = await Promise.all([
      documentOf(scene, 'cancel', 'c1'),
      documentOf(scene, 'cancel', 'c1'),
      scene.run(['delete', 'c1', '--cancel']),
    ]);
    const sum = (name: 'cancelled' | 'review') => both[0][name] + both[1][name];
    expect(sum('cancelled')).toBeLessThanOrEqual(4);
    expect(sum('review')).toBeLessThanOrEqual(1);
    scene.sandbox.release();
    expect((await finished(run)).code).toBe(3);
    expectAgreement(scene.sandbox, await sheetOf(scene));
  });
});
