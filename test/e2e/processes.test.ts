import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { freePort } from '../support/ports.ts';
import { finished, meanwhile, openScene, type Scene, slowly, spedUp } from '../support/processes/scene.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { mixedRows } from '../support/sheets/rows.ts';

describe.concurrent('several processes', () => {
  it('that run the same manifest at once make one campaign of it, and no post twice', async (test) => {
    // Slowly, in processes of their own: one that begins when the campaign has ended would be refused.
    const scene = await openScene(test, { settings: slowly });
    const file = scene.manifest(mixedRows(30));
    const both = await Promise.all([
      finished(scene.start(['run', file, '--json'])),
      finished(scene.start(['run', file, '--json', '--out', 'other.csv'])),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.map(({ stdout }) => (JSON.parse(stdout) as { id: string }).id)).toEqual(['c1', 'c1']);
    expectAgreement(scene.sandbox, scene.results());
    expect(scene.results('other.csv').rows).toEqual(scene.results().rows);
    const list = await scene.run(['list', '--json']);
    expect((JSON.parse(list.stdout) as { campaigns: unknown[] }).campaigns).toHaveLength(1);
  });

  it('a worker that gets SIGTERM under load finishes what is under way, and ends with 0', async (test) => {
    const scene = await openScene(test, { settings: slowly });
    const worker = scene.start(['worker']);
    await worker.errorLine(/worker started/);
    const running = scene.run(['run', scene.manifest(mixedRows(30))]);
    await meanwhile(running, scene.sandbox.whenCalled('createCreatorPost', 5));
    worker.kill('SIGTERM');
    expect(await worker.end()).toEqual({ code: 0, signal: null });
    expect(await running).toMatchObject({ code: 0 });
    expectAgreement(scene.sandbox, scene.results());
  });
});

describe.concurrent('Redis that is killed', () => {
  it('and started again from its append-only file: every row ends, and none twice', async (test) => {
    const scene = await openScene(test, { settings: slowly });
    const port = await freePort();
    const settings = {
      port: `${port}`,
      appendonly: 'yes',
      appendfsync: 'always',
      'maxmemory-policy': 'noeviction',
    };
    const first = await startRedisServer(scene.folder, settings);
    const REDIS_URL = `redis://127.0.0.1:${port}`;
    const running = scene.run(['run', scene.manifest(mixedRows(30))], { REDIS_URL });
    await meanwhile(running, scene.sandbox.whenCalled('createCreatorPost', 5));
    await first.stop('SIGKILL');
    const second = await startRedisServer(scene.folder, settings);
    test.onTestFinished(() => second.stop());
    const ended = await running;
    expect(ended.code, ended.stderr).toBeOneOf([0, 3]);
    expect(ended.stderr).toMatch(/does not answer.*trying again/);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('while it is the private one: the run ends in order, and the next goes on', async (test) => {
    // The held call must not end by itself while a busy machine starts the next command.
    const scene = await openScene(test, {
      ...spedUp,
      redis: 'private',
      settings: { api: { timeout: '120s' } },
    });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', skip: 5 });
    const running = scene.start(['run', scene.manifest(mixedRows(20))]);
    await meanwhile(running, scene.sandbox.whenHeld('createCreatorPost'));
    expect((await scene.run(['stop'])).code).toBe(0);
    scene.sandbox.release();
    expect((await finished(running)).code).toBe(130);
    // On a busy machine, the answer may be written down before the run has noticed that Redis is gone.
    expect((await scene.run(['run'])).code).toBeOneOf([0, 3]);
    await scene.run(['report', 'c1', '--out', 'posts.results.csv']);
    const unfinished = scene.results().rows.filter(({ status }) => status !== 'posted');
    expect(unfinished.map((row) => row.error_code)).toEqual(unfinished.map(() => 'outcome_unknown'));
    expectAgreement(scene.sandbox, scene.results());
  });
});

describe.concurrent('an interrupt', () => {
  /** Interrupts a run whose fourth post is held, and lets it go on once the run has heard of it: the others are never begun. */
  async function interrupt(scene: Scene, signal: NodeJS.Signals, ...flags: readonly string[]) {
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'before', skip: 3 });
    const running = scene.start(['run', scene.manifest(mixedRows(20)), ...flags]);
    await meanwhile(running, scene.sandbox.whenHeld('createCreatorPost'));
    running.kill(signal);
    await running.errorLine(/Finishing what is under way/);
    scene.sandbox.release();
    return finished(running);
  }
  const onePostAtOnce = { settings: { ...slowly, concurrency: { post: 1 } } };

  it('by SIGTERM ends a run with 130, and `run` goes on', async (test) => {
    const scene = await openScene(test, onePostAtOnce);
    const ended = await interrupt(scene, 'SIGTERM');
    expect(ended.code, ended.stderr).toBe(130);
    expect(ended.stderr).toContain('campaigns run');
    expect((await scene.run(['run'])).code).toBe(0);
    expect(scene.results().rows).toHaveLength(20);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('by SIGINT says so as a document, and nothing that was posted is lost', async (test) => {
    const scene = await openScene(test, onePostAtOnce);
    const { stdout } = await interrupt(scene, 'SIGINT', '--json');
    expect(JSON.parse(stdout)).toEqual({ interrupted: true, campaigns: ['c1'] });
    const shown = await scene.run(['show', 'c1', '--json']);
    const { state, counts } = JSON.parse(shown.stdout) as { state: string; counts: Record<string, number> };
    expect(state).toBe('running');
    expect(counts.posted).toBeGreaterThan(0);
  });
});
