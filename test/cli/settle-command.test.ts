/** `campaigns decide`: what it takes, prints and writes. `test/campaigns/decisions` has the decisions themselves. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandSchemas } from '../../src/campaigns/documents/commands.ts';
import { encoded } from '../importers/manifest-source.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';
import { sheetText, writeSheet } from '../support/sheets/sheet.ts';

const keys = ['a', 'b', 'c'] as const;

describe('campaigns decide', { timeout: 60_000 }, () => {
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
      const { stdout } = await scene.run(['settle', 'c1', ...args, '--json']);
      return commandSchemas.settle.parse(JSON.parse(stdout));
    };
    return { ...scene, summary, sheet, fillIn, document };
  });

  it('is named for many rows at the end of a run, and by show', async () => {
    const { summary, run } = played();
    const shown = (await run(['show', 'c1'])).stdout;
    for (const text of [summary, shown]) {
      expect(text).toContain(
        'campaigns report c1 --only review --error outcome_unknown --out c1.review.outcome_unknown.csv',
      );
      expect(text).toContain('campaigns decide c1 --from c1.review.outcome_unknown.csv');
      expect(text).toContain('campaigns decide c1 --not-posted --error outcome_unknown');
    }
  });

  it('has its column only in a sheet of rows in review', async () => {
    const { sheet, results } = played();
    expect(sheet.columns.at(-1)).toBe('decision');
    expect(results().columns).not.toContain('decision');
  });

  it('shows what it would decide', async () => {
    const { run, document } = played();
    const { stdout, code } = await run(['settle', 'c1', '--not-posted', '--dry-run']);
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
    expect(stdout).toContain('campaigns decide c1 --not-posted --expect 3');
    expect(stdout).toMatch(/ {2}3 rows outcome_unknown, since \d{4}-\d\d-\d\dT[\d:.]+Z or later: /);
  });

  it('decides about nothing that a script has not seen', async () => {
    const { run, document } = played();
    const unseen = await run(['settle', 'c1', '--not-posted', '--yes']);
    expect(unseen).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('3 rows in review of c1 match now'),
    });
    expect(unseen.stderr).toContain('campaigns decide c1 --not-posted --expect 3');
    expect(unseen.stderr).toContain('campaigns decide c1 --not-posted --before TIME');
    const other = await run(['settle', 'c1', '--not-posted', '--expect', '2']);
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

  it('refuses a sheet with problems, and says what may stand there', async () => {
    const { run, fillIn, document } = played();
    fillIn({ a: { decision: 'yes' }, b: { post_id: '77' } });
    const refused = await run(['settle', 'c1', '--from', 'filled.csv']);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('nothing was decided') });
    expect(refused.stdout).toContain('Write posted POST_ID, or not-posted.');
    expect(refused.stdout).toContain('Write posted 77 into decision.');
    expect(await document('--from', 'filled.csv')).toMatchObject({
      from: 'filled.csv',
      sheetRows: 3,
      problemCounts: { invalid_decision: 1, decision_missing: 1 },
    });
  });

  it('reads a sheet in the encoding that is named', async () => {
    const { run, folder, sheet } = played();
    const [row] = sheet.rows;
    const filled = { ...row, caption: '한국어', decision: 'not-posted' };
    writeFileSync(join(folder, 'korean.csv'), encoded(sheetText([filled]), 'euc-kr'));
    const args = ['settle', 'c1', '--from', 'korean.csv', '--dry-run'];
    const refused = await run(args);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('--encoding euc-kr (a guess)'),
    });
    expect(await run([...args, '--encoding', 'cp949'])).toMatchObject({ code: 0 });
  });

  it('is named when post_id is filled in, and the sheet goes into the campaign', async () => {
    const { run, fillIn } = played();
    fillIn({ a: { post_id: '77' } });
    const { stdout, code } = await run(['run', 'filled.csv', '--into', 'c1', '--dry-run']);
    expect(code).toBe(1);
    expect(stdout).toContain('write "posted 77" into its column decision');
    expect(stdout).toContain('campaigns decide c1 --from SHEET');
  });

  it('is not read by an import into the campaign', async () => {
    const { run, fillIn } = played();
    fillIn({ a: { decision: 'posted 77' } });
    const { stdout } = await run(['run', 'filled.csv', '--into', 'c1', '--dry-run']);
    expect(stdout).toContain('3 in review, refused');
    expect(stdout).not.toContain('decision_needed');
  });

  it.for([
    [['a', '--not-posted', '--from', 'review.csv'], '--from cannot go with a row'],
    [['a', '--not-posted', '--dry-run'], '--dry-run cannot go with a row'],
    [['a', '--not-posted', '--expect', '1'], '--expect cannot go with a row'],
    [['--not-posted', '--expect', 'many'], 'It must be a number of rows'],
    [['--not-posted', '--before', '2026-01-01 10:00'], 'has no time zone'],
    [['--not-posted', '--before', '2999-01-01T00:00:00Z'], 'is in the future'],
    [['a', '--undo', '--not-posted'], '--not-posted cannot go with --undo'],
    [['--from', 'review.csv', '--not-posted'], '--not-posted cannot go with --from'],
    [['--posted', '77'], 'but no row is given'],
    [['--undo'], 'but no row is given'],
    [[], 'a decision without a row needs'],
    [['--from', 'missing.csv'], 'missing.csv: there is no such file'],
  ] as const)('refuses %j', async ([args, message]) => {
    const refused = await played().run(['settle', 'c1', ...args]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('decides by sheet, and takes a decision back', async () => {
    const { run, fillIn, document, sandbox, results } = played();
    const post = sandbox.effects().posts.find(({ title }) => title === 'Caption a');
    fillIn({ a: { decision: `posted ${post?.postId}` }, b: { decision: 'not-posted' } });
    const decided = await run(['settle', 'c1', '--from', 'filled.csv']);
    expect(decided.stdout).toContain('1 row: marked as posted');
    expect(decided.stdout).toContain('1 row without a decision.');
    // The settings of this scene name no publishing records.
    expect(decided.stdout).toContain('1 post id was taken as written (row a)');
    expect(await document('b', '--undo')).toEqual({ id: 'c1', row: 'b', state: 'review', undone: true });
    expect((await run(['settle', 'c1', 'a', '--undo'])).stdout).toContain('Row a of c1 is in review again.');
    await run(['report', 'c1', '--out', 'after.csv']);
    expect(results('after.csv').rows).toMatchObject(
      keys.map((key) => ({ key, status: 'review', post_id: '' })),
    );
  });
});

describe('campaigns decide on a terminal', { timeout: 60_000 }, () => {
  /** Standard input is a pipe that claims to be a terminal. */
  const terminal = {
    NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=process.stderr.isTTY=true',
  };

  it('shows the rows, asks, and decides about exactly these', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 3 });
    await scene.run(['run', scene.manifest(keys.map((key) => videoRow(key)))]);
    await scene.run(['settle', 'c1', 'c', '--posted', '77']);

    const asked = scene.start(['settle', 'c1', '--not-posted'], terminal, 'pipe');
    await asked.line(/^This decides 2 rows: a, b$/);
    await asked.line(/^ {2}2 rows outcome_unknown, since /);
    await scene.run(['settle', 'c1', 'c', '--undo']);
    asked.child.stdin?.end('y\n');
    expect(await asked.end()).toMatchObject({ code: 0 });
    expect(asked.output.stdout.join('\n')).toContain('Decided 2 rows: a, b');
    const { counts } = JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout);
    expect(counts).toMatchObject({ waiting: 2, review: 1 });
  });

  it('decides nothing if the answer is not yes', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    await scene.run(['run', scene.manifest([videoRow('a')])]);
    const asked = scene.start(['settle', 'c1', '--not-posted'], terminal, 'pipe');
    asked.child.stdin?.end('\n');
    expect(await asked.end()).toMatchObject({ code: 2 });
    expect(asked.output.stderr.join('\n')).toContain('nothing was done');
    const { counts } = JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout);
    expect(counts).toMatchObject({ review: 1 });
  });
});
