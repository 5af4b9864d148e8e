import { expect, test } from 'vitest';
import { checkTime } from '../../../src/manifest/cells/schedule.ts';
import { problemsOf, rowOf } from '../rows.ts';

test('an unknown zone is reported once, in its own column', () => {
  expect(problemsOf({ scheduled_at: '2026-12-01 10:00', scheduled_tz: 'Mars/Olympus' })).toEqual([
    'scheduled_tz unknown_zone',
  ]);
});

test('the zone of the settings is the default', () => {
  expect(rowOf({ scheduled_at: '2026-12-01 10:00' }, 'Asia/Shanghai').schedule).toEqual({
    at: Date.parse('2026-12-01T02:00:00Z'),
    tz: 'Asia/Shanghai',
  });
});

test('a time with an offset has no zone but its own', () => {
  expect(rowOf({ scheduled_at: '2026-12-01T10:00:00+08:00' }, 'Europe/Berlin').schedule).toEqual({
    at: Date.parse('2026-12-01T02:00:00Z'),
    tz: undefined,
  });
});

test('a past time is a problem, a future time is not', () => {
  const row = rowOf({ scheduled_at: '2026-12-01T10:00Z' });
  const at = (text: string) => ({ now: Date.parse(text), zone: 'Asia/Shanghai' });
  expect(checkTime(row, at('2026-12-01T10:00Z'))).toMatchObject({
    column: 'scheduled_at',
    code: 'time_past',
    value: '2026-12-01T10:00:00.000Z',
    problem: 'this time is in the past; it is now 2026-12-01 18:00 (Asia/Shanghai)',
  });
  expect(checkTime(row, at('2026-12-01T09:59:59.999Z'))).toBeNull();
  expect(checkTime(rowOf(), at('1970-01-01'))).toBeNull();
  expect(checkTime(row, at('2027-01-01T10:00Z'), '1.12.2026 11:00')).toMatchObject({
    value: '1.12.2026 11:00',
  });
});

test.each([
  ['2026-12-24', '18:30', '2026-12-24T18:30:00Z'],
  ['24.12.2026', '9 Uhr', '2026-12-24T09:00:00Z'],
  ['24.12.2026', '18:30 +02:00', '2026-12-24T16:30:00Z'],
  ['2027年3月14日 20:00', '', '2027-03-14T20:00:00Z'],
  ['2027-03-14', '7pm', '2027-03-14T19:00:00Z'],
  ['2027-03-14', '7:30 pm', '2027-03-14T19:30:00Z'],
  ['2027-03-14', '19 hrs', '2027-03-14T19:00:00Z'],
  ['2027-03-14', '8:30 de la noche', '2027-03-14T20:30:00Z'],
  ['2027-03-14', '12 del mediodía', '2027-03-14T12:00:00Z'],
  ['2027-03-14', 'noon', '2027-03-14T12:00:00Z'],
  ['2027-03-14', 'à midi', '2027-03-14T12:00:00Z'],
  ['2027-03-14 00:00:00', '12 am', '2027-03-14T00:00:00Z'],
  ['3/14/2027 0:00', '18:30', '2027-03-14T18:30:00Z'],
  ['3/14/2027 12:00:00 AM', '18:30', '2027-03-14T18:30:00Z'],
  ['2027-03-14T00:00:00.000', '18:30', '2027-03-14T18:30:00Z'],
  ['', '2026-12-24 18:30', '2026-12-24T18:30:00Z'],
])('the date %s and the time of day %j are joined', (scheduled_at, scheduled_time, instant) => {
  expect(rowOf({ scheduled_at, scheduled_time }, 'UTC').schedule?.at).toBe(Date.parse(instant));
});

test.each([
  ['2026-12-24', '', 'scheduled_time invalid_time'],
  ['', '18:30', 'scheduled_at invalid_time'],
  ['2026-12-24', '25:00', 'scheduled_time impossible_time'],
  ['2026-12-24 25:00', '', 'scheduled_at impossible_time'],
  ['2026-03-29', '02:30', 'scheduled_time time_in_gap'],
  ['2026-03-29 02:30', '', 'scheduled_at time_in_gap'],
  ['2026-10-25', '02:30', 'scheduled_time time_in_overlap'],
  ['2026-12-24', 'abends', 'scheduled_time invalid_time'],
  ['2026-12-24', '12 de la noche', 'scheduled_time invalid_time'],
  ['2026-12-24', '10:00-11:30', 'scheduled_time invalid_time'],
  ['2026-12-24 10:00-11:30', '', 'scheduled_at invalid_time'],
  ['24.12.', '18:30', 'scheduled_at invalid_time'],
  ['03/04/2027', '18:30', 'scheduled_at ambiguous_time'],
  ['2026-12-24', '18:30 CET', 'scheduled_time invalid_time'],
  ['2026-12-24', '18:30+15:00', 'scheduled_time impossible_time'],
  ['2026-12-24 tbc', '18:30', 'scheduled_at invalid_time'],
  ['tbc', 'tbc', 'scheduled_at invalid_time'],
  ['2026-12-24 10:00', '18:30', 'scheduled_time two_times'],
])(
  'the date %j beside the time of day %j is a problem of one of them',
  (scheduled_at, scheduled_time, problem) => {
    const scheduled_tz = 'Europe/Berlin';
    expect(problemsOf({ scheduled_at, scheduled_time, scheduled_tz })).toEqual([problem]);
  },
);

test.each([
  ['soon', 'at 7 or 8', ['scheduled_at invalid_time', 'scheduled_time invalid_time']],
  ['', 'at 7 or 8', ['scheduled_at invalid_time', 'scheduled_time invalid_time']],
  ['03/04/2027', '25:00', ['scheduled_at ambiguous_time', 'scheduled_time impossible_time']],
  ['30.02.2027', 'evening', ['scheduled_at impossible_time', 'scheduled_time invalid_time']],
])('the date %j and the time of day %j are both at fault', (scheduled_at, scheduled_time, problems) => {
  expect(problemsOf({ scheduled_at, scheduled_time, scheduled_tz: 'UTC' }).toSorted()).toEqual(problems);
});
