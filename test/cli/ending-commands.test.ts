import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { readAudit } from '../../src/app/access/audit.ts';
import { commandSchemas } from '../../src/cli/documents.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { expectAgreement } from '../support/agreement.ts';
import { openScene } from '../support/processes/scene.ts';
import { startLedgerRedis } from '../support/redis/redis-server.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';

describe('campaigns pause', () => {
  it('says that an ended campaign cannot be paused', async (test) => {
    const scene = await openScene(test);
    await scene.run(['run', scene.manifest([videoRow('1')])]);
    const paused = await scene.run(['pause', 'c1']);
    expect(paused).toMatchObject({ code: 0, stdout: expect.stringContaining('has ended') });
  });
});

describe('campaigns cancel', () => {
  it('shows in later runs of the manifest, retries and looks', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'code', code: 50_001, times: 'always' });
    const file = scene.manifest([videoRow('1'), videoRow('2')]);
    expect((await scene.run(['run', file, '--canary', '1'])).code).toBe(4);
    expect(await scene.run(['cancel', 'c1'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/nothing was done.*1 row will not be posted.*add --yes/s),
    });
    const cancelled = await scene.run(['cancel', 'c1', '--yes', '--json']);
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ was: 'paused', state: 'ended', cancelled: 1 });
    const again = await scene.run(['run', file]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('cancelled') });
    const retried = await scene.run(['retry', 'c1']);
    expect(retried).toMatchObject({ code: 2, stderr: expect.stringContaining('c1 was cancelled') });
    const shown = await scene.run(['show', 'c1']);
    expect(shown.stdout).toContain('was cancelled');
    for (const { stdout, stderr } of [again, retried, shown]) {
      expect(stdout + stderr).toContain('campaigns report --only cancelled,failed --out c1.rest.csv c1\n');
    }
    // No command can edit its failed row any more.
    expect(shown.stdout).not.toContain('--into');
  });

  it('with --dry-run needs no writes', async (test) => {
    const scene = await openScene(test);
    const { url: REDIS_URL } = await startLedgerRedis(test, scene.folder);
    await scene.run(['import', scene.manifest([videoRow('1')])], { REDIS_URL });
    const redis = new Redis(REDIS_URL.replace('unix://', ''));
    test.onTestFinished(() => redis.disconnect());
    await redis.config('SET', 'maxmemory', '1mb');
    const { code, stdout, stderr } = await scene.run(['cancel', 'c1', '--dry-run'], { REDIS_URL });
    expect([code, stdout]).toEqual([0, 'If c1 is cancelled, 1 row will not be posted.']);
    expect(stderr).not.toContain('Waiting');
  });
});

describe('campaigns cancel of rows', () => {
  /** A posted row, and two that wait for their approval. */
  async function openRows(test: Parameters<typeof openScene>[0]) {
    const scene = await openScene(test);
    const rows = [videoRow('done', { approve: 'none' }), videoRow('a'), videoRow('b')];
    expect((await scene.run(['run', scene.manifest(rows), '--approve', 'all'])).code).toBe(0);
    const states = async () => JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout).counts;
    return { ...scene, states };
  }

  it('examines all of them first, cancels those that it can, and reports each', async (test) => {
    const { run, states } = await openRows(test);
    const { code, stdout } = await run(['cancel', 'c1', 'a', 'done', '--yes']);
    expect(code).toBe(3);
    expect(stdout).toContain('Row a of c1 is cancelled.');
    expect(stdout).toContain('Row done is posted: only a waiting or ready row can be cancelled.');
    expect(await states()).toMatchObject({ posted: 1, ready: 1, cancelled: 1 });
    const document = JSON.parse((await run(['cancel', 'c1', 'b', 'done', '--yes', '--json'])).stdout);
    expect(document).toEqual({
      id: 'c1',
      cancelled: ['b'],
      refused: [{ key: 'done', refused: 'row done is posted: only a waiting or ready row can be cancelled' }],
    });
  });

  it('--dry-run says what it would cancel, also as JSON, and cancels nothing', async (test) => {
    const { run, states } = await openRows(test);
    const { code, stdout } = await run(['cancel', 'c1', 'a', 'done', '--dry-run']);
    expect(code).toBe(3);
    expect(stdout).toContain('Would cancel row a of c1.');
    expect(stdout).toContain('Row done is posted');
    const { stdout: json } = await run(['cancel', 'c1', 'a', '--dry-run', '--json']);
    expect(commandSchemas.cancel.parse(JSON.parse(json))).toEqual({
      id: 'c1',
      cancelled: ['a'],
      refused: [],
      dryRun: true,
    });
    expect(await states()).toMatchObject({ ready: 2, cancelled: 0 });
  });
});

describe('campaigns cancel --dry-run', () => {
  it('says which outputs are paid for and would not be used, and changes nothing', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'status',
      status: 401,
      times: 'always',
    });
    const file = scene.manifest([aiVideoRow('1'), aiVideoRow('2')]);
    expect((await scene.run(['run', file])).code).toBe(4);
    const preview = await scene.run(['cancel', 'c1', '--dry-run']);
    expect(preview).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'If c1 is cancelled, 2 rows will not be posted. 2 AI outputs are paid for and will not be used.',
      ),
    });
    const shown = await scene.run(['show', 'c1', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'paused' });
  });
});

