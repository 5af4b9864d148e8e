import { expect, it } from 'vitest';
import { type CalendarQuery, readCalendar } from '../../../../src/app/campaigns/calendar/calendar.ts';
import { Schedules } from '../../../../src/app/campaigns/calendar/schedule.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';

const minuteMs = 60_000;
const usual: CalendarQuery = {
  from: '2027-03-08',
  days: 14,
  zone: 'Asia/Shanghai',
  tooCloseMs: 30 * minuteMs,
};

const at = (key: string, time: string, cells: Cells = {}) =>
  videoRow(key, { scheduled_at: time, scheduled_tz: 'Asia/Shanghai', creator: 'demo_anna', ...cells });

async function open() {
  const runner = await openRunner();
  const schedules = new Schedules(runner.ledger);
  const read = (query: Partial<CalendarQuery> = {}) =>
    readCalendar({ ...runner.context, ledger: runner.ledger }, schedules, { ...usual, ...query });
  return { runner, read };
}

it('counts posts by the day of the chosen zone, and leaves out other days', async () => {
  const { runner, read } = await open();
  await runner.importRows([
    at('before', '2027-03-07 23:59'),
    at('first', '2027-03-08 00:00'),
    at('late', '2027-03-12 01:00'),
    at('last', '2027-03-21 23:59'),
    at('after', '2027-03-22 00:00'),
    videoRow('none'),
  ]);
  const days = async (zone: string) =>
    (await read({ zone })).creators.flatMap(({ posts }) => posts.map(({ key, day }) => [key, day]));
  expect(await days('Asia/Shanghai')).toEqual([
    ['first', 0],
    ['late', 4],
    ['last', 13],
  ]);
  // In UTC it is eight hours earlier.
  expect(await days('UTC')).toEqual([
    ['late', 3],
    ['last', 13],
    ['after', 13],
  ]);
});

it('a day with a clock change begins and ends by local time', async () => {
  const { runner, read } = await open();
  const zone = 'Europe/Berlin';
  await runner.importRows([
    at('a', '2027-03-28 23:30', { scheduled_tz: zone }),
    at('b', '2027-03-29 00:30', { scheduled_tz: zone }),
  ]);
  const [creator] = (await read({ zone, from: '2027-03-22' })).creators;
  expect(creator?.posts.map(({ day }) => day)).toEqual([6, 7]);
});

it('finds the day of each post in the zone of its row, if asked to', async () => {
  const { runner, read } = await open();
  await runner.importRows([
    // Both are at 17:00 of the day before in UTC, and at 12:00 in New York.
    at('shanghai', '2027-03-12 01:00'),
    at('new-york', '2027-03-11 12:00', { scheduled_tz: 'America/New_York' }),
    at('offset', '2027-03-12T01:00:00+08:00', { scheduled_tz: '' }),
    // Within the days of its own zone, and before those of UTC.
    at('first', '2027-03-08 07:00'),
  ]);
  const { creators } = await read({ zone: 'UTC', ownZones: true });
  expect(creators.flatMap(({ posts }) => posts.map(({ key, zone, day }) => [key, zone, day]))).toEqual([
    ['first', 'Asia/Shanghai', 0],
    ['shanghai', 'Asia/Shanghai', 4],
    ['new-york', 'America/New_York', 3],
    ['offset', 'UTC', 3],
  ]);
  const inOne = (await read({ zone: 'UTC' })).creators.flatMap(({ posts }) => posts.map(({ key }) => key));
  expect(inOne).not.toContain('first');
});

it('marks posts of one creator that are less apart than the limit, over all campaigns', async () => {
  const { runner, read } = await open();
  await runner.importRows([at('a', '2027-03-12 18:00'), at('c', '2027-03-12 18:35')]);
  await runner.importRows([
    at('b', '2027-03-12 18:05'),
    at('other', '2027-03-12 18:00', { creator: 'demo_ben' }),
  ]);
  const pairs = async (minutes: number) =>
    (await read({ tooCloseMs: minutes * minuteMs })).creators.flatMap(({ collisions }) =>
      collisions.map(({ first, second, apartMs }) => `${first.key}-${second.key} ${apartMs / minuteMs}`),
    );
  expect(await pairs(30)).toEqual(['a-b 5']);
  expect(await pairs(31)).toEqual(['a-b 5', 'b-c 30']);
});

it('leaves out cancelled rows, and counts failed ones apart', async () => {
  const { runner, read } = await open();
  const id = await runner.importOrUpdate([
    at('a', '2027-03-12 18:00', { creator: 'demo_ines' }),
    at('b', '2027-03-12 18:05'),
  ]);
  await runner.start();
  await runner.ended(id);
  const cancelled = await runner.importRows([at('c', '2027-03-12 18:10')]);
  await runner.ledger.cancellation.begin(cancelled);
  const { creators } = await read();
  expect(creators.map(({ name, posts, stopped }) => [name, posts.map(({ key }) => key), stopped])).toEqual([
    ['demo_anna', ['b'], 0],
    ['demo_ines', [], 1],
  ]);
});

it('tells accepted posts apart: those that lie ahead are scheduled', async () => {
  const { runner, read } = await open();
  const id = await runner.importOrUpdate([at('a', '2027-03-12 18:00'), at('b', '2027-03-12 19:00')]);
  await runner.start();
  await runner.ended(id);
  const [{ result: before } = {}] = await runner.rows(id);
  if (before === undefined) throw new Error('it has no result');
  await runner.ledger.publishing.follow(id, [{ row: 0, before, postStatus: 'PUBLISHED' }]);
  await runner.importRows([at('c', '2027-03-12 20:00')]);
  const { creators } = await read();
  expect(
    creators.flatMap(({ posts }) => posts.map(({ key, state, delivery }) => `${key} ${delivery ?? state}`)),
  ).toEqual([...['a live', 'b scheduled', 'c waiting']]);
});

it('filters by campaign and creator, and knows a creator by the username', async () => {
  const { runner, read } = await open();
  const id = await runner.importRows([at('a', '2027-03-12 18:00', { creator: '1001' })]);
  await runner.importRows([at('b', '2027-03-12 19:00', { creator: 'demo_ben' })]);
  const keys = async (query: Partial<CalendarQuery>) =>
    (await read(query)).creators.map(({ name, posts }) => `${name} ${posts.map(({ key }) => key).join()}`);
  expect(await keys({ campaign: id })).toEqual(['demo_anna a']);
  expect(await keys({ creator: 'demo_anna' })).toEqual(['demo_anna a']);
  expect(await keys({ creator: '@demo_ben' })).toEqual(['demo_ben b']);
});

it.each(['soon', '2027-02-30', '+275760-09-12'])('refuses %s, which is no date', async (from) => {
  const { read } = await open();
  await expect(read({ from })).rejects.toMatchObject({ code: 'date_invalid' });
});

it('looks at a bounded number of rows without a time, and counts the others', async () => {
  const { runner, read } = await open();
  const id = await runner.importOrUpdate([videoRow('a'), videoRow('b'), videoRow('c')]);
  await runner.start();
  await runner.ended(id);
  const from = new Date(runner.context.now()).toISOString().slice(0, 10);
  const { creators, unlooked } = await read({ from, zone: 'UTC', mostUntimed: 2 });
  expect(creators.flatMap(({ posts }) => posts.map(({ key }) => key)).sort()).toEqual(['a', 'b']);
  expect(unlooked).toBe(1);
});
