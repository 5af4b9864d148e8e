import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { aiVideoRow, videoRow } from '../support/rows.ts';
import { openScene, playOnce, type Scene } from '../support/scene.ts';

/** Two posted rows and one of each kind of failure. */
const rows = [
  videoRow('good'),
  videoRow('other', { creator: 'demo_ben' }),
  videoRow('refused', { product_id: 'unavailable-1' }),
  aiVideoRow('failing', { creator: 'demo_ben', ai_prompt: '[fail] a video' }),
  videoRow('expired', { creator: 'demo_ines' }),
];

async function documentOf<T>(scene: Scene, ...args: readonly string[]): Promise<T> {
  const { stdout, stderr } = await scene.run([...args, '--json']);
  expect(stderr).not.toContain('defect');
  return JSON.parse(stdout) as T;
}

describe('looking at campaigns', { timeout: 60_000 }, () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    expect((await opened.run(['run', opened.manifest(rows, 'first.csv')])).code).toBe(3);
    expect((await opened.run(['run', opened.manifest([videoRow('later')], 'second.csv')])).code).toBe(0);
    return opened;
  });

  it('list names all, newest first', async () => {
    const { campaigns } = await documentOf<{ campaigns: object[] }>(scene(), 'list');
    expect(campaigns).toMatchObject([
      { id: 'c2', name: 'second', state: 'ended', rows: 1, counts: { posted: 1 } },
      { id: 'c1', name: 'first', state: 'ended', rows: 5, counts: { posted: 2, failed: 3 } },
    ]);
  });

  it('list is a table without --json', async () => {
    const { stdout } = await scene().run(['list']);
    expect(stdout).toMatch(/^ID.*STATE.*\nc2.*second.*\nc1.*first.*2 posted, 3 failed/);
  });

  it('show names causes, with the rows and what to do', async () => {
    const { causes } = await documentOf<{ causes: { code: string }[] }>(scene(), 'show', 'c1');
    expect(causes.map(({ code }) => code).sort()).toEqual(['16001001', '40101', 'generation_failed']);
    const { stdout } = await scene().run(['show', 'c1']);
    expect(stdout).toContain('campaigns retry c1 --error generation_failed');
  });

  it('report writes the sheet anew, as the run wrote it', async () => {
    const path = (await documentOf<{ path: string }>(scene(), 'report', 'c1', '--out', 'again.csv')).path;
    expect(path).toMatch(/again\.csv$/);
    expect(scene().results('again.csv')).toEqual(scene().results('first.results.csv'));
  });

  it.for([
    [['--error', '16001001'], 1],
    [['--creator', 'demo_ines'], 1],
    [['--step', 'showcase'], 2],
    [['--row', 'failing'], 1],
    [['--step', 'showcase', '--creator', 'demo_ben'], 0],
    [[], 3],
  ] as const)('retry --dry-run %s matches %i rows, and changes none', async ([filter, matched]) => {
    const found = await documentOf(scene(), 'retry', 'c1', '--dry-run', ...filter);
    expect(found).toMatchObject({ id: 'c1', matched, rows: 0, dryRun: true });
    const shown = await documentOf(scene(), 'show', 'c1');
    expect(shown).toMatchObject({ state: 'ended', counts: { failed: 3, waiting: 0 } });
  });
});

describe('repairing campaigns', { timeout: 60_000 }, () => {
  it('retry sends rows back, and does not do again what is done', async (test) => {
    const scene = await openScene(test, { settings: { retry: { attempts: 1 } } });
    scene.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'code',
      code: 50_001,
      match: { title: 'Caption 1' },
    });
    expect((await scene.run(['run', scene.manifest([videoRow('1'), videoRow('2')])])).code).toBe(3);
    expect(await documentOf(scene, 'retry', 'c1')).toMatchObject({ matched: 1, rows: 1 });
    expect(await documentOf(scene, 'show', 'c1')).toMatchObject({
      state: 'running',
      counts: { waiting: 1, posted: 1 },
    });
    expect((await scene.run(['run'])).code).toBe(0);
    expect(scene.sandbox.counts()).toMatchObject({
      createFileUpload: 2,
      addSocialShowcaseProducts: 1,
      createCreatorPost: 3,
    });
    expectAgreement(scene.sandbox, scene.results());
  });

  it('retry leaves rows in review alone', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);
    expect(await documentOf(scene, 'retry', 'c1')).toMatchObject({ matched: 0, rows: 0 });
    expect(scene.sandbox.counts().createCreatorPost).toBe(1);
  });

  it('resume --creator takes up a creator who has authorized anew', async (test) => {
    const scene = await openScene(test);
    const keys = ['1', '2', '3'];
    const file = scene.manifest(keys.map((key) => videoRow(key, { creator: 'demo_ines' })));
    expect((await scene.run(['run', file])).code).toBe(3);
    const creator = scene.sandbox.creators().find(({ username }) => username === 'demo_ines');
    if (creator) scene.sandbox.putCreators([{ ...creator, expired: false }]);
    expect(await documentOf(scene, 'resume', 'c1', '--creator', 'demo_ines')).toMatchObject({ rows: 3 });
    expect((await scene.run(['run'])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });
});

describe('campaigns worker', { timeout: 60_000 }, () => {
  it('refuses a queue that there is none of', async (test) => {
    const scene = await openScene(test);
    const ended = await scene.run(['worker', '--queues', 'upload,fly']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('fly');
  });
});
