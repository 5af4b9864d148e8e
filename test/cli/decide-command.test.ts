import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandSchemas } from '../../src/cli/documents.ts';
import { openScene, playOnce, terminal } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';
import { writeSheet } from '../support/sheets/sheet.ts';

const keys = ['a', 'b', 'c'] as const;

describe('campaigns decide', () => {
  /** Three rows whose posts exist, but whose answers were lost; `summary` is what the run printed. */
  const played = playOnce(async (owner) => {
    const scene = await openScene(owner);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 3 });
    const { stdout: summary } = await scene.run(['run', scene.manifest(keys.map((key) => videoRow(key)))]);
    await scene.run(['report', 'c1', '--only', 'review', '--out', 'review.csv']);
    const sheet = scene.results('review.csv');
    /** Writes the sheet of rows in review with these cells, by key. */
    const fillIn = (cells: Readonly<Record<string, Readonly<Record<string, string>>>>) => {
      const rows = sheet.rows.map((row) => ({ ...row, ...cells[row.key] }));
      writeSheet(join(scene.folder, 'filled.csv'), rows);
    };
    const document = async (...args: readonly string[]) => {
      const { stdout } = await scene.run(['decide', 'c1', ...args, '--json']);
      return commandSchemas.decide.parse(JSON.parse(stdout));
    };
    return { ...scene, summary, sheet, fillIn, document };
  });

  it('is named for many rows at the end of a run, and by show', async () => {
    const { summary, run } = played();
    const shown = (await run(['show', 'c1'])).stdout;
    for (const text of [summary, shown]) {
      expect(text).toContain('campaigns decide --posted POST_ID -- c1 a');
      expect(text).toContain('campaigns decide --not-posted --error outcome_unknown c1');
    }
  });

  it('shows what it would decide', async () => {
    const { run, document } = played();
    const { stdout, code } = await run(['decide', 'c1', '--not-posted', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing was decided. This would decide 3 rows: a, b, c');
    expect(stdout).toContain(
      '3 rows without proof that the post does not exist (a, b, c): the publishing records',
    );
    expect(await document('--not-posted', '--dry-run')).toMatchObject({
      id: 'c1',
      decision: 'not-posted',
      matched: 3,
      states: { waiting: 3 },
      left: 0,
      leftOut: [],
      unproven: [{ rows: 3 }],
      dryRun: true,
    });
  });

  it('prints the number for a script, and why the rows are in review', async () => {
    const { stdout } = await played().run(['decide', 'c1', '--not-posted', '--dry-run']);
    expect(stdout).toContain('campaigns decide --not-posted --expect 3 c1');
    expect(stdout).toMatch(
      / {2}3 rows outcome_unknown, in review since \w+ \d+ \w+, [\d:]+ \(\S+\) or later: /,
    );
  });

  it('says that no row matches, and proposes no command for none', async () => {
    const { stdout } = await played().run(['decide', 'c1', '--not-generated', '--dry-run']);
    expect(stdout).toContain('No rows in review match.');
    expect(stdout).not.toContain('--expect');
    const { code, stderr } = await played().run(['decide', 'c1', '--not-generated', '--expect', '2']);
    expect(code).toBe(2);
    expect(stderr).toContain('0 rows in review of c1 match now, not 2');
    expect(stderr).not.toContain('--expect 0');
  });

  it('decides about nothing that a script has not seen', async () => {
    const { run, document } = played();
    const unseen = await run(['decide', 'c1', '--not-posted', '--yes']);
    expect(unseen).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('3 rows in review of c1 match now'),
    });
    expect(unseen.stderr).toContain('campaigns decide --not-posted --expect 3 c1');
    expect(unseen.stderr).toContain('campaigns decide --not-posted --before TIME c1');
    const other = await run(['decide', 'c1', '--not-posted', '--expect', '2']);
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('3 rows in review of c1 match now, not 2'),
    });
    expect(await document('--not-posted', '--before', '2026-01-01T00:00:00Z')).toMatchObject({
      matched: 0,
      left: 3,
    });
    expect(await document('--not-posted', '--dry-run')).toMatchObject({ matched: 3 });
  });

  it('is named when post_id is filled in, and the sheet goes into the campaign', async () => {
    const { run, fillIn } = played();
    fillIn({ a: { post_id: '77' } });
    const { stdout, code } = await run(['run', 'filled.csv', '--into', 'c1', '--dry-run']);
    expect(code).toBe(1);
    expect(stdout).toContain('campaigns decide --posted 77 -- c1 a');
  });

  it.for([
    [['a', '--not-posted', '--dry-run'], '--dry-run cannot go with a row'],
    [['a', '--not-posted', '--expect', '1'], '--expect cannot go with a row'],
    [['--not-posted', '--expect', 'many'], 'It must be a number of rows'],
    [['--not-posted', '--before', '2026-01-01 10:00'], 'has no time zone'],
    [['--not-posted', '--before', '2999-01-01T00:00:00Z'], 'is in the future'],
    [['a', '--undo', '--not-posted'], '--not-posted cannot go with --undo'],
    [['--posted', '77'], 'but no row is given'],
    [['--undo'], 'but no row is given'],
    [[], 'a decision without a row needs'],
    [['9', '--not-posted'], 'no row 9'],
    [['a', '--generated', 's1'], 'a decision about its post'],
    [['a', '--posted', 'two words'], 'without spaces'],
    [['a', '--posted', 'https://www.tiktok.com/@x/video/730000041'], 'not a link'],
    [['a', '--posted', 'a/b'], '/ : ? &'],
    [['a', '--posted', 'p1', '--not-posted'], 'exactly one'],
    [['a'], 'exactly one'],
  ] as const)('refuses %j', async ([args, message]) => {
    const refused = await played().run(['decide', 'c1', ...args]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('marks a row as posted, and takes the decision back', async () => {
    const { run, document, sandbox, results } = played();
    const post = sandbox.effects().posts.find(({ title }) => title === 'Caption a');
    const decided = await run(['decide', 'c1', 'a', '--posted', post?.postId ?? '']);
    expect(decided).toMatchObject({ code: 0 });
    expect(await document('a', '--undo')).toEqual({ id: 'c1', row: 'a', state: 'review', undone: true });
    await run(['report', 'c1', '--out', 'after.csv']);
    expect(results('after.csv').rows).toMatchObject(
      keys.map((key) => ({ key, status: 'review', post_id: '' })),
    );
  });
});

describe('campaigns decide on a terminal', () => {
  it('shows the rows, asks, and decides about exactly these', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 3 });
    await scene.run(['run', scene.manifest(keys.map((key) => videoRow(key)))]);
    await scene.run(['decide', 'c1', 'c', '--posted', '77']);

    const asked = scene.start(['decide', 'c1', '--not-posted'], terminal, 'pipe');
    await asked.line(/^This decides 2 rows: a, b$/);
    await asked.line(/^ {2}2 rows outcome_unknown, in review since /);
    await scene.run(['decide', 'c1', 'c', '--undo']);
    asked.child.stdin?.end('y\n');
    expect(await asked.end()).toMatchObject({ code: 0 });
    expect(asked.output.stdout.join('\n')).toContain('Decided 2 rows: a, b');
    const { counts } = JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout);
    expect(counts).toMatchObject({ waiting: 2, review: 1 });
  });

  it('decides nothing if the answer is not yes, which is no error', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    await scene.run(['run', scene.manifest([videoRow('a')])]);
    const unasked = await scene.run(['decide', 'c1', '--not-posted', '--yes'], terminal);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--expect 1') });
    const asked = scene.start(['decide', 'c1', '--not-posted'], terminal, 'pipe');
    asked.child.stdin?.end('\n');
    expect(await asked.end()).toMatchObject({ code: 0 });
    expect(asked.output.stderr.join('\n')).toMatch(/Nothing was changed\.$/);
    expect(asked.output.stderr.join('\n')).not.toContain('campaigns: ');
    const { counts } = JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout);
    expect(counts).toMatchObject({ review: 1 });
  });
});
