import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { waitUntil } from '../support/events.ts';
import { meanwhile, openScene } from '../support/processes/scene.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { durable, redisNode } from '../support/redis/redis-topologies.ts';
import { videoRow } from '../support/sheets/rows.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const docs = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');
const hasTools = ['jq', 'redis-cli'].every((name) => spawnSync(name, ['--version']).status === 0);

/** The commands of a step of the restore, as a shell script. */
function commandsOf(step: number): string {
  const [, section = ''] = docs.split('## Restore');
  const [, from = ''] = section.split(`\n${step}. **`);
  const [text = ''] = from.split(/\n\d+\. \*\*/);
  return text
    .split('\n')
    .filter((line) => line.startsWith('       '))
    .join('\n');
}

it.skipIf(!hasTools)(
  'the steps of docs/backup.md end in a working state, and post nothing twice',
  async (test) => {
    const scene = await openScene(test, {
      settings: {
        api: { timeout: '2s' },
        rateLimits: {
          default: { rate: 2000, per: '1s', burst: 200 },
          createCreatorPost: { rate: 8, per: '1s', burst: 1 },
        },
      },
    });
    const server = await redisNode(scene.folder, test, durable);
    const env = { REDIS_URL: `redis://127.0.0.1:${server.port}` };
    const cli = ['-p', String(server.port)];
    const rows = Array.from({ length: 12 }, (_, index) => videoRow(`${index}`));
    // The first row is in review when the backup is made.
    const match = { title: 'Caption 0' };
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', match, times: 1 });
    const running = scene.run(['run', scene.manifest(rows)], env);
    await meanwhile(running, scene.sandbox.whenCalled('createCreatorPost', 3));
    await run('redis-cli', [...cli, '--rdb', join(scene.folder, 'backup.rdb')]);
    expect((await running).code).toBe(3);
    // In what will be lost, somebody has it sent again.
    await scene.run(['decide', 'c1', '0', '--not-posted'], env);
    expect((await scene.run(['run'], env)).code).toBe(0);

    // Steps 2 and 3.
    await server.stop('SIGTERM');
    renameSync(server.folder, `${server.folder}.old`);
    mkdirSync(server.folder);
    copyFileSync(join(scene.folder, 'backup.rdb'), join(server.folder, 'dump.rdb'));
    const loading = await startRedisServer(server.folder, {
      port: String(server.port),
      appendonly: 'no',
      save: "''",
    });
    test.onTestFinished(() => loading.stop('SIGKILL'));
    await run('redis-cli', [...cli, 'CONFIG', 'SET', 'appendonly', 'yes']);
    const redis = new Redis({ port: server.port });
    test.onTestFinished(() => redis.disconnect());
    const isWritten = async () =>
      /aof_enabled:1[\s\S]*aof_rewrite_in_progress:0/.test(await redis.info('persistence'));
    await waitUntil(isWritten, 'Redis to write its append-only file');
    redis.disconnect();
    await run('redis-cli', [...cli, 'SHUTDOWN']).catch(() => undefined);
    await loading.stop('SIGTERM');
    await server.restart();

    // The steps from 4 on, on a machine that remembers nothing.
    writeFileSync(join(scene.folder, 'campaigns'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`);
    chmodSync(join(scene.folder, 'campaigns'), 0o755);
    const fresh = { ...env, DATA_DIR: join(scene.folder, 'fresh') };
    const shell = (script: string) =>
      run('sh', ['-ec', script], {
        cwd: scene.folder,
        env: {
          ...process.env,
          CREATOR_API_URL: scene.sandbox.url,
          CREATOR_API_KEY: scene.sandbox.apiKey,
          CAMPAIGNS_CONFIG: join(scene.folder, 'settings.json'),
          ...fresh,
          PATH: `${scene.folder}:${process.env.PATH ?? ''}`,
        },
      });
    const before = await scene.run(['journal'], fresh);
    expect(before).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('machine remembers nothing'),
    });
    expect(before.stdout).not.toContain('lost no records');
    // A person answers on a terminal.
    const accepted = await shell(commandsOf(5).replace(/(--accept)( +#)/, '$1 --yes$2'));
    expect(accepted.stdout).toMatch(/The loss is accepted: \d+ rows went to review/);
    const review = await scene.run(
      ['report', 'c1', '--only', 'review', '--format', 'jsonl', '--out', '-'],
      fresh,
    );
    expect(review.stdout).toMatch(/"key":"0".*records_lost/);
    // Step 6.
    expect((await scene.run(['run'], fresh)).stdout).toContain('No campaign is unfinished');
    expect(scene.sandbox.effects().posts).toHaveLength(12);

    // Step 7, with a log that lacks its last post.
    const log = readFileSync(join(scene.dataDir, 'campaigns.log'), 'utf8').trimEnd().split('\n');
    const last = log.findLastIndex((line) => line.includes('"msg":"posted"'));
    writeFileSync(join(scene.folder, 'worker1.log'), log.slice(0, last).join('\n'));
    await shell(commandsOf(7));
    const shown = JSON.parse((await scene.run(['show', 'c1', '--json'], fresh)).stdout) as object;
    expect(shown).toMatchObject({ counts: { posted: 11, review: 1 } });

    // Step 8: what nobody knows of was posted in fact.
    const report = ['report', 'c1', '--only', 'review', '--format', 'jsonl', '--out', '-'];
    const left = JSON.parse((await scene.run(report, fresh)).stdout) as { key: string; caption: string };
    const post = scene.sandbox.effects().posts.find(({ title }) => title === left.caption);
    await scene.run(['decide', 'c1', left.key, '--posted', post?.postId ?? ''], fresh);
    expect((await scene.run(['run'], fresh)).code).toBe(0);
    const { posts } = scene.sandbox.effects();
    expect(new Set(posts.map(({ title }) => title)).size).toBe(posts.length);
    expect(posts).toHaveLength(12);
  },
);
