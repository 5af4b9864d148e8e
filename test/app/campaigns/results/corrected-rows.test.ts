/** A problems file that is brought back, corrected: its rows are those of the planner's own sheet. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, readSheet, sheetText } from '../../../support/sheets/sheet.ts';
import { openHall } from '../import/sheets-in-turn.ts';

const creators = { a: 'demo_anna', b: 'demo ben', c: 'demo carla' };

async function openPlan(test: TestContext, hasKeys: boolean) {
  const scene = await openHall(test);
  const { runtime, runner } = scene;
  const rows = Object.entries(creators).map(([name, creator]): Cells => {
    const { key: _key, ...cells } = videoRow(name, { creator });
    return hasKeys ? { key: name, ...cells } : cells;
  });
  scene.media(rows);
  const named = (name: string) => {
    const path = join(runner.folder, `${name}.csv`);
    return { file: path, path, name: join(runner.folder, name), folder: runner.folder };
  };
  const save = (name: string, text: string) => {
    writeFileSync(named(name).path, text);
    return named(name);
  };
  await startCampaign(runtime, save('plan', sheetText(rows)), { skipInvalid: true });
  const update = async (name: string, text: string) => {
    const { matches, check, absent, ignored } = await updateCampaign(runtime, 'c1', save(name, text), {
      skipInvalid: true,
    });
    const counts = Object.entries(matches).filter(([, { count }]) => count > 0);
    return {
      counts: Object.fromEntries(counts.map(([match, { count }]) => [match, count])),
      problems: check.problems.kept.map(({ code }) => code),
      absent: absent.count,
      ignored,
    };
  };
  const results = async () => {
    const { path = '', notOwn } = await writeResults(runtime, 'c1', { to: join(runner.folder, 'r.csv') });
    const { columns, rows: written } = readSheet(path);
    const statuses = written.map(
      ({ media, creator, posted_with, status }) => `${media} ${posted_with || creator} ${status}`,
    );
    return { notOwn, hasLine: columns.includes('line'), statuses };
  };
  const read = (name: string) => readFileSync(named(name).path, 'utf8').replace('\ufeff', '');
  return { rows, update, results, read };
}

describe.each([
  ['keys', true],
  ['no keys', false],
] as const)('a plan with %s', (_what, hasKeys) => {
  it('has the results of corrected rows in their places, and keeps the corrections', async (test) => {
    const { rows, update, results, read } = await openPlan(test, hasKeys);
    const some = read('plan.problems').replace('demo ben', 'demo_ben');
    expect(await update('some', some)).toMatchObject({ counts: { new: 1 }, absent: 0 });
    const rest = read('some.problems').replace('demo carla', 'demo_carla');
    expect(await update('rest', rest)).toMatchObject({ counts: { new: 1 }, absent: 0 });
    expect(await results()).toEqual({
      notOwn: undefined,
      hasLine: false,
      statuses: [
        'a.mp4 demo_anna waiting',
        'b.mp4 creator: demo_ben waiting',
        'c.mp4 creator: demo_carla waiting',
      ],
    });
    expect(await update('plan-2', sheetText(rows))).toEqual({
      counts: { unchanged: 3 },
      problems: [],
      absent: 0,
      ignored: [],
    });
  });
});

it('the places of another plan are not taken', async (test) => {
  const { update, results } = await openPlan(test, true);
  const { key: _key, ...other } = videoRow('b', { media: 'a.mp4', caption: 'Of another plan' });
  const problems = { line: '3', column: '', problem: '', fix: '' };
  await update('other', sheetText([{ key: 'other', ...other, ...problems }]));
  const { statuses } = await results();
  expect(statuses).toContain('a.mp4 demo_anna waiting');
  expect(statuses).not.toContain('b.mp4 demo ben waiting');
});
