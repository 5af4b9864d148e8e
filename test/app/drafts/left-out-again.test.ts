/** Rows that were left out with their problems when the campaign was started, in the next version of the sheet. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { writeResults } from '../../../src/app/campaigns/results/write.ts';
import { changeDraft } from '../../../src/app/drafts/drafts.ts';
import { draftUpdate } from '../../../src/app/drafts/files/sheet-home.ts';
import { draftMediaFolder } from '../../../src/app/drafts/folder.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../support/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft, storeMedia } from './test-draft.ts';

const long = { waitMs: 2 ** 31 - 1 };
const plan: readonly Cells[] = [
  videoRow('a'),
  videoRow('b', { creator: 'Nobody Known' }),
  videoRow('c', { media: 'later.mp4' }),
  videoRow('d', { scheduled_at: '31.31.2026' }),
  videoRow('e'),
  videoRow('f', { media: '', caption: 'Without a video' }),
];
const withoutKeys = (rows: readonly Cells[]) => rows.map(({ key: _key, ...row }): Cells => row);
const edited = (rows: readonly Cells[]) => rows.with(0, { ...rows[0], caption: 'Better' });

interface Started {
  /** Texts of `scheduled_at` by row, typed before the start. */
  readonly fixed?: Readonly<Record<number, string>>;
  readonly taken?: number;
}

/** A campaign of some of these rows; the others were left out. */
async function openCampaign(
  test: TestContext,
  rows: readonly Cells[],
  { fixed = {}, taken = 2 }: Started = {},
) {
  const opened = await openTestDraft([], { queues: [] }, test);
  const { drafts, id, drop, store, runtime, runner, look } = opened;
  await drop(sheetText(rows));
  await store('a.mp4', 'b.mp4', 'd.mp4', 'e.mp4');
  const leave = async (draft: string) => {
    const { version } = (await drafts.look(draft, long)).draft;
    const change = { by: 'ann', version, what: 'leaves them out' };
    await changeDraft(runtime, draft, change, () => ({ options: { leaveOutProblems: true } }));
    return drafts.look(draft, long);
  };
  const position = [...new Set(rows.flatMap(Object.keys))].indexOf('scheduled_at');
  const cells = Object.entries(fixed).map(([row, text]) => ({ row: Number(row), position, text }));
  if (cells.length > 0) {
    const { version } = (await drafts.look(id, long)).draft;
    await drafts.edit(id, { by: 'ann', version }, { cells }, 'fixed the times');
  }
  const { draft, checked } = await leave(id);
  expect(checked).toMatchObject({ accepted: taken, refused: rows.length - taken });
  await look();
  const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: taken });
  const bringFile = (path: string) =>
    draftUpdate(runtime, drafts, { campaign, by: 'ann' }, { name: path.split('/').at(-1) ?? '', path });
  let versions = 1;
  const bring = (next: readonly Cells[]) => {
    versions += 1;
    const path = join(runner.folder, `plan-${versions}.csv`);
    writeFileSync(path, sheetText(next));
    return bringFile(path);
  };
  const see = async (update: string) => {
    const { checked: found, draft: now } = await drafts.look(update, long);
    const { accepted, refused, leftOut, groups } = found ?? {};
    const { matches, skippedAgain, digest } = found?.update ?? {};
    const codes = groups?.map(({ code }) => code);
    return {
      accepted,
      refused,
      leftOut,
      codes,
      skippedAgain: skippedAgain?.count,
      added: matches?.new.count,
      now,
      digest,
    };
  };
  const start = async (update: string, count: number) => {
    const { now, digest } = await see(update);
    await drafts.start(update, { by: 'ann', version: now.version, rows: count, update: digest });
  };
  return { ...opened, campaign, bring, bringFile, see, start, leave };
}

describe.each([
  ['with keys', plan],
  ['without keys', withoutKeys(plan)],
])('%s', (_how, rows) => {
  it('unchanged rows are skipped again, also in the version after', async (test) => {
    const { bring, see, start, drafts } = await openCampaign(test, rows);
    const update = await bring(edited(rows));
    const skipped = { refused: 0, codes: [], leftOut: 4, skippedAgain: 4, added: 0 };
    expect(await see(update)).toMatchObject({ ...skipped, accepted: 1 });
    const { rows: shown } = await drafts.window(update, 'left-out', 0, 9);
    expect(shown.map(({ number }) => number)).toEqual([2, 3, 4, 6]);
    await start(update, 1);
    expect(await see(await bring(edited(rows)))).toMatchObject({ ...skipped, accepted: 0 });
  });

  it('the results ask nothing', async (test) => {
    const { bringFile, see, runtime, campaign, runner } = await openCampaign(test, rows);
    const to = join(runner.folder, 'results.csv');
    await writeResults(runtime, campaign.id, { to });
    expect(await see(await bringFile(to))).toMatchObject({
      accepted: 0,
      refused: 0,
      codes: [],
      skippedAgain: 4,
    });
  });

  it('a row is asked about again once a cell of it changed', async (test) => {
    const { bring, see } = await openCampaign(test, rows);
    const next = rows.with(1, { ...rows[1], creator: 'Somebody Else' });
    const found = await see(await bring(next.with(5, { ...rows[5], media: 'a.mp4' })));
    expect(found).toMatchObject({ accepted: 1, refused: 1, codes: ['creator_unknown'], skippedAgain: 2 });
  });

  it('a row whose file has come is new', async (test) => {
    const { bring, see, runtime } = await openCampaign(test, rows);
    const update = await bring(rows);
    await storeMedia(runtime, update, draftMediaFolder(runtime, update), ['later.mp4']);
    expect(await see(update)).toMatchObject({ accepted: 1, refused: 0, skippedAgain: 3, added: 1 });
  });

  it('one press includes a row, and its problems are asked', async (test) => {
    const { bring, see, drafts } = await openCampaign(test, rows);
    const update = await bring(rows);
    const { now } = await see(update);
    await drafts.edit(update, { by: 'ann', version: now.version }, { takeIn: [2] }, 'included a row');
    const found = await see(update);
    expect(found).toMatchObject({ refused: 1, codes: ['creator_unknown'], leftOut: 3, skippedAgain: 3 });
  });
});

