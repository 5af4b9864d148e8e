import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { freePort } from '../support/ports.ts';
import { finished, meanwhile, openScene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';
import { readSheet } from '../support/sheets/sheet.ts';

const rows = [videoRow('1'), videoRow('2')];
const wrongRow = videoRow('wrong', { creator: 'nobody-of-this-name' });

describe('campaigns run', () => {
  it('ends with 0 when all is posted', async (test) => {
    const scene = await openScene(test);
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('ends with 0 if an interrupt comes so late that all is posted', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold' });
    const run = scene.start(['run', scene.manifest([videoRow('1')])]);
    await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
    run.kill('SIGINT');
    await run.errorLine(/Finishing what is under way/);
    scene.sandbox.release();
    expect((await finished(run)).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('refuses a finished manifest without --again', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest(rows);
    await scene.run(['run', file]);
    const twice = await scene.run(['run', file]);
    expect(twice).toMatchObject({ code: 2, stdout: '' });
    expect(twice.stderr).toMatch(/campaign c1[\s\S]*--again/);
    expect(scene.sandbox.effects().posts).toHaveLength(2);

    const again = await scene.run(['run', file, '--again', '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ id: 'c2', counts: { posted: 2 } });
    expect(scene.sandbox.effects().posts).toHaveLength(4);
  });

  it('sends nothing while the manifest has problems, names them all, and ends with 1', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([...rows, wrongRow, videoRow('untitled', { product_title: '' })]);
    const ended = await scene.run(['run', file, '--json']);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      rows: 4,
      problems: [
        { line: 4, key: 'wrong', column: 'creator' },
        { line: 5, key: 'untitled', column: 'product_title' },
      ],
    });
    expect(new Set(scene.sandbox.calls().map(({ operation }) => operation))).toEqual(
      new Set(['listCreatorAccounts']),
    );
    const list = await scene.run(['list', '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject({ campaigns: [] });
  });

  it('with --skip-invalid posts the good rows, writes the others to a file, and ends with 3', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([...rows, wrongRow]);
    const ended = await scene.run(['run', file, '--skip-invalid', '--json']);
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 2, counts: { posted: 2 }, leftOut: 1 });
    expect(readSheet(join(scene.folder, 'posts.problems.csv')).rows.map(({ key }) => key)).toEqual(['wrong']);
    expect((await scene.run(['show', 'c1'])).stdout).toContain('1 row of the sheet was skipped');
    expectAgreement(scene.sandbox, scene.results());
  });

  it('with --name names both files so', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([...rows, wrongRow]);
    expect((await scene.run(['run', file, '--skip-invalid', '--name', 'spring'])).code).toBe(3);
    expect(readSheet(join(scene.folder, 'spring.problems.csv')).rows).toHaveLength(1);
    const statuses = scene.results('spring.results.csv').rows.map(({ status }) => status);
    expect(statuses).toEqual(['posted', 'posted', 'skipped']);
  });

  it('writes the results to the given file, under the given name', async (test) => {
    const scene = await openScene(test);
    const ended = await scene.run([
      'run',
      scene.manifest(rows),
      '--out',
      'out/sheet.csv',
      '--name',
      'Spring',
      '--json',
    ]);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      name: 'Spring',
      results: join(scene.folder, 'out/sheet.csv'),
    });
    expect(scene.results('out/sheet.csv').rows).toHaveLength(2);
    expect(existsSync(join(scene.folder, 'posts.results.csv'))).toBe(false);
  });

  it('takes media from another folder', async (test) => {
    const scene = await openScene(test);
    scene.manifest([videoRow('1', { media: 'elsewhere/1.mp4' })]);
    const file = scene.manifest([videoRow('1')]);
    expect((await scene.run(['run', file, '--media-root', 'elsewhere'])).code).toBe(0);
    const missing = await scene.run(['run', file, '--again', '--media-root', 'nowhere']);
    expect(missing.code).toBe(2);
  });

  it('without a file reports that nothing is unfinished, and refuses --out', async (test) => {
    const scene = await openScene(test);
    const nothing = await scene.run(['run', '--json']);
    expect(nothing.code).toBe(0);
    expect(JSON.parse(nothing.stdout)).toEqual({ campaigns: [] });
    expect((await scene.run(['run', '--out', 'sheet.csv'])).code).toBe(2);
  });

  it('with --out and nothing unfinished, names the campaign that ended last, and how to get its sheet', async (test) => {
    const scene = await openScene(test);
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(0);
    const { code, stderr } = await scene.run(['run', '--out', 'sheet.csv']);
    expect(code).toBe(2);
    expect(stderr).toContain('c1 (posts) ended last');
    expect(stderr).toMatch(/^ *campaigns report --out sheet\.csv c1$/m);
  });
});

