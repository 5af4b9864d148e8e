import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../support/events.ts';
import { meanwhile, openScene } from '../support/processes/scene.ts';
import { durable, incrementalFile, redisNode } from '../support/redis/redis-topologies.ts';
import { videoRow } from '../support/sheets/rows.ts';

const rows = (count: number) => Array.from({ length: count }, (_, index) => videoRow(`${index}`));
const slowly = {
  rateLimits: {
    default: { rate: 2000, per: '1s', burst: 200 },
    createCreatorPost: { rate: 10, per: '1s', burst: 2 },
  },
};

describe.concurrent('Redis that has lost entries of the send journal', () => {
  it('by FLUSHALL: the sheet handed in again is not posted again until somebody says so', async (test) => {
    const scene = await openScene(test);
    const { port } = await redisNode(scene.folder, test, durable);
    const env = { REDIS_URL: `redis://127.0.0.1:${port}` };
    const file = scene.manifest(rows(5));
    expect((await scene.run(['run', file], env)).code).toBe(0);
    const redis = new Redis({ port });
    test.onTestFinished(() => redis.disconnect());
    await redis.flushall();

    for (const command of [['list'], ['run']]) {
      const empty = await scene.run(command, env);
      expect(empty, command[0]).toMatchObject({
        code: 3,
        stdout: expect.stringContaining('Redis has no record of'),
      });
      expect(empty.stdout).not.toContain('Start one');
    }
    const doctor = await scene.run(['doctor', '--json'], env);
    expect(doctor.code).toBe(2);
    const { findings } = JSON.parse(doctor.stdout);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'journal', verdict: 'problem' }));

    const again = await scene.run(['run', file], env);
    expect(again.code, again.stderr).toBe(4);
    expect(again.stdout).toContain('campaigns journal --accept');
    expect(scene.sandbox.effects().posts).toHaveLength(5);
    const told = await scene.run(['journal', '--json'], env);
    expect(told.code).toBe(3);
    expect(JSON.parse(told.stdout)).toMatchObject({
      behind: true,
      held: ['c1'],
      found: { position: 0 },
      seen: { position: 5 },
      // The campaign is younger than the loss: no row of it was sent before.
      review: 0,
    });

    expect((await scene.run(['journal', '--accept', '--yes'], env)).code).toBe(0);
    expect((await scene.run(['run'], env)).code).toBe(0);
    expect(scene.sandbox.effects().posts).toHaveLength(10);
    const after = JSON.parse((await scene.run(['journal', '--json'], env)).stdout) as object;
    expect(after).toMatchObject({ behind: false, held: [] });
  });

  it('by the end of its append-only file: a run that goes on notices by itself, and sends nothing', async (test) => {
    const scene = await openScene(test, { settings: slowly });
    const server = await redisNode(scene.folder, test, durable);
    const env = { REDIS_URL: `redis://127.0.0.1:${server.port}` };
    const running = scene.run(['run', scene.manifest(rows(60))], env);
    await meanwhile(running, scene.sandbox.whenCalled('createCreatorPost', 5));
    const log = incrementalFile(server);
    // All that was written up to here stays; what follows is lost with the crash.
    const kept = statSync(log).size;
    await meanwhile(running, scene.sandbox.whenCalled('createCreatorPost', 15));
    await server.stop('SIGKILL');
    truncateSync(log, kept);
    const sent = scene.sandbox.effects().posts.length;
    await server.restart();
    const ended = await running;
    expect(ended.code, ended.stderr).toBe(4);
    expect(ended.stdout).toMatch(/Redis lost records of what was sent/);
    // What the rate limit had let go may still have been on its way when Redis was lost; nothing was sent after that.
    const { posts } = scene.sandbox.effects();
    const { rate, burst } = slowly.rateLimits.createCreatorPost;
    expect(posts.length - sent).toBeLessThanOrEqual(rate + burst);
    expect(new Set(posts.map(({ title }) => title)).size).toBe(posts.length);
    expect(posts.length).toBeLessThan(60);
  });

  it('by a copy that is put back: another machine that stayed up posts nothing again', async (test) => {
    const scene = await openScene(test);
    const server = await redisNode(scene.folder, test, durable);
    const env = { REDIS_URL: `redis://127.0.0.1:${server.port}` };
    const file = scene.manifest(rows(5));
    expect((await scene.run(['import', file], env)).code).toBe(0);
    const machineB = scene.start(['serve', '--no-work', '--port', '0'], {
      ...env,
      DATA_DIR: join(scene.folder, 'b'),
    });
    await machineB.line(/Console/);
    const copy = join(scene.folder, 'copy');
    cpSync(join(server.folder, 'appendonlydir'), copy, { recursive: true });

    expect((await scene.run(['run'], { ...env, DATA_DIR: join(scene.folder, 'a') })).code).toBe(0);
    expect(scene.sandbox.effects().posts).toHaveLength(5);
    const memory = join(scene.folder, 'b/journal.json');
    await waitUntil(
      () => existsSync(memory) && readFileSync(memory, 'utf8').includes('"position": 5'),
      'machine B to look',
    );
    await server.stop('SIGKILL');
    rmSync(join(server.folder, 'appendonlydir'), { recursive: true });
    cpSync(copy, join(server.folder, 'appendonlydir'), { recursive: true });
    await server.restart();

    const fresh = { ...env, DATA_DIR: join(scene.folder, 'c') };
    expect((await scene.run(['run'], fresh)).code).toBe(4);
    expect(scene.sandbox.effects().posts).toHaveLength(5);
    const unasked = await scene.run(['journal', '--accept'], fresh);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('Send 5 rows to review') });
    const told = await scene.run(['journal'], fresh);
    expect(told).toMatchObject({ code: 3, stdout: expect.stringContaining('5 rows may have been sent') });
    const [post] = scene.sandbox.effects().posts.filter(({ title }) => title === 'Caption 0');
    expect((await scene.run(['decide', 'c1', '0', '--posted', post?.postId ?? ''], fresh)).code).toBe(0);
    expect((await scene.run(['journal', '--accept', '--yes'], fresh)).code).toBe(0);
    expect((await scene.run(['run'], fresh)).code).toBeOneOf([0, 3]);
    expect(scene.sandbox.effects().posts).toHaveLength(5);
    const shown = JSON.parse((await scene.run(['show', 'c1', '--json'], fresh)).stdout) as object;
    expect(shown).toMatchObject({ counts: { posted: 1, review: 4 } });
  });
});
