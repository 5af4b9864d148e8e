import { expect, test } from 'vitest';
import { readTime } from '../../../src/manifest/cells/time.ts';
import { Zones } from '../../../src/manifest/cells/zone.ts';
import { generatedImages, problemsOf } from '../rows.ts';

const zones = new Zones();
const read = (text: string, zone: string | null) => readTime(text, zone === null ? null : zones.find(zone));

test.each([
  ['2026-12-01 10:00', 'Asia/Shanghai', '2026-12-01T02:00:00Z'],
  ['2026-12-01T10:00', 'Asia/Shanghai', '2026-12-01T02:00:00Z'],
  ['2026-12-01 10:00:30', 'Asia/Shanghai', '2026-12-01T02:00:30Z'],
  ['2026/12/01 10:00', 'Asia/Shanghai', '2026-12-01T02:00:00Z'],
  ['2026/12/1 9:05', 'Asia/Shanghai', '2026-12-01T01:05:00Z'],
  ['2026-12-01T10:00:00.250', 'UTC', '2026-12-01T10:00:00.250Z'],
  ['2026-12-01T10:00Z', null, '2026-12-01T10:00:00Z'],
  ['2026-12-01T10:00:00+08:00', null, '2026-12-01T02:00:00Z'],
  ['2026-12-01 10:00 -0330', null, '2026-12-01T13:30:00Z'],
  ['2026-12-01T10:00+08', 'America/New_York', '2026-12-01T02:00:00Z'],
  ['20261201T100000+0800', null, '2026-12-01T02:00:00Z'],
  ['20261201T1000', 'Asia/Shanghai', '2026-12-01T02:00:00Z'],
  ['24.12.2026 18:30', 'UTC', '2026-12-24T18:30:00Z'],
  ['1.12.2026 9:05:30', 'UTC', '2026-12-01T09:05:30Z'],
  ['24/12/2026 18:30', 'UTC', '2026-12-24T18:30:00Z'],
  ['12/24/2026 18:30', 'UTC', '2026-12-24T18:30:00Z'],
  ['24.12.2026 9 Uhr', 'UTC', '2026-12-24T09:00:00Z'],
  ['24.12.2026, 18.30 Uhr', 'UTC', '2026-12-24T18:30:00Z'],
  ['24/12/2026 ore 19', 'UTC', '2026-12-24T19:00:00Z'],
  ['24/12/2026 alle 19', 'UTC', '2026-12-24T19:00:00Z'],
  ['24/12/2026 alle ore 9', 'UTC', '2026-12-24T09:00:00Z'],
  ['24/12/2026 h 19', 'UTC', '2026-12-24T19:00:00Z'],
  ['24/12/2026 19h', 'UTC', '2026-12-24T19:00:00Z'],
  ['24.12.2026 um 19 Uhr', 'UTC', '2026-12-24T19:00:00Z'],
  ['24/12/2026 a las 19', 'UTC', '2026-12-24T19:00:00Z'],
  ['24.12.2026 um 9 Uhr 05', 'UTC', '2026-12-24T09:05:00Z'],
  ['24/12/2026 18h30', 'UTC', '2026-12-24T18:30:00Z'],
  ['2026-12-24 à 18h', 'UTC', '2026-12-24T18:00:00Z'],
  ['2027年3月14日 20:00', 'UTC', '2027-03-14T20:00:00Z'],
  ['2027年3月14日20点30分', 'UTC', '2027-03-14T20:30:00Z'],
  ['2027年3月14日(日) 20:30', 'UTC', '2027-03-14T20:30:00Z'],
  ['2027年3月14日日曜日 20:30', 'UTC', '2027-03-14T20:30:00Z'],
  ['2027년 3월 14일 20시 30분', 'UTC', '2027-03-14T20:30:00Z'],
  ['2027년 3월 14일 (일) 20:30', 'UTC', '2027-03-14T20:30:00Z'],
  ['2027. 3. 14. 20:30', 'UTC', '2027-03-14T20:30:00Z'],
  ['2027. 3. 14 (일) 20:30', 'UTC', '2027-03-14T20:30:00Z'],
  ['24/12/2026 18.30 น.', 'UTC', '2026-12-24T18:30:00Z'],
  ['24/12/2026 18 giờ 30', 'UTC', '2026-12-24T18:30:00Z'],
  ['24/12/2026 18.30 WIB', null, '2026-12-24T11:30:00Z'],
  ['2026-12-24 18:30 (SGT)', null, '2026-12-24T10:30:00Z'],
  ['2026-12-24 18:30 JST', 'America/New_York', '2026-12-24T09:30:00Z'],
  ['2026-12-24 18:30 UTC', null, '2026-12-24T18:30:00Z'],
  ['2026-12-24 18:30 GMT+7', null, '2026-12-24T11:30:00Z'],
  ['2026-12-24 18:30 (UTC+05:30)', null, '2026-12-24T13:00:00Z'],
  ['24-12-2026T18:30+08:00', null, '2026-12-24T10:30:00Z'],
  ['2028-02-29 00:00', 'UTC', '2028-02-29T00:00:00Z'],
  ['2026-07-01 12:00', 'America/New_York', '2026-07-01T16:00:00Z'],
  ['2026-12-01 12:00', 'America/New_York', '2026-12-01T17:00:00Z'],
  ['2026-03-29 01:59', 'Europe/Berlin', '2026-03-29T00:59:00Z'],
  ['2026-03-29 03:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['2026-10-25 03:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
  ['2026-10-25T02:30:00+01:00', 'Europe/Berlin', '2026-10-25T01:30:00Z'],
  ['2026-12-31 23:59', 'Pacific/Kiritimati', '2026-12-31T09:59:00Z'],
])('%s in %s is %s', (text, zone, instant) => {
  expect(read(text, zone)).toEqual({ at: Date.parse(instant) });
});

test.each([
  ['2026-03-29 02:30', 'Europe/Berlin', 'time_in_gap'],
  ['2026-10-25 02:30', 'Europe/Berlin', 'time_in_overlap'],
  ['2026-04-24 00:30', 'Africa/Cairo', 'time_in_gap'],
  ['2026-12-01 10:00', null, 'zoneless_time'],
  ['2026-12-01T10:00:00', null, 'zoneless_time'],
  ['2026-02-29 10:00', 'UTC', 'impossible_time'],
  ['2026-04-31 10:00', 'UTC', 'impossible_time'],
  ['2026-13-01 10:00', 'UTC', 'impossible_time'],
  ['2026-12-00 10:00', 'UTC', 'impossible_time'],
  ['2026-12-01 24:00', 'UTC', 'impossible_time'],
  ['2026-12-01 10:60', 'UTC', 'impossible_time'],
  ['2026-12-01 10:00:60', 'UTC', 'impossible_time'],
  ['2026-12-01T10:00+15:00', null, 'impossible_time'],
  ['0026-12-01 10:00', 'UTC', 'impossible_time'],
  ['01/12/2026', 'UTC', 'ambiguous_time'],
  ['01/12/2026 10:00', 'UTC', 'ambiguous_time'],
  ['3/14/2027 10:00 AM', 'UTC', 'invalid_time'],
  ['1.12.26 10:00', 'UTC', 'ambiguous_time'],
  ['12.24.2026 10:00', 'UTC', 'impossible_time'],
  ['13/24/2026 10:00', 'UTC', 'impossible_time'],
  ['24.12/2026 10:00', 'UTC', 'ambiguous_time'],
  ['24.12.2026', 'UTC', 'invalid_time'],
  ['24/12/2026', 'UTC', 'invalid_time'],
  ['2026-12-01', 'UTC', 'invalid_time'],
  ['46357.4166', 'UTC', 'invalid_time'],
  ['20261301T1000Z', 'UTC', 'impossible_time'],
  ['2026-12/01 10:00', 'UTC', 'invalid_time'],
  ['tomorrow', 'UTC', 'invalid_time'],
  ['2026-1x-01 10:00', 'UTC', 'invalid_time'],
])('%s in %s is a problem: %s', (text, zone, code) => {
  expect(read(text, zone)).toMatchObject({ fault: { code } });
});

test.each([
  ['12/25/26 6pm', 'two digits', 'If you mean 2026-12-25 18:00, write that.'],
  ['25/12/26 18:00', 'which number is the day', 'Put the year first.'],
  ['1.12.26 10:00', 'which number is the day', 'Put the year first.'],
  ['14. März 2027 20:00', 'in words', 'If you mean 2027-03-14 20:00, write that.'],
  ['14-Mar-27 20:00', 'in words', 'If you mean 2027-03-14 20:00, write that.'],
  ['Sunday, March 14, 2027 20:00', 'in words', 'If you mean 2027-03-14 20:00, write that.'],
  ['So. 14.03.2027 20:00', 'in words', 'If you mean 2027-03-14 20:00, write that.'],
  ['14th March 2027 20:00', 'in words', 'If you mean 2027-03-14 20:00, write that.'],
  ['March 3rd, 2027 8pm', '12-hour clock', 'If you mean 2027-03-03 20:00, write that.'],
  ['2027-03-14 20:00 CET', 'the zone CET', 'Write the time as 20:00, and CET in scheduled_tz.'],
  ['14 Mar 2027 8:00 PM (PST)', 'the zone PST', 'Write the time as 20:00, and the name of its zone'],
  ['2027-03-14 20:00 GMT', 'the zone GMT', 'Write the time as 20:00, and GMT in scheduled_tz.'],
  ['14 มี.ค. 2027 20:00', 'in words', 'If you mean 2027-03-14 20:00, write that.'],
  ['14 มกราคม 2027 20:00', 'in words', 'If you mean 2027-01-14 20:00, write that.'],
  ['14 tháng 3, 2027 20:00', 'in words', 'If you mean 2027-03-14 20:00, write that.'],
  ['Thứ Năm, ngày 14 tháng 1 năm 2027 20:00', 'in words', 'If you mean 2027-01-14 20:00, write that.'],
  ['14 Disember 2027 20:00', 'in words', 'If you mean 2027-12-14 20:00, write that.'],
  ['14 de marzo de 2027, 8:00 p. m.', '12-hour clock', 'If you mean 2027-03-14 20:00, write that.'],
  ['lun 14 giugno 2027, 20:00', 'in words', 'If you mean 2027-06-14 20:00, write that.'],
  ['2027年3月14日 午後8時', '12-hour clock', 'If you mean 2027-03-14 20:00, write that.'],
  ['2027년 3월 14일 오후 8시', '12-hour clock', 'If you mean 2027-03-14 20:00, write that.'],
  ['2027. 3. 14. 오후 8:00', '12-hour clock', 'If you mean 2027-03-14 20:00, write that.'],
  ['14 March 2027 20:00 WIB', 'in words', 'If you mean 2027-03-14 20:00+07:00, write that.'],
  ['2027-03-14 20:00 Europe/Berlin', 'the zone Europe', 'and Europe/Berlin in scheduled_tz.'],
  ['2027-03-14 1:15 PM', '12-hour clock', 'If you mean 2027-03-14 13:15, write that.'],
  ['46460.75', 'a plain number', 'If you mean 2027-03-14 18:00, write that.'],
  ['46460', 'a plain number', 'Format the column as text.'],
  ['tbc', 'there is no time yet', 'skip the row until it is known'],
  ['2027-03-14 TBD', 'the time of day is not known yet: TBD', 'skip the row until it is known'],
  ['3/14/2027 1:15 PM', '12-hour clock', 'If you mean 2027-03-14 13:15, write that.'],
  ['24.12. 18:30', 'the year is missing', 'Write the year too'],
  ['sam. 5 avril 12:00', 'the year is missing', 'Write the year too'],
  ['Mar 14 10:00', 'the year is missing', 'Write the year too'],
  ['mar 14 mars 10:00', 'the year is missing', 'Write the year too'],
  ['14 Mar 27 10:00', 'in words', 'If you mean 2027-03-14 10:00, write that.'],
  ['14 mars 27, 18h', 'in words', 'If you mean 2027-03-14 18:00, write that.'],
  ['Mar 14, 2027 @ 6pm', '12-hour clock', 'If you mean 2027-03-14 18:00, write that.'],
  ['14 Mar 2027 – 18h', 'in words', 'If you mean 2027-03-14 18:00, write that.'],
  ['Mar 14, 27 at 6 pm', '12-hour clock', 'If you mean 2027-03-14 18:00, write that.'],
  ['14 Mar 27', 'the time of day is missing', 'Write the time of day too'],
  ['14 Mar 11', 'the time of day is unclear: 11', 'Write the time of day on the 24-hour clock'],
  ['5 April 19 Uhr 30', 'the year is missing', 'Write the year too'],
  ['1er mai 18h30', 'the year is missing', 'Write the year too'],
  ['martes 3 de marzo 18:30', 'the year is missing', 'Write the year too'],
  ['March 14 6 pm', 'the year is missing', 'Write the year too'],
  ['à confirmer 12:00', 'there is no time yet', 'skip the row until it is known'],
  ['24.12.2026', 'the time of day is missing', 'Write the time of day too'],
  ['18:30', 'the date is missing', 'Write it as'],
  ['24.12.2026 abends', 'the time of day is not known yet: abends', 'skip the row until it is known'],
  ['25/12/2027 tối', 'the time of day is not known yet: tối', 'skip the row until it is known'],
  ['2027-03-14 in the evening', 'the time of day is not known yet', 'skip the row until it is known'],
  ['14 mars 2027 en soirée', 'the time of day is not known yet', 'skip the row until it is known'],
  ['2027年3月14日 晚上', 'the time of day is not known yet', 'skip the row until it is known'],
  ['24.12.2026 bald', 'the time of day is unclear: bald', '24-hour clock'],
  ['soir', 'the time of day is not known yet: soir', 'skip the row until it is known'],
  ['24.12.2026 18', 'the time of day is unclear: 18', '24-hour clock'],
  ['24.12.2026 25:00', 'this time of day does not exist', '24-hour clock'],
])('%s is told as what it is', (text, problem, fix) => {
  expect(read(text, 'UTC')).toMatchObject({
    fault: { problem: expect.stringContaining(problem), fix: expect.stringContaining(fix) },
  });
});

test.each([
  ['2027-05-06 11:00-12:30', 'Asia/Seoul'],
  ['2027-05-06 11:00-1230', null],
  ['2027-05-06 09:00-11', 'UTC'],
  ['2027-05-06 09:00 -11:00', 'UTC'],
  ['2027-05-06 08:00-17:00', 'UTC'],
  ['2027-05-06 22:00-02:00', 'Europe/Berlin'],
  ['06.05.2027 11:00 - 12:30', 'UTC'],
  ['2027-05-06 11:00–12:30', 'UTC'],
  ['2027-05-06 11:00~12:30', 'UTC'],
  ['2027年5月6日 11:00-12:30', 'UTC'],
  ['6 May 2027 11:00-12:30', 'UTC'],
  ['2027-05-06 11am-1pm', 'UTC'],
  ['2027-05-06 11-13 Uhr', 'UTC'],
  ['2027-05-06 from 11 to 13h', 'UTC'],
])('%s in %s is a span of times, not a time with an offset', (text, zone) => {
  expect(read(text, zone)).toMatchObject({
    fault: { problem: 'this is a span of times', fix: expect.stringContaining('Write one time') },
  });
});

test.each([
  ['2027-05-06 19:00-05:00', null, '2027-05-07T00:00:00Z'],
  ['2027-05-06 19:00-04:00', 'America/New_York', '2027-05-06T23:00:00Z'],
  ['2027-05-06 02:00-04:00', 'America/New_York', '2027-05-06T06:00:00Z'],
  ['2027-05-06 02:00:00-04:00', 'UTC', '2027-05-06T06:00:00Z'],
  ['2027-05-06T02:00-04:00', 'UTC', '2027-05-06T06:00:00Z'],
  ['2027-05-06 10:00+12:00', 'UTC', '2027-05-05T22:00:00Z'],
])('%s in %s has an offset', (text, zone, instant) => {
  expect(read(text, zone)).toEqual({ at: Date.parse(instant) });
});

test.each([
  ['2570-01-15 10:00', 'Buddhist', '2027-01-15 10:00'],
  ['2570/1/15 7:05', 'Buddhist', '2027-01-15 07:05'],
  ['2570-01-15T10:00:00+07:00', 'Buddhist', '2027-01-15 10:00:00+07:00'],
  ['15.01.2570 10:00', 'Buddhist', '2027-01-15 10:00'],
  ['01/15/2570 10:00', 'Buddhist', '2027-01-15 10:00'],
  ['25700115T1000', 'Buddhist', '2027-01-15 10:00'],
  ['2570年1月15日 10:00', 'Buddhist', '2027-01-15 10:00'],
  ['Jan 15, 2570 10:00', 'Buddhist', '2027-01-15 10:00'],
  ['2571-02-29 10:00', 'Buddhist', '2028-02-29 10:00'],
  ['15.01.70 10 Uhr', 'Buddhist', '2027-01-15 10:00'],
  ['15 ม.ค. 2570 10.00 น.', 'Buddhist', '2027-01-15 10:00'],
  ['116/01/15 10:00', 'Minguo', '2027-01-15 10:00'],
  ['116.1.15 10:00', 'Minguo', '2027-01-15 10:00'],
  ['民國116年1月15日 10:00', 'Minguo', '2027-01-15 10:00'],
  ['116年1月15日 上午10:00', 'Minguo', '2027-01-15 10:00'],
  ['令和9年1月15日 10時', 'Reiwa', '2027-01-15 10:00'],
  ['R9.1.15 10:00', 'Reiwa', '2027-01-15 10:00'],
])('%s is of the %s calendar: %s', (text, calendar, meant) => {
  expect(read(text, 'UTC')).toMatchObject({
    fault: {
      code: 'other_calendar',
      problem: expect.stringContaining(calendar),
      fix: `If you mean ${meant}, write that.`,
    },
  });
});

test.each(['2568-02-29 10:00', '2570-13-01 10:00'])(
  '%s does not exist, in no calendar that it may be of',
  (text) => {
    expect(read(text, 'UTC')).toMatchObject({ fault: { problem: 'this date does not exist' } });
  },
);

test('a year of another calendar may be the day and month first', () => {
  expect(read('04/03/2570 10:00', 'UTC')).toMatchObject({ fault: { code: 'ambiguous_time' } });
});

test('every column of times knows other calendars', () => {
  const generated = { ...generatedImages, scheduled_tz: 'UTC' };
  expect(problemsOf({ ...generated, ai_exec_at: '2570-01-15 10:00' })).toEqual(['ai_exec_at other_calendar']);
  expect(problemsOf({ scheduled_at: '2570-01-15', scheduled_time: '10:00', scheduled_tz: 'UTC' })).toEqual([
    'scheduled_at other_calendar',
  ]);
});

test('the name of a zone gets its proper case', () => {
  expect(zones.find('europe/berlin')?.name).toBe('Europe/Berlin');
});

test.each(['Mars/Olympus', '+08:00', '', 'Europe'])('%j is not a zone', (name) => {
  expect(zones.find(name)).toBeNull();
});

test.each(['a ', 'tbc ', 'in the '])(
  'a cell of nothing but %j is no time, and read at once',
  { timeout: 20_000 },
  (words) => {
    expect(read(words.repeat(50_000), 'UTC')).toMatchObject({ fault: { code: 'invalid_time' } });
  },
);