describe('a key that is refused', () => {
  it('pauses the campaign (4); with a good key it goes on', async (test) => {
    const scene = await openScene(test);
    const key = { CREATOR_API_KEY: 'sandbox-key-no-post' };
    const paused = await scene.run(['run', scene.manifest(rows), '--json'], key);
    expect(paused.code).toBe(4);
    expect(JSON.parse(paused.stdout)).toMatchObject({ state: 'paused', paused: { code: 'key_refused' } });
    expect((await scene.run(['run'])).code).toBe(4);
    expect(scene.sandbox.effects().posts).toEqual([]);

    const resumed = await scene.run(['resume', 'c1', '--json']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ id: 'c1', state: 'running', was: 'paused' });
    expect((await scene.run(['run'])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('at the start ends with 2', async (test) => {
    const scene = await openScene(test);
    const ended = await scene.run(['run', scene.manifest(rows)], { CREATOR_API_KEY: 'wrong-key' });
    expect(ended.code).toBe(2);
    expect(ended.stderr).not.toContain('wrong-key');
  });

  it('is in no output or file', async (test) => {
    const scene = await openScene(test, { sandbox: { apiKey: 'canary-key-8d1f' } });
    scene.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'status',
      status: 400,
      body: { code: 9, message: 'bad canary-key-8d1f' },
    });
    const { stdout, stderr } = await scene.run(['run', scene.manifest(rows)], { LOG_LEVEL: 'trace' });
    const appendOnly = readFileSync(join(scene.dataDir, 'campaigns.log'), 'utf8');
    const results = readFileSync(join(scene.folder, 'posts.results.csv'), 'utf8');
    for (const text of [stdout, stderr, appendOnly, results]) expect(text).not.toContain('canary-key-8d1f');
    expect(results).toContain('[key]');
  });
});

describe.concurrent('wrong usage and settings end with 2', () => {
  it.for<readonly [name: string, args: readonly string[], env: Record<string, string>, says: RegExp]>([
    ['an unknown option', ['run', 'posts.csv', '--nonsense'], {}, /nonsense/],
    ['an unknown command', ['fly'], {}, /fly/],
    ['a missing manifest', ['run', 'missing.csv'], {}, /missing\.csv/],
    ['an unknown campaign', ['show', 'c9'], {}, /c9/],
    ['a missing address of the service', ['run', 'posts.csv'], { CREATOR_API_URL: '' }, /CREATOR_API_URL/],
    ['an address that is not a URL', ['run', 'posts.csv'], { CREATOR_API_URL: 'here' }, /CREATOR_API_URL/],
    ['a missing key', ['run', 'posts.csv'], { CREATOR_API_KEY: '' }, /CREATOR_API_KEY/],
    ['a missing settings file', ['run', 'posts.csv'], { CAMPAIGNS_CONFIG: 'none.json' }, /none\.json/],
    ['a wrong setting', ['run', 'posts.csv', '--config', 'wrong.json'], {}, /window.*"many"/],
    ['a report without a file', ['report', 'c1'], {}, /--out/],
  ])('%s', async ([, args, env, says], test) => {
    const scene = await openScene(test);
    scene.manifest(rows);
    writeFileSync(join(scene.folder, 'wrong.json'), '{ "window": "many" }');
    const ended = await scene.run(args, env);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).not.toContain('defect');
  });

  it('a service that does not answer', async (test) => {
    const scene = await openScene(test);
    const CREATOR_API_URL = `http://127.0.0.1:${await freePort()}`;
    const ended = await scene.run(['run', scene.manifest(rows)], { CREATOR_API_URL });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('not reachable');
  });

  it('a Redis that does not answer', async (test) => {
    const scene = await openScene(test);
    const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
    const ended = await scene.run(['run', scene.manifest(rows)], { REDIS_URL });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/redis/i);
  });
});
