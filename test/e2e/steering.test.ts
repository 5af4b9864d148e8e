import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { waitUntil } from '../support/events.ts';
import { finished, meanwhile, openScene, patiently, type Scene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const operation = 'createCreatorPost';
/** One post at once, and the next in an hour. */
const hourly = {
  default: { rate: 2000, per: '1s', burst: 2000 },
  [operation]: { rate: 1, per: '1h', burst: 1 },
};
const withoutKey = { CREATOR_API_KEY: '', CREATOR_API_URL: '' };

async function documentOf<T>(scene: Scene, ...args: readonly string[]): Promise<T> {
  const { stdout, stderr } = await scene.run([...args, '--json'], withoutKey);
  expect(stderr).not.toContain('defect');
  return JSON.parse(stdout) as T;
}

interface Watched {
  readonly state: string;
  readonly progress: {
    readonly heldBackBy: readonly { readonly operation: string }[];
    readonly workers: readonly { readonly pid: number; readonly isAlive: boolean }[];
    readonly notes: readonly string[];
  };
}

/** A run whose post is held, and somebody who watches it from elsewhere. */
async function watchedRun(test: Parameters<typeof openScene>[0]) {
  const scene = await openScene(test, { settings: patiently });
  scene.sandbox.faults.add({ operation, kind: 'hold' });
  const running = scene.run(['run', scene.manifest([videoRow('1')])]);
  await meanwhile(running, scene.sandbox.whenHeld(operation));
  const watching = scene.start(['watch', 'c1'], withoutKey);
  await watching.errorLine(/c1: 0\/1 ended/);
  return { scene, running, watching };
}

describe.concurrent('steering campaigns', () => {
  it('a rate limit that is raised while it runs is taken up by the process that runs', async (test) => {
    const scene = await openScene(test, { settings: { rateLimits: hourly } });
    const running = scene.run(['run', scene.manifest(['1', '2', '3'].map((key) => videoRow(key)))]);
    await meanwhile(running, scene.sandbox.whenCalled(operation));
    const held = waitUntil(
      async () => (await documentOf<Watched>(scene, 'watch', 'c1', '--once')).progress.heldBackBy.length > 0,
      'a rate limit that holds the campaign back',
    );
    await meanwhile(running, held);
    await scene.run(['rate-limits', operation, '100/s'], withoutKey);
    expect((await running).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('watch follows a campaign that runs elsewhere, without a key, and ends with it', async (test) => {
    const { scene, running, watching } = await watchedRun(test);
    const seen = await documentOf<Watched>(scene, 'watch', 'c1', '--once');
    expect(seen).toMatchObject({ state: 'running', progress: { workers: [{ isAlive: true }] } });
    scene.sandbox.release();
    expect((await running).code).toBe(0);
    expect(await finished(watching)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 posted') });
  });

  it('Ctrl-C ends the watching only', async (test) => {
    const { scene, running, watching } = await watchedRun(test);
    watching.kill('SIGINT');
    expect((await finished(watching)).code).toBe(130);
    scene.sandbox.release();
    expect((await running).code).toBe(0);
  });

  it('says when rows wait and no worker is alive', async (test) => {
    const scene = await openScene(test, { settings: { rateLimits: hourly } });
    const running = scene.start(['run', scene.manifest([videoRow('1'), videoRow('2')])]);
    await meanwhile(running, scene.sandbox.whenCalled(operation));
    running.kill('SIGINT');
    await finished(running);
    const { progress } = await documentOf<Watched>(scene, 'watch', 'c1', '--once');
    expect(progress.notes.join()).toContain('no worker is alive, and 1 row');
    expect((await scene.run(['list'])).stdout).toContain('no worker is alive');
    expect((await scene.run(['doctor'])).stdout).toContain(
      'no worker is alive, but rows need one: c1 (1 row waits)',
    );
  });

  it('a worker is seen by the others, and no more once it has ended', async (test) => {
    const scene = await openScene(test);
    const worker = scene.start(['worker', '--queues', 'upload,post']);
    await worker.errorLine(/worker started/);
    const list = () => documentOf<{ workers: object[] }>(scene, 'list');
    expect((await list()).workers).toMatchObject([
      { pid: worker.pid, queues: ['upload', 'post'], isAlive: true },
    ]);
    worker.kill('SIGTERM');
    await finished(worker);
    expect((await list()).workers).toEqual([]);
  });

  it('watch shows a service that does not answer', async (test) => {
    const scene = await openScene(test, { settings: { retry: { attempts: 100 } } });
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'reset', times: 'always' });
    const running = scene.start(['run', scene.manifest([videoRow('1', { product_source: 'SHOP' })])]);
    await meanwhile(running, scene.sandbox.whenCalled('createFileUpload', 2));
    const seen = waitUntil(async () => {
      const { progress } = await documentOf<Watched>(scene, 'watch', 'c1', '--once');
      return progress.notes.find((note) => note.startsWith('the service does not answer'));
    }, 'a note of the service');
    expect(await meanwhile(running, seen)).toContain('createFileUpload');
  });
});
