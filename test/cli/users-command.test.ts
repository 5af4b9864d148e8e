import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { readAudit } from '../../src/app/access/audit.ts';
import { systemUser } from '../../src/app/runtime/machine.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { openScene, terminal } from '../support/processes/scene.ts';
import { startLedgerRedis } from '../support/redis/redis-server.ts';
import { videoRow } from '../support/sheets/rows.ts';

describe('campaigns users', () => {
  it('adds, lists, changes and removes users, and notes it', async (test) => {
    const scene = await openScene(test);
    const file = join(scene.folder, 'password');
    writeFileSync(file, 'four words of a test\n');
    const passwordFile = ['--password-file', file];
    async function run(command: string, ...args: string[]) {
      const { code, stdout, stderr } = await scene.run([...command.split(' '), ...args, '--json']);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    }
    expect(await run('users add', 'Anna', '--role', 'admin', ...passwordFile)).toEqual({
      name: 'anna',
      role: 'admin',
    });
    const made = await run('users token', 'anna');
    expect(made.token.startsWith(made.prefix)).toBe(true);
    expect(await run('users list')).toMatchObject({
      users: [{ name: 'anna', role: 'admin', tokens: [{ prefix: made.prefix }] }],
    });
    expect(await run('users token', 'anna', '--remove', made.prefix, '--yes')).toEqual({
      name: 'anna',
      prefix: made.prefix,
      removed: true,
    });
    writeFileSync(file, 'short');
    const refused = await scene.run(['users', 'password', 'anna', ...passwordFile]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('the password has 5 characters'),
    ]);
    writeFileSync(file, 'four other words\r\n');
    expect(await run('users password', 'anna', ...passwordFile)).toEqual({ name: 'anna', changed: true });
    await run('users add', 'lin', '--role', 'viewer', ...passwordFile);
    expect(await run('users role', 'lin', 'approver')).toEqual({ name: 'lin', role: 'approver' });
    const last = await scene.run(['users', 'role', 'anna', 'operator']);
    expect([last.code, last.stdout]).toEqual([0, expect.stringContaining('campaigns users role NAME admin')]);
    await run('users role', 'anna', 'admin');
    const unasked = await scene.run(['users', 'remove', 'lin']);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringMatching(/Remove lin\?.*--yes/s)]);
    const shown = await scene.run(['users', 'remove', 'lin', '--yes']);
    expect(shown.stdout).not.toContain('There is no user now');
    expect(await run('users remove', 'anna', '--yes')).toEqual({ name: 'anna', removed: true });
    expect(await run('users list')).toEqual({ users: [] });
    const missing = await scene.run(['users', 'remove', 'anna', '--yes']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('campaigns users list')]);
  });

  it('ends like any command after Ctrl-C at the question for a password', async (test) => {
    const scene = await openScene(test);
    const asked = scene.start(['users', 'add', 'anna', '--role', 'admin'], terminal, 'pipe');
    asked.child.stdin?.write('\u0003');
    expect(await asked.end()).toMatchObject({ code: 130 });
    expect(asked.output.stderr.join('\n')).toContain('Nothing was changed.');
  });

  it('makes the first user an admin, and says so', async (test) => {
    const scene = await openScene(test);
    writeFileSync(join(scene.folder, 'password'), 'four words of a test');
    const first = await scene.run([
      'users',
      'add',
      'anna',
      '--role',
      'viewer',
      '--password-file',
      'password',
    ]);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('anna may sign in now, as admin.'),
    });
    expect(first.stdout).toContain('The first user is always an admin.');
  });

  it('takes the password from a pipe, and never waits for one without a terminal', async (test) => {
    const scene = await openScene(test);
    const piped = scene.start(
      ['users', 'add', 'anna', '--role', 'admin', '--password-file', '-'],
      {},
      'pipe',
    );
    piped.child.stdin?.end('four words of a test\n');
    expect(await piped.end()).toEqual({ code: 0, signal: null });
    const asked = await scene.run(['users', 'add', 'lin', '--role', 'viewer']);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('--password-file FILE')]);
    const missing = await scene.run(['users', 'add', 'lin', '--role', 'viewer', '--password-file', 'none']);
    expect(missing.stderr).toContain('--password-file none: ');
    const role = await scene.run(['users', 'add', 'lin', '--role', 'owner']);
    expect([role.code, role.stderr]).toEqual([
      2,
      expect.stringContaining('viewer, editor, approver, operator, admin'),
    ]);
  });
});

describe('the audit of commands', () => {
  it('tells what commands changed, and nothing of those that changed nothing', async (test) => {
    const scene = await openScene(test);
    const { url: REDIS_URL } = await startLedgerRedis(test, scene.folder);
    const run = async (...args: string[]) => (await scene.run(args, { REDIS_URL })).code;
    await run('import', scene.manifest([videoRow('a'), videoRow('b')]));
    for (const args of [['pause'], ['pause'], ['resume'], ['retry'], ['cancel', '--yes']])
      await run(...args, 'c1');
    await run('list');
    await run('rate-limits', 'createCreatorPost', '300/min');
    await run('rate-limits');
    writeFileSync(join(scene.folder, 'videos.csv'), 'video_url\nhttps://video.example/@anna/huge/1\n');
    await run('videos', 'import', 'videos.csv');
    await run('videos', 'scrape');
    await run('delete', 'c1', '--force', '--yes');

    const redis = new Redis(REDIS_URL.replace('unix://', ''));
    test.onTestFinished(() => redis.disconnect());
    const { entries } = await readAudit({ ledger: createLedger({ redis, prefix: '{campaigns}' }) });
    expect(entries.toReversed().map(({ by, what }) => [by.replace(/^campaigns /, ''), what])).toEqual([
      ['import posts.csv', 'Imported posts as c1: 2 rows.'],
      ['pause c1', 'Paused c1.'],
      ['resume c1', 'Resumed c1.'],
      ['cancel --yes c1', 'Cancelled 2 rows of c1.'],
      ['rate-limits createCreatorPost 300/min', 'Changed the rate limit of createCreatorPost to 5/s.'],
      ['videos import videos.csv', 'Added 1 video to the watch list.'],
      ['videos scrape', 'Started update 1 of 1 video.'],
      ['delete c1 --force --yes', 'Deleted c1.'],
    ]);
    expect(entries[0]).toMatchObject({ who: systemUser(), from: expect.stringMatching(/^terminal on ./) });
  });
});
