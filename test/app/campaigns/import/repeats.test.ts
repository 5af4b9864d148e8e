/** Rows that repeat posts of other campaigns. */
import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { type StartOptions, startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { editRow } from '../../../../src/app/campaigns/rows/edit.ts';
import { cancelCampaign, deleteCampaign } from '../../../../src/app/campaigns/steer.ts';
import type { CheckResult } from '../../../../src/importers/check/check-sheet.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner, type RunnerOptions } from '../../../support/in-process.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';

const day = Date.UTC(2026, 2, 3, 9);

async function openHall(test: TestContext, options: RunnerOptions = { queues: [] }) {
  const clock = { now: day };
  const runner = await openRunner({ now: () => clock.now, ...options }, test);
  const { runtime } = await openPages(runner, test);
  let sheets = 0;
  const write = (rows: readonly Cells[]) => {
    sheets += 1;
    const name = `sheet-${sheets}`;
    const path = join(runner.folder, `${name}.csv`);
    // A campaign of the same bytes would be found by them.
    writeFileSync(path, sheetText(rows.map((row) => ({ ...row, _sheet: name }))));
    return { file: path, path, name, folder: runner.folder };
  };
  const start = async (rows: readonly Cells[], given: StartOptions = {}) => {
    const started = await startCampaign(runtime, write(rows), { problemsFile: null, ...given });
    if (started.kind === 'known') throw new Error('it is known');
    const { check } = started;
    return { check, id: started.kind === 'imported' ? started.campaign.id : undefined };
  };
  const media = (rows: readonly Cells[]) => writeMedia(runner.folder, localFiles(rows));
  return { runner, runtime, clock, write, start, media };
}

function found({ problems, warnings }: Pick<CheckResult, 'problems' | 'warnings'>) {
  const of = ({ kept }: CheckResult['problems']) =>
    kept.map(({ key, code, problem }) => `${key} ${code}: ${problem}`);
  return { problems: of(problems), warnings: of(warnings) };
}

const rows = [videoRow('a'), videoRow('b')];

it('a row that waits in another campaign is a problem, whatever the sheet looks like', async (test) => {
  const { start, media } = await openHall(test);
  media(rows);
  expect((await start(rows)).id).toBe('c1');
  const [a = {}, b = {}] = rows;
  const sheet = [
    { caption: ' Caption   b ', media: './b.mp4'.slice(2), product_id: b.product_id ?? '', ...b, key: 'x' },
    { ...a, key: 'y', caption: 'Another caption' },
  ];
  const { id, check } = await start(sheet);
  expect(id).toBeUndefined();
  expect(found(check)).toEqual({
    problems: ['x already_posted: already in c1, row b, which is not posted yet'],
    warnings: [],
  });
});

it('a posted row is named with its day, is left out on demand, and is posted again on demand', async (test) => {
  const { runner, start, media } = await openHall(test, {});
  media([...rows, videoRow('new')]);
  await runner.start();
  const { id = '' } = await start(rows);
  await runner.queues.wakeAdmission(id);
  await runner.ended(id);
  const next = [...rows.map((row) => ({ ...row, key: `${row.key}2` })), videoRow('new')];
  const refused = await start(next);
  expect(found(refused.check).problems).toEqual([
    'a2 already_posted: already in c1, row a, posted 3 Mar',
    'b2 already_posted: already in c1, row b, posted 3 Mar',
  ]);
  const rest = await start(next, { skipInvalid: true });
  expect(rest.check.accepted).toBe(1);
  const again = await start(next, { again: true });
  expect(again.check.accepted).toBe(3);
  expect(again.check.warnings.byCode.get('already_posted')).toBe(3);
});

it('a file counts by its content: another name is the same post, other bytes are another', async (test) => {
  const { runner, start, media } = await openHall(test);
  media(rows);
  await start(rows);
  copyFileSync(join(runner.folder, 'a.mp4'), join(runner.folder, 'renamed.mp4'));
  const [a = {}, b = {}] = rows;
  const renamed = await start([{ ...a, key: 'r', media: 'renamed.mp4' }]);
  expect(found(renamed.check).problems).toEqual([
    'r already_posted: already in c1, row a, which is not posted yet',
  ]);
  renameSync(join(runner.folder, 'a.mp4'), join(runner.folder, 'b.mp4'));
  const { id } = await start([{ ...b, key: 'other' }]);
  expect(id).toBe('c2');
});

it('the same post at another time is a warning, and counts', async (test) => {
  const { start, media } = await openHall(test);
  media(rows);
  const at = (time: string) => ({ ...videoRow('a'), scheduled_at: time });
  await start([at('2026-03-05T10:00Z')]);
  const other = await start([at('2026-03-06T10:00Z')]);
  expect(other.id).toBe('c2');
  expect(found(other.check)).toEqual({
    problems: [],
    warnings: [
      expect.stringContaining(
        'a posted_at_another_time: already in c1, row a, which is not posted yet, but with another time: 2026-03-05T10:00:00.000Z',
      ),
    ],
  });
  const none = await start([videoRow('a')]);
  expect(none.check.warnings.byCode.get('posted_at_another_time')).toBe(1);
  const same = await start([at('2026-03-05T10:00Z')]);
  expect(same.check.problems.byCode.get('already_posted')).toBe(1);
});

it('rows that failed or were cancelled do not count', async (test) => {
  const { runner, runtime, start, media } = await openHall(test);
  media(rows);
  const { id = '' } = await start(rows);
  await cancelCampaign(runtime, id);
  expect((await start(rows)).id).toBe('c2');
  await runner.ledger.campaigns.pause('c2', { code: 'x', message: 'x' });
  await deleteCampaign(runtime, 'c2', { force: false });
  expect((await start(rows)).id).toBe('c3');
});

it('posted rows of a deleted campaign are no longer recognized', async (test) => {
  const { runner, runtime, start, media } = await openHall(test, {});
  media(rows);
  await runner.start();
  const { id = '' } = await start(rows);
  await runner.queues.wakeAdmission(id);
  await runner.ended(id);
  await deleteCampaign(runtime, id, { force: false });
  const { check } = await start([
    videoRow('b', { key: 'x' }),
    videoRow('a', { scheduled_at: '2026-03-09T10:00Z' }),
  ]);
  expect(found(check)).toEqual({ problems: [], warnings: [] });
});

it('of two imports at once, the second sees the rows of the first', async (test) => {
  const { start, media } = await openHall(test);
  media(rows);
  let isFirst = true;
  const second = await start([...rows, videoRow('a', { key: 'c', caption: 'Other' })], {
    onChecked: async () => {
      if (!isFirst) return;
      isFirst = false;
      await start([videoRow('b')]);
    },
  });
  expect(second.id).toBeUndefined();
  expect(found(second.check).problems).toEqual([
    'b already_posted: already in c1, row b, which is not posted yet',
  ]);
});

it('another import at once does not hinder one of other posts', async (test) => {
  const { start, media } = await openHall(test);
  media(rows);
  const { id } = await start([videoRow('a')], { onChecked: async () => void (await start([videoRow('b')])) });
  expect(id).toBe('c2');
});

it('a sheet that goes into a campaign repeats other campaigns, but not its own', async (test) => {
  const { runner, runtime, start, write, media } = await openHall(test);
  media(rows);
  await start([videoRow('a')]);
  await start([videoRow('b')]);
  const sheet = [videoRow('a', { caption: 'New caption' }), videoRow('b'), videoRow('a', { key: 'd' })];
  const options = { problemsFile: null, onPlan: () => undefined };
  const refused = await updateCampaign(runtime, 'c1', write(sheet), options);
  expect(refused.kind).toBe('problems');
  expect(found(refused.check).problems).toEqual([
    'b already_posted: already in c2, row b, which is not posted yet',
  ]);
  const updated = await updateCampaign(runtime, 'c1', write(sheet), { ...options, again: true });
  expect(updated).toMatchObject({ kind: 'updated', campaign: { rows: 3 } });
  // New and changed rows are known from now on, and what they were before is not.
  const { check } = await start([
    videoRow('a', { key: 'x', caption: 'New caption' }),
    videoRow('a', { key: 'y', caption: 'Third' }),
  ]);
  expect(found(check).problems).toEqual(['x already_posted: already in c1, row a, which is not posted yet']);
  expect(await runner.ledger.posts.version()).not.toBe('0');
});

describe('an update by a sheet whose keys were changed', () => {
  const plan = { problemsFile: null, onPlan: () => undefined };

  it('refuses new rows whose posts the campaign has, and names the old keys', async (test) => {
    const { runner, runtime, start, write, media } = await openHall(test, {});
    const before = ['007', 'May-Launch', '3-4'].map((key) => videoRow('a', { key, caption: `For ${key}` }));
    media([...before, videoRow('new')]);
    await runner.start();
    const { id = '' } = await start(before);
    await runner.queues.wakeAdmission(id);
    await runner.ended(id);
    const after = ['7', 'may_launch', '03.04.2026'].map((key, row) => ({ ...before[row], key }));
    const refused = await updateCampaign(runtime, id, write([...after, videoRow('new')]), plan);
    expect(refused.kind).toBe('problems');
    expect(found(refused.check).problems).toEqual([
      '7 already_posted: already in c1, row 007, posted 3 Mar',
      'may_launch already_posted: already in c1, row May-Launch, posted 3 Mar',
      '03.04.2026 already_posted: already in c1, row 3-4, posted 3 Mar',
    ]);
    expect(refused.check.problems.kept[0]).toMatchObject({ column: 'key', value: '7', meant: '007' });
    const again = await updateCampaign(runtime, id, write(after), { ...plan, again: true, dryRun: true });
    expect(again).toMatchObject({ kind: 'planned', matches: { new: { count: 3 } } });
  });

  it('counts rows that wait', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media(rows);
    await start(rows);
    const renamed = rows.map((row) => ({ ...row, key: `${row.key}0` }));
    const { check } = await updateCampaign(runtime, 'c1', write(renamed), plan);
    expect(found(check).problems).toEqual([
      'a0 already_posted: already in c1, row a, which is not posted yet',
      'b0 already_posted: already in c1, row b, which is not posted yet',
    ]);
  });

  it('lets a row take the content of one that the same sheet changes', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media(rows);
    await start(rows);
    const sheet = [videoRow('a', { caption: 'Another' }), videoRow('a', { key: 'c' })];
    const updated = await updateCampaign(runtime, 'c1', write(sheet), plan);
    expect(updated).toMatchObject({ kind: 'updated', campaign: { rows: 3 } });
  });

  it('refuses a waiting row that gets the content of a posted one, because keys were moved', async (test) => {
    const { runner, runtime, start, write, media } = await openHall(test, {});
    media(rows);
    await runner.start();
    const { id = '' } = await start(rows, { canary: 1 });
    await runner.queues.wakeAdmission(id);
    await runner.until(
      async () => (await runner.ledger.campaigns.find(id))?.state === 'paused',
      'the canary',
    );
    const [a = {}, b = {}] = rows;
    const moved = await updateCampaign(
      runtime,
      id,
      write([
        { ...b, key: 'a' },
        { ...a, key: 'b' },
      ]),
      plan,
    );
    expect(found(moved.check).problems).toEqual(['b already_posted: already in c1, row a, posted 3 Mar']);
  });

  it('warns of a new row whose key differs from an old one only in zeros, whatever its content', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media([videoRow('a')]);
    await start([videoRow('a', { key: 'X-08' })]);
    const changed = videoRow('a', { key: 'x8', caption: 'Better' });
    const { check } = await updateCampaign(runtime, 'c1', write([changed]), { ...plan, dryRun: true });
    expect(found(check)).toMatchObject({ problems: [], warnings: [expect.stringContaining('row X-08')] });
    const both = [changed, videoRow('a', { key: 'X-08' })].reverse();
    const named = await updateCampaign(runtime, 'c1', write(both), { ...plan, dryRun: true });
    expect(named.check.warnings.byCode.has('similar_key')).toBe(false);
  });
});

