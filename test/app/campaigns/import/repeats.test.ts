/** Rows that repeat posts of other campaigns. */
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cancelCampaign, deleteCampaign } from '../../../../src/app/campaigns/steer.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { found, openHall, rows } from './sheets-in-turn.ts';

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

it('a row without a key is named by its line', async (test) => {
  const { start, media } = await openHall(test);
  const bare = rows.map(({ key: _key, ...row }) => row);
  media(bare);
  await start(bare);
  expect(found((await start([...bare].reverse())).check).problems).toEqual([
    '1 already_posted: already in c1, line 3, which is not posted yet',
    '2 already_posted: already in c1, line 2, which is not posted yet',
  ]);
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

it('an accepted post is not called posted before its time, nor after it without a record', async (test) => {
  const { runner, clock, start, media } = await openHall(test, {});
  media(rows);
  await runner.start();
  // The sandbox goes by the time of the machine.
  clock.now = Date.now();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const at = (key: string, days: number) => ({
    ...videoRow('a'),
    key,
    scheduled_at: `${inDays(days)}T10:00Z`,
  });
  const { id = '' } = await start([at('a', 3)]);
  await runner.queues.wakeAdmission(id);
  await runner.ended(id);
  const time = `${inDays(3)} 10:00 (UTC)`;
  expect(found((await start([at('a2', 3)])).check).problems).toEqual([
    `a2 already_posted: already in c1, row a, scheduled for ${time}`,
  ]);
  expect(found((await start([at('a3', 7)])).check).warnings).toEqual([
    `a3 posted_at_another_time: already in c1, row a, scheduled for another time: ${time}`,
  ]);
  clock.now += 5 * 86_400_000;
  const due = new RegExp(
    `c1, row a, due \\d+ \\w+( \\d+)? and not confirmed live, but with another time: ${inDays(3)}`,
  );
  expect(found((await start([at('a4', 9)])).check).warnings).toEqual([expect.stringMatching(due)]);
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
        'a posted_at_another_time: already in c1, row a, which is not posted yet, but with another time: 2026-03-05 10:00 (UTC)',
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