describe('campaigns cancel of an ended campaign', () => {
  it('is the end of its rows in review: what is decided as not posted is cancelled', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    await scene.run(['run', scene.manifest([videoRow('1'), videoRow('2')])]);
    const cancelled = await scene.run(['cancel', 'c1', '--yes']);
    expect(cancelled.stdout).toContain('c1 is cancelled: 1 row in review will not be resent.');
    const again = await scene.run(['cancel', 'c1', '--yes', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ was: 'ended', cancelled: 0, review: 0 });
    const decided = await scene.run(['decide', 'c1', '--not-posted', '--expect', '1', '--json']);
    expect(JSON.parse(decided.stdout)).toMatchObject({ states: { cancelled: 1 } });
  });
});

describe('the rows of a cancelled campaign', () => {
  it('can be posted by the commands that cancel prints, once the column campaign is removed', async (test) => {
    const scene = await openScene(test);
    const rows = ['1', '2', '3'].map((key) => {
      const { creator = '', ...others } = videoRow(key, { scheduled_at: '2099-01-01 10:00' });
      return { Who: creator, ...others };
    });
    const options = ['--map', 'Who=creator', '--timezone', 'UTC', '--canary', '1'];
    expect((await scene.run(['run', scene.manifest(rows), ...options])).code).toBe(4);
    const { stdout } = await scene.run(['cancel', 'c1', '--yes']);
    const [report, run, ...others] = stdout.split('\n').filter((line) => line.startsWith('  campaigns '));
    expect(others).toEqual([]);
    expect(report).toBe('  campaigns report --only cancelled --out c1.rest.csv c1');
    const argumentsOf = (line = '') => line.trim().split(' ').slice(1);
    await scene.run(argumentsOf(report));
    expect((await scene.run(argumentsOf(run))).code).toBe(1);
    const rest = scene.results('c1.rest.csv').rows.map(({ campaign: _campaign, ...row }) => row);
    scene.manifest(rest, 'c1.rest.csv');
    const ended = await scene.run(argumentsOf(run));
    expect(ended.code).toBe(0);
    expect(
      scene.sandbox
        .effects()
        .posts.map(({ title }) => title)
        .sort(),
    ).toEqual(['Caption 1', 'Caption 2', 'Caption 3']);
  });
});

describe('campaigns delete', () => {
  it('writes the sheet first; a new run needs --again and uploads nothing twice', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([videoRow('1')]);
    expect((await scene.run(['run', file])).code).toBe(0);
    const deleted = await scene.run(['delete', 'c1', '--export', 'kept.csv', '--yes']);
    expect(deleted.code, deleted.stderr).toBe(0);
    expectAgreement(scene.sandbox, scene.results('kept.csv'));
    expect((await scene.run(['show', 'c1'])).code).toBe(2);
    const unawares = await scene.run(['run', file]);
    expect(unawares).toMatchObject({ code: 2, stderr: expect.stringContaining('--again') });
    expect((await scene.run(['run', file, '--again'])).code).toBe(0);
    expect(scene.sandbox.counts()).toMatchObject({ putFile: 1, createCreatorPost: 2 });
  });

  it('leaves standard output to the sheet with --export -', async (test) => {
    const scene = await openScene(test);
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(0);
    const both = await scene.run(['delete', 'c1', '--export', '-', '--yes', '--json']);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('would both write') });
    const { stdout, stderr } = await scene.run(['delete', 'c1', '--export', '-', '--yes']);
    expect(stdout).toMatch(/^\ufeff?key,/);
    expect(stdout).not.toContain('deleted');
    expect(stderr).toContain('c1 was deleted.');
  });

  it('with --cancel says and notes that it was cancelled, also if it cannot be deleted', async (test) => {
    const scene = await openScene(test);
    const { url: REDIS_URL } = await startLedgerRedis(test, scene.folder);
    const run = (...args: string[]) => scene.run(args, { REDIS_URL });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    const file = scene.manifest([videoRow('1'), videoRow('2')]);
    expect((await run('run', file, '--canary', '1')).code).toBe(4);
    const { code, stdout, stderr } = await run('delete', 'c1', '--cancel', '--yes');
    expect(code).toBe(2);
    expect(stdout).toContain('c1 is cancelled: 1 row will not be posted.');
    expect(stderr).toContain('--force');
    const redis = new Redis(REDIS_URL.replace('unix://', ''));
    test.onTestFinished(() => redis.disconnect());
    const { entries } = await readAudit({ ledger: createLedger({ redis, prefix: '{campaigns}' }) });
    expect(entries[0]?.what).toBe('Cancelled 1 row of c1.');
  });

  it('needs --yes without a terminal, and says what would be gone', async (test) => {
    const scene = await openScene(test);
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(0);
    expect(await scene.run(['delete', 'c1'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/nothing was done.*Delete c1 \(posts: .*1 posted.*add --yes/s),
    });
    expect((await scene.run(['show', 'c1'])).code).toBe(0);
  });

  it('names the command that must come first', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    expect(
      (await scene.run(['run', scene.manifest([videoRow('1'), videoRow('2')]), '--canary', '1'])).code,
    ).toBe(4);
    const doubtful = await scene.run(['delete', 'c1']);
    expect(doubtful).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    await scene.run(['resume', 'c1']);
    const unfinished = await scene.run(['delete', 'c1', '--force']);
    expect(unfinished).toMatchObject({ code: 2, stderr: expect.stringContaining('campaigns cancel c1') });
    expect((await scene.run(['delete', 'c1', '--cancel', '--force', '--yes'])).code).toBe(0);
  });
});