it('a row that is edited may become a repeat of another row of its campaign', async (test) => {
  const { runtime, start, media } = await openHall(test);
  media(rows);
  await start([videoRow('a'), videoRow('a', { key: 'b', caption: 'Other' })]);
  const cells = new Map([['caption', 'Caption a']] as const);
  const edit = { campaign: 'c1', key: 'b', revision: 0, cells };
  const { plan } = await editRow(runtime, edit, { dryRun: false, by: 'anna' });
  expect(plan).toMatchObject({ kind: 'problems', problems: [{ code: 'already_posted' }] });
  const saved = await editRow(runtime, { ...edit, again: true }, { dryRun: false, by: 'anna' });
  expect(saved.end).toBe('saved');
});

it('a row that is edited may become a repeat', async (test) => {
  const { runtime, start, media } = await openHall(test);
  media(rows);
  await start(rows);
  await start([videoRow('a', { caption: 'Other' })]);
  const edit = {
    campaign: 'c2',
    key: 'a',
    revision: 0,
    cells: new Map([['caption', 'Caption a']] as const),
  };
  const { plan } = await editRow(runtime, edit, { dryRun: false, by: 'anna' });
  expect(plan).toMatchObject({ kind: 'problems', problems: [{ code: 'already_posted' }] });
  const saved = await editRow(runtime, { ...edit, again: true }, { dryRun: false, by: 'anna' });
  expect(saved.end).toBe('saved');
});

it('a sheet with a post of a campaign whose rows cannot be read is refused, with the key of those rows', async (test) => {
  const { runner, start, media } = await openHall(test);
  media(rows);
  const { ledger, redis } = runner;
  await start(rows);
  const campaign = await ledger.campaigns.find('c1');
  const key = ledger.keys.rows(campaign?.store ?? '', 0);
  await redis.set(key, 'no rows');
  await expect(start([videoRow('a')])).rejects.toThrow(key);
  expect((await start([videoRow('a', { caption: 'Other' })])).id).toBe('c2');
});