it('rows are skipped again whose cells had been edited before the start', async (test) => {
  const bad = { scheduled_at: '31.31.2026' };
  const rows = [
    videoRow('a'),
    videoRow('b', { ...bad, creator: 'Nobody Known' }),
    videoRow('c', { ...bad, media: 'later.mp4' }),
    videoRow('d', bad),
    videoRow('e'),
  ];
  const past = '2020-01-01 10:00Z';
  const fixed = { 2: '2030-01-01 10:00Z', 3: past, 4: past };
  const { bring, see, runtime, start } = await openCampaign(test, rows, { fixed });
  const update = await bring(edited(rows));
  const skipped = { refused: 0, codes: [], skippedAgain: 3, added: 0 };
  expect(await see(update)).toMatchObject({ ...skipped, accepted: 1 });
  await start(update, 1);
  const next = await bring(edited(rows));
  expect(await see(next)).toMatchObject({ ...skipped, accepted: 0 });
  await storeMedia(runtime, next, draftMediaFolder(runtime, next), ['later.mp4']);
  expect(await see(next)).toMatchObject({ refused: 1, codes: ['time_past'], skippedAgain: 2 });
});

it('a copy with the key of another row is skipped again, also if an update left it out', async (test) => {
  const a = videoRow('a', { scheduled_at: '31.31.2026' });
  const e = videoRow('e');
  const rows = [videoRow('b'), a, e, a];
  const fixed = { 2: '2030-01-01 10:00Z', 4: '2030-01-01 10:00Z' };
  const { bring, see, start, leave } = await openCampaign(test, rows, { fixed, taken: 3 });
  const next = [...edited(rows), e];
  const update = await bring(next);
  expect(await see(update)).toMatchObject({ accepted: 1, refused: 1, skippedAgain: 1 });
  await leave(update);
  await start(update, 1);
  const last = await bring(next);
  expect(await see(last)).toMatchObject({ accepted: 0, refused: 0, codes: [], skippedAgain: 2 });
});

it('a row that an update left out is skipped again in the version after', async (test) => {
  const { bring, see, start, leave } = await openCampaign(test, plan);
  const rows = edited([...plan, videoRow('g', { creator: 'Nobody Else' })]);
  const update = await bring(rows);
  expect(await see(update)).toMatchObject({ refused: 1, skippedAgain: 4 });
  await leave(update);
  await start(update, 1);
  // There, it waits for its fix.
  expect(await see(update)).toMatchObject({ refused: 1, skippedAgain: 4 });
  expect(await see(await bring(rows))).toMatchObject({ accepted: 0, refused: 0, codes: [], skippedAgain: 5 });
});

it('results in her workbook ask nothing of rows that were hidden, held or without a prompt', async (test) => {
  const opened = await openTestDraft([], { queues: [] }, test);
  const { drafts, id, drop, store, runtime, runner } = opened;
  const names = [
    'creator',
    'media',
    'caption',
    'product_id',
    'product_title',
    'scheduled_at',
    'ai_prompt',
    'ai_model',
    'ai_seconds',
    'ai_size',
    'Status',
  ];
  const ai = { media: '', ai_model: 'seedance2.0', ai_seconds: '4', ai_size: '720x1280' };
  const rows = [
    videoRow('a', { Status: 'OK' }),
    videoRow('b', { Status: 'draft' }),
    videoRow('c', { ...ai, ai_prompt: '' }),
    videoRow('d', { scheduled_at: 'tbc' }),
    videoRow('e', { Status: 'Posted', scheduled_at: '2020-01-01 10:00Z' }),
    videoRow('f'),
  ];
  const lines = rows.map((row, at) =>
    textRow(
      names.map((name) => row[name] ?? ''),
      at === 5 ? ' hidden="1"' : '',
    ),
  );
  await drop(readFileSync(await writeWorkbook({ rows: textRow(names) + lines.join('') })), 'Plan.xlsx');
  await store(...'abcdef'.split('').map((name) => `${name}.mp4`));
  const { version } = (await drafts.look(id, long)).draft;
  const change = { by: 'ann', version, what: 'leaves them out' };
  await changeDraft(runtime, id, change, () => ({
    options: { leaveOutProblems: true },
    reading: { timezone: 'UTC' },
  }));
  const { draft, checked } = await drafts.look(id, long);
  const left = { accepted: checked?.accepted ?? 0, refused: checked?.refused ?? 0 };
  expect(left.refused).toBeGreaterThan(2);
  const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: left.accepted });
  const to = join(runner.folder, 'results.xlsx');
  await writeResults(runtime, campaign.id, { to });
  const update = await draftUpdate(
    runtime,
    drafts,
    { campaign, by: 'ann' },
    { name: 'results.xlsx', path: to },
  );
  const { checked: found } = await drafts.look(update, long);
  expect(found?.groups).toEqual([]);
  expect(found).toMatchObject({ accepted: 0, refused: 0, leftOut: left.refused });
  expect(found?.update).toMatchObject({ changes: [], skippedAgain: { count: left.refused } });
});
