/** A workbook without keys of which a person skipped a row: its results, brought back as they are. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../../support/sheets/workbook.ts';
import { bring, openPlan } from './plan-versions.ts';
import { openHall } from './sheets-in-turn.ts';

const plan = { problemsFile: null, onPlan: () => undefined };

describe('a skipped row is skipped again in the results', () => {
  it.each([
    ['another post', ['a', 'c', 'b'], 2, 'xlsx'],
    ['another post', ['a', 'c', 'b'], 2, 'csv'],
    ['the same post as an earlier row', ['a', 'a', 'b'], 2, 'xlsx'],
    ['the same post as a later row', ['a', 'b', 'a'], 1, 'xlsx'],
    ['the same post as a later row', ['a', 'b', 'a'], 1, 'csv'],
  ])('with %s', async (_what, posts, row, format) => {
    const { runner, runtime, media } = await openHall({ onTestFinished });
    const rows = posts.map((name) => videoRow(name)).map(({ key: _key, ...cells }) => cells);
    media(rows);
    const { folder } = runner;
    const path = await writeWorkbook({ sheets: [worksheetOf('Plan', rows)] });
    const options = { problemsFile: null, mediaRoot: folder };
    const edits = new Edits([{ leaveOut: [row], at: 0, by: 'ann', of: '' }]);
    const started = await startCampaign(
      runtime,
      { file: path, path, name: 'plan', folder },
      { ...options, edits },
    );
    const id = started.kind === 'imported' ? started.campaign.id : '';
    const { path: results = '' } = await writeResults(runtime, id, {
      to: join(folder, `results.${format}`),
    });

    const manifest = { file: results, path: results, name: 'results', folder };
    const updated = await updateCampaign(runtime, id, manifest, options);
    expect(updated.check.problems.kept).toEqual([]);
    expect(updated).toMatchObject({
      matches: { unchanged: { count: 2 }, new: { count: 0 } },
      skippedAgain: { count: 1 },
    });
  });
});

describe('a row that was skipped as a repeat', () => {
  const at = { scheduled_at: '2026-05-01 10:00Z' };
  const first = [videoRow('a', at), videoRow('b', at), { ...videoRow('a', at), key: 'c' }];
  const edited = [{ ...first[0], caption: 'Another' }, ...first.slice(1)];

  it('of one in the sheet stays skipped after that one was edited', async (test) => {
    const { write, media, start, runtime } = await openHall(test);
    media(first);
    await start(first, { skipInvalid: true });
    for (const rows of [edited, first, edited]) {
      const { matches, skippedAgain } = await updateCampaign(runtime, 'c1', write(rows), plan);
      expect({ matches, skippedAgain }).toMatchObject({
        matches: { new: { count: 0 }, changed: { count: 1 } },
        skippedAgain: { count: 1 },
      });
    }
  });

  it('of one of another campaign stays skipped after that one was edited', async (test) => {
    const { write, media, start, runtime } = await openHall(test);
    media(first);
    await start([videoRow('a', at)]);
    await start(first.slice(0, 2), { skipInvalid: true });
    await updateCampaign(runtime, 'c1', write([{ ...first[0], caption: 'Another' }]), plan);
    const { matches, skippedAgain } = await updateCampaign(runtime, 'c2', write(first.slice(0, 2)), plan);
    expect({ matches, skippedAgain }).toMatchObject({
      matches: { new: { count: 0 }, unchanged: { count: 1 } },
      skippedAgain: { count: 1 },
    });
  });

  it('of one in an update stays skipped in the next', async (test) => {
    const { write, media, start, runtime } = await openHall(test);
    media(first);
    await start(first.slice(0, 2));
    await updateCampaign(runtime, 'c1', write(first), { ...plan, skipInvalid: true });
    const { matches, skippedAgain } = await updateCampaign(runtime, 'c1', write(edited), plan);
    expect({ matches, skippedAgain }).toMatchObject({
      matches: { new: { count: 0 }, changed: { count: 1 } },
      skippedAgain: { count: 1 },
    });
  });

  it('keeps no fix from the post that it repeats', async (test) => {
    const { write, media, start, runtime, runner } = await openHall(test);
    media(first);
    const named = first.map((row, at) => (at === 1 ? row : { ...row, creator: 'Anna', media: 'final.mp4' }));
    const columns = Object.keys(named[0] ?? {});
    const fixes = [1, 3].flatMap((row) => [
      { row, position: columns.indexOf('creator'), text: 'demo_anna' },
      { row, position: columns.indexOf('media'), text: 'a.mp4' },
    ]);
    const edits = new Edits([{ cells: fixes, at: 0, by: 'ann', of: '' }]);
    await start(named, { skipInvalid: true, edits });
    await asIf(runner).ended('c1', [{ row: 0, state: 'posted' }]);
    const rows = [{ ...named[0], caption: 'Another' }, ...named.slice(1)];
    const { ignored } = await updateCampaign(runtime, 'c1', write(rows), plan);
    expect(ignored.flatMap(({ cells }) => cells.map(({ column }) => column))).toEqual(['caption']);
  });

  it('is posted by an update that posts repeats', async (test) => {
    const { write, media, start, runtime } = await openHall(test);
    media(first);
    await start(first, { skipInvalid: true });
    const { matches } = await updateCampaign(runtime, 'c1', write(first), { ...plan, again: true });
    expect(matches).toMatchObject({ new: { count: 1 }, unchanged: { count: 2 } });
  });

  it('is taken once it was edited', async (test) => {
    const { write, media, start, runtime } = await openHall(test);
    media(first);
    await start(first, { skipInvalid: true });
    const rows = [...first.slice(0, 2), { ...first[2], caption: 'Another' }];
    const { matches, skippedAgain } = await updateCampaign(runtime, 'c1', write(rows), plan);
    expect({ matches, skippedAgain }).toMatchObject({
      matches: { new: { count: 1 }, unchanged: { count: 2 } },
      skippedAgain: { count: 0 },
    });
  });
});

it('a row that a person included although it has nothing of a post is one in the next version', async (test) => {
  const bare = { creator: '', media: '', product_id: '', product_title: '' };
  const rows = ['a', 'b'].map((name): Cells => {
    const { key: _key, ...row } = videoRow(name, { scheduled_at: '2026-05-01 10:00Z' });
    return name === 'b' ? { ...row, ...bare } : row;
  });
  const columns = Object.keys(rows[0] ?? {});
  const filled = { creator: 'demo_anna', media: 'a.mp4', product_id: 'p-b', product_title: 'A product' };
  const cells = Object.entries(filled).map(([column, text]) => ({
    row: 2,
    position: columns.indexOf(column),
    text,
  }));
  const scene = await openPlan(test, rows, { cells }, { noPosts: 'post' });
  const { counts, absent } = await bring(scene, 'plan-2.csv', rows);
  expect({ counts, absent }).toEqual({ counts: { unchanged: 2 }, absent: { count: 0, keys: [] } });
});

it('a skipped row that got its time comes back, also if the sheet lacks a column that was added on the page', async (test) => {
  const rows = [
    videoRow('a', { scheduled_at: '2031-05-01 10:00Z' }),
    videoRow('b', { scheduled_at: 'tbc' }),
  ].map(({ product_id: _id, ...row }) => row);
  const columns = [{ name: 'product_id' as const, text: '1729384071926530212' }];
  const scene = await openPlan(test, rows, {
    addColumns: { at: Object.keys(rows[0] ?? {}).length, columns },
    leaveOut: [2],
  });
  const next = (time: string) =>
    bring(scene, 'plan-2.csv', [rows[0] ?? {}, { ...rows[1], scheduled_at: time }]);
  expect(await next('tbc')).toMatchObject({ counts: { unchanged: 1 }, skippedAgain: { count: 1 } });
  expect(await next('2031-05-02 10:00Z')).toMatchObject({
    // No text of the added column is known of it.
    problems: ['missing_value'],
    skippedAgain: { count: 0 },
  });
});
