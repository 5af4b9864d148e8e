import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { openScene, playOnce, type Scene } from '../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';

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

describe('looking at campaigns', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    expect((await opened.run(['run', opened.manifest(rows, 'first.csv')])).code).toBe(3);
    expect((await opened.run(['run', opened.manifest([videoRow('later')], 'second.csv')])).code).toBe(0);
    return opened;
  });

  it('list shows all, newest first', async () => {
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

  it('show groups rows by cause, with the command that edits them', async () => {
    const { causes } = await documentOf<{ causes: { code: string }[] }>(scene(), 'show', 'c1');
    expect(causes.map(({ code }) => code).sort()).toEqual(['16001001', '40101', 'generation_failed']);
    const { stdout } = await scene().run(['show', 'c1']);
    expect(stdout).toContain('campaigns retry --error generation_failed c1');
    // The service refuses the product again as long as the row names it.
    expect(stdout).not.toContain('campaigns retry --error 16001001 c1');
    expect(stdout).toContain('campaigns report --only failed --error 16001001 --out c1.16001001.csv c1');
    expect(stdout).toContain('campaigns resume --creator demo_ines c1');
  });

  it('report --error writes the rows of one cause only', async () => {
    const asked = ['--only', 'failed', '--error', '16001001', '--out', 'refused.csv'];
    expect(await documentOf(scene(), 'report', 'c1', ...asked)).toMatchObject({ rows: 1 });
    expect(scene().results('refused.csv').rows).toMatchObject([{ key: 'refused', status: 'failed' }]);
  });

  it('report writes the same sheet as the run', async () => {
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

describe('what a retry would take', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    const refused = { operation: 'createCreatorPost', kind: 'code', code: 50_001 } as const;
    for (const title of ['Caption file', 'Caption shown'])
      opened.sandbox.faults.add({ ...refused, match: { title } });
    opened.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'lost-answer',
      match: { title: 'Caption doubtful' },
    });
    const manifest = opened.manifest([
      videoRow('good'),
      videoRow('file'),
      aiVideoRow('shown', { creator: 'demo_ben' }),
      aiVideoRow('failing', { creator: 'demo_ben', ai_prompt: '[fail] a video' }),
      videoRow('doubtful'),
    ]);
    expect((await opened.run(['run', manifest])).code).toBe(3);
    return opened;
  });

  it('is the remaining calls and the missing AI outputs', async () => {
    expect(await documentOf(scene(), 'retry', 'c1', '--dry-run')).toMatchObject({
      matched: 3,
      rows: 0,
      plan: {
        calls: {
          createAiGenerationSchedule: 1,
          listAiTasksByScheduleId: 1,
          createFileUpload: 1,
          createCreatorPost: 3,
        },
        aiOutputs: 1,
        paidBefore: 1,
      },
    });
  });

  it('needs no generation for a row with assets', async () => {
    const { plan } = await documentOf<{ plan: object }>(
      scene(),
      'retry',
      'c1',
      '--dry-run',
      '--row',
      'shown',
    );
    expect(plan).toEqual({ calls: { createCreatorPost: 1 }, aiOutputs: 0, paidBefore: 0 });
  });

  it('shows the rows left out, and the decision that one of them needs', async () => {
    const { leftOut } = await documentOf<{ leftOut: object[] }>(
      scene(),
      ...['retry', 'c1', '--dry-run', '--error', '50001'],
    );
    expect(leftOut).toMatchObject([
      { state: 'posted', rows: 1 },
      { state: 'failed', rows: 1 },
      {
        state: 'review',
        rows: 1,
        commands: [expect.stringContaining('decide --posted POST_ID -- c1 doubtful'), expect.any(String)],
      },
    ]);
  });

  it.for([
    ['good', 'posted'],
    ['doubtful', 'review'],
  ] as const)('leaves out the row %s as %s', async ([row, state]) => {
    const found = await documentOf(scene(), 'retry', 'c1', '--row', row);
    expect(found).toMatchObject({ matched: 0, rows: 0, leftOut: [{ state, rows: 1 }] });
  });

  it('is wrong usage for an unknown row', async () => {
    const refused = await scene().run(['retry', 'c1', '--row', 'nobody']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no row nobody') });
  });

  it('lists possible filters if nothing matches', async () => {
    const { stdout } = await scene().run(['retry', 'c1', '--error', 'nothing', '--creator', 'nobody']);
    expect(stdout).toContain('No failed row of c1 has the code nothing and the creator nobody.');
    expect(stdout).not.toContain('skipped');
    expect(stdout).toMatch(/codes of failed rows: .*generation_failed/);
    expect(stdout).toMatch(/creators of failed rows: .*demo_/);
  });

  it('is also printed in words', async () => {
    const { stdout } = await scene().run(['retry', 'c1', '--dry-run']);
    expect(stdout).toContain('3 rows would be retried.');
    expect(stdout).toContain('1 AI output would be generated again.');
    expect(stdout).toContain('1 row in review: must be decided first');
  });
});

describe('campaigns that pause themselves', () => {
  it('--canary: posts so many rows first, the others after resume', async (test) => {
    const scene = await openScene(test);
    const keys = ['1', '2', '3', '4', '5'];
    const file = scene.manifest(keys.map((key) => videoRow(key)));
    const first = await scene.run(['run', file, '--canary', '2']);
    expect(first).toMatchObject({ code: 4, stdout: expect.stringContaining('campaigns resume c1') });
    expect(scene.sandbox.effects().posts).toHaveLength(2);
    expect(await documentOf(scene, 'show', 'c1')).toMatchObject({ canary: 2, paused: { code: 'canary' } });
    for (const command of [['list'], ['watch', 'c1', '--once']]) {
      const { stdout } = await scene.run(command);
      expect(stdout).toMatch(/^ {2}The first 2 rows have ended\..*\n {2}Resume:\n {4}campaigns resume c1$/m);
    }
    expect((await scene.run(['resume', 'c1'])).code).toBe(0);
    const second = await scene.run(['run', file, '--canary', '1']);
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('without --canary 1') });
    expectAgreement(scene.sandbox, scene.results());
  });

  it('--stop-after: pauses instead of failing every row', async (test) => {
    const scene = await openScene(test, { settings: { window: 10, concurrency: { post: 2 } } });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'code', code: 50_001, times: 'always' });
    const rows = Array.from({ length: 60 }, (_, index) => videoRow(`${index}`));
    expect((await scene.run(['run', scene.manifest(rows), '--stop-after', '10%'])).code).toBe(4);
    const { paused, counts } = await documentOf<{
      readonly paused: { readonly code: string };
      readonly counts: Readonly<Record<string, number>>;
    }>(scene, 'show', 'c1');
    expect(paused.code).toBe('stop_after');
    expect(counts.failed).toBeGreaterThanOrEqual(20);
    expect(counts.failed).toBeLessThan(40);
  });

  it.for([
    ['--canary', '0'],
    ['--canary', '1.5'],
    ['--stop-after', '100'],
    ['--stop-after', 'half'],
  ])('refuses %s %s', async ([flag, value], test) => {
    const scene = await openScene(test);
    const refused = await scene.run(['run', scene.manifest([videoRow('1')]), flag ?? '', value ?? '']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(flag ?? '') });
  });
});

describe('repairing campaigns', () => {
  it('retry does rows again, but no finished step', async (test) => {
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

  it('resume --creator goes on with a creator who authorized again', async (test) => {
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

describe('campaigns worker', () => {
  it('refuses an unknown queue', async (test) => {
    const scene = await openScene(test);
    const ended = await scene.run(['worker', '--queues', 'upload,fly']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('fly');
  });
});
