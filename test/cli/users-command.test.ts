import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { readAudit } from '../../src/access/audit.ts';
import {
  type AccessCommandDocument,
  type AccessCommandName,
  accessCommandSchemas,
} from '../../src/access/users.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { systemUser } from '../../src/runtime/machine.ts';
import { openScene } from '../support/processes/scene.ts';
import { startLedgerRedis } from '../support/redis/redis-server.ts';
import { videoRow } from '../support/sheets/rows.ts';

describe('campaigns users', { timeout: 60_000 }, () => {
  it('adds, lists, changes and removes users, and notes it', async (test) => {
    const scene = await openScene(test);
    const file = join(scene.folder, 'password');
    writeFileSync(file, 'four words of a test\n');
    const passwordFile = ['--password-file', file];
    async function run<Name extends AccessCommandName>(command: Name, ...args: string[]) {
      const { code, stdout, stderr } = await scene.run([...command.split(' '), ...args, '--json']);
      expect(code, stderr).toBe(0);
      return accessCommandSchemas[command].parse(JSON.parse(stdout)) as AccessCommandDocument<Name>;
    }
    expect(await run('users add', 'Anna', '--role', 'operator', ...passwordFile)).toEqual({
      name: 'anna',
      role: 'operator',
    });
    const made = await run('users token', 'anna');
    const token = 'token' in made ? made.token : '';
    expect(token.startsWith(made.prefix)).toBe(true);
    expect(await run('users list')).toMatchObject({
      users: [{ name: 'anna', role: 'operator', tokens: [{ prefix: made.prefix }] }],
    });
    expect(await run('users token', 'anna', '--remove', made.prefix)).toEqual({
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
    const last = await scene.run(['users', 'remove', 'anna']);
    expect([last.code, last.stderr]).toEqual([
      2,
      expect.stringContaining('campaigns users add NAME --role operator'),
    ]);
    const shown = await scene.run(['users', 'remove', 'lin']);
    expect(shown.stdout).not.toContain('There is no user now');
    expect(await run('users remove', 'anna')).toEqual({ name: 'anna', removed: true });
    expect(await run('users list')).toEqual({ users: [] });
    const missing = await scene.run(['users', 'remove', 'anna']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('campaigns users list')]);
  });

  it('takes the password from a pipe, and never waits for one without a terminal', async (test) => {
    const scene = await openScene(test);
    const piped = scene.start(
      ['users', 'add', 'anna', '--role', 'viewer', '--password-file', '-'],
      {},
      'pipe',
    );
    piped.child.stdin?.end('four words of a test\n');
    expect(await piped.end()).toEqual({ code: 0, signal: null });
    const asked = await scene.run(['users', 'add', 'lin', '--role', 'viewer']);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('--password-file FILE')]);
    const missing = await scene.run(['users', 'add', 'lin', '--role', 'viewer', '--password-file', 'none']);
    expect(missing.stderr).toContain('--password-file none: ');
    const role = await scene.run(['users', 'add', 'lin', '--role', 'admin']);
    expect([role.code, role.stderr]).toEqual([2, expect.stringContaining('viewer, operator')]);
  });
});

describe('the audit of commands', () => {
  it('tells what commands changed, and nothing of those that changed nothing', async (test) => {
    const scene = await openScene(test);
    const { url: REDIS_URL } = await startLedgerRedis(test, scene.folder);
    const run = async (...args: string[]) => (await scene.run(args, { REDIS_URL })).code;
    await run('import', scene.manifest([videoRow('a'), videoRow('b')]));
    for (const args of [['pause'], ['pause'], ['resume'], ['retry'], ['cancel']]) await run(...args, 'c1');
    await run('list');
    await run('rate-limits', 'createCreatorPost', '300/min');
    await run('rate-limits');
    await run('delete', 'c1', '--force');

    const redis = new Redis(REDIS_URL.replace('unix://', ''));
    test.onTestFinished(() => redis.disconnect());
    const { entries } = await readAudit({ ledger: createLedger({ redis, prefix: '{campaigns}' }) });
    expect(entries.toReversed().map(({ by, what }) => [by.replace(/^campaigns /, ''), what])).toEqual([
      ['import posts.csv', 'Imported posts as c1: 2 rows.'],
      ['pause c1', 'Paused c1.'],
      ['resume c1', 'Resumed c1.'],
      ['cancel c1', 'Cancelled 2 rows of c1.'],
      ['rate-limits createCreatorPost 300/min', expect.stringContaining('createCreatorPost: 5/s')],
      ['delete c1 --force', 'Deleted c1 (posts).'],
    ]);
    expect(entries[0]).toMatchObject({ who: systemUser(), from: expect.stringMatching(/^terminal on ./) });
  });
});
