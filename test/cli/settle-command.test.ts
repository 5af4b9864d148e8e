/** `campaigns settle`: what it takes, prints and writes. `test/campaigns/decisions` has the decisions themselves. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandSchemas } from '../../src/campaigns/documents/commands.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';
import { writeSheet } from '../support/sheets/sheet.ts';

const keys = ['a', 'b', 'c'] as const;

describe('campaigns settle', { timeout: 60_000 }, () => {
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
      expect(text).toContain('campaigns settle c1 --from c1.review.outcome_unknown.csv');
      expect(text).toContain('campaigns settle c1 --not-posted --error outcome_unknown');
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
    expect(stdout).toContain('nothing was decided. It would be about 3 rows: a, b, c');
    expect(stdout).toContain(
      '3 rows without proof that the post is not there (a, b, c): the publishing records',
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

  it('is named when post_id is filled in, and the sheet goes into the campaign', async () => {
    const { run, fillIn } = played();
    fillIn({ a: { post_id: '77' } });
    const { stdout, code } = await run(['run', 'filled.csv', '--into', 'c1', '--dry-run']);
    expect(code).toBe(1);
    expect(stdout).toContain('write "posted 77" into its column decision');
    expect(stdout).toContain('campaigns settle c1 --from SHEET');
  });

  it('is not read by an import into the campaign', async () => {
    const { run, fillIn } = played();
    fillIn({ a: { decision: 'posted 77' } });
    const { stdout } = await run(['run', 'filled.csv', '--into', 'c1', '--dry-run']);
    expect(stdout).toContain('3 refused because in review');
    expect(stdout).not.toContain('decision_needed');
  });

  it.for([
    [['a', '--not-posted', '--from', 'review.csv'], '--from cannot go with a row'],
    [['a', '--not-posted', '--dry-run'], '--dry-run cannot go with a row'],
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
    expect(decided.stdout).toContain('1 row: posted, and not sent again');
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
