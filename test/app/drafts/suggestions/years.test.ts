import { describe, expect, it } from 'vitest';
import { suggestFor } from './suggest-for.ts';

describe('a year of another calendar', () => {
  it('is converted in all rows with one press', () => {
    const rows = [{ scheduled_at: '2570-01-15 10:00' }, { scheduled_at: '16.01.2570 11:00 +07:00' }];
    expect(suggestFor({ code: 'other_calendar', column: 'scheduled_at', rows })).toEqual([
      {
        id: 'as-written',
        confidence: 'sure',
        label: 'Read 2570-01-15 10:00 as 15 January 2027, 10:00, and so in 2 rows',
        evidence: 'In the Buddhist calendar, 2027 is the year 2570.',
        edits: [
          { row: 1, position: 4, text: '2027-01-15 10:00' },
          { row: 2, position: 4, text: '2027-01-16 11:00+07:00' },
        ],
      },
    ]);
  });

  it('is converted in a date without its time of day, too', () => {
    const rows = [{ scheduled_at: '116/01/15' }];
    const [first] = suggestFor({ code: 'other_calendar', column: 'scheduled_at', rows });
    expect(first?.edits.map(({ text }) => text)).toEqual(['2027-01-15']);
  });

  it('is shown converted where the day may be first or the month', () => {
    const rows = [{ scheduled_at: '04/03/2570 10:00' }];
    expect(
      suggestFor({ code: 'ambiguous_time', column: 'scheduled_at', rows }).map(({ label }) => label),
    ).toEqual([
      '04/03/2570 is 4 March 2027 (day first), 1 row',
      '04/03/2570 is 3 April 2027 (month first), 1 row',
    ]);
  });
});

describe('a date without a year, but with its weekday', () => {
  const others = ['2026-11-30 10:00', '2027-01-12 10:00', '2027-01-13 10:00'].map((scheduled_at) => ({
    scheduled_at,
  }));
  const found = (scheduled_at: string) =>
    suggestFor({
      code: 'invalid_time',
      column: 'scheduled_at',
      rows: [{ scheduled_at }],
      others,
      now: Date.UTC(2026, 1, 5),
    }).map(({ edits, confidence }) => [edits[0]?.text, confidence]);

  it.each(['Fr 05.02. 18:30', 'Friday, February 5 18:30'])(
    'is surely in the year that fits: %s',
    (written) => {
      expect(found(written)).toEqual([['2027-02-05 18:30', 'sure']]);
    },
  );

  it.each(['Thu', 'Thur', 'Thurs.'])('may be short: %s', (name) =>
    expect(found(`${name} 4 Feb 18:30`)).toEqual([['2027-02-04 18:30', 'sure']]),
  );

  it('is surely in the year behind those of the other rows, if it fits only there', () => {
    expect(found('Sa 05.02. 18:30')).toEqual([['2028-02-05 18:30', 'sure']]);
  });

  it('is sure beside dates that have none', () => {
    const rows = ['Fr 05.02. 18:30', '06.02. 18:30'].map((scheduled_at) => ({ scheduled_at }));
    const [first] = suggestFor({ code: 'invalid_time', column: 'scheduled_at', rows, others });
    expect([first?.edits.length, first?.confidence]).toEqual([1, 'sure']);
  });

  it('is in no year surely if it fits none, or without it', () => {
    expect(found('Mo 05.02. 18:30')).toEqual([
      ['2027-02-05 18:30', undefined],
      ['2026-02-05 18:30', undefined],
    ]);
    expect(found('05.02. 18:30')).toEqual([
      ['2027-02-05 18:30', undefined],
      ['2026-02-05 18:30', undefined],
    ]);
  });
});

it.each(['Mon 3 Dec 2026 10:00', 'Mon 3 Dec 10:00'])(
  'a date with another weekday is a question: %s',
  (written) => {
    const rows = [{ scheduled_at: written }];
    const others = [{ scheduled_at: '2026-12-04 10:00' }];
    const now = Date.UTC(2026, 10, 1);
    const [found] = suggestFor({ code: 'invalid_time', column: 'scheduled_at', rows, others, now });
    expect(found?.label).toBe(`Read ${written} as 3 December 2026, 10:00, 1 row`);
    expect(found?.evidence).toMatch(/3 December 2026 is a Thursday\.$/);
    expect(found?.confidence).toBeUndefined();
  },
);

it('a date without a year is not more than a year ahead, if it need not be', () => {
  const others = ['2026-11-30 10:00', '2027-01-12 10:00'].map((scheduled_at) => ({ scheduled_at }));
  const rows = [{ scheduled_at: '18 de diciembre 19:00' }];
  const given = { code: 'invalid_time', column: 'scheduled_at', others, rows } as const;
  const found = suggestFor({ ...given, now: Date.UTC(2026, 10, 30) });
  expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual([
    ['2026-12-18 19:00', 'likely'],
  ]);
});

it('a date without a year is in no year that makes it past', () => {
  const others = ['2026-11-30 10:00', '2027-01-12 10:00'].map((scheduled_at) => ({ scheduled_at }));
  const given = { code: 'invalid_time', column: 'scheduled_at', others } as const;
  const now = Date.UTC(2026, 10, 1);
  const found = suggestFor({ ...given, rows: [{ scheduled_at: '2 juin 18:30' }], now });
  expect(found.map(({ edits }) => edits[0]?.text)).toEqual(['2027-06-02 18:30']);
});

describe('a past date whose year no other row has', () => {
  const plan = ['2027-03-01', '2027-03-09', '16.03.2027', '2027-03-22', '2027-03-30'];
  const found = (written: string, days = plan) => {
    const rows = [{ scheduled_at: `${written} 18:30` }];
    const others = [...rows, ...days.map((day) => ({ scheduled_at: `${day} 10:00` }))];
    const now = Date.UTC(2027, 1, 20);
    return suggestFor({ code: 'time_past', column: 'scheduled_at', rows, others, now });
  };

  it('is surely in the year in which it lies among their days', () => {
    const [sure, ...more] = found('2026-03-15');
    expect(more).toEqual([]);
    expect(sure).toMatchObject({
      confidence: 'sure',
      evidence: 'In 5 other rows the year is 2027, in none it is 2026. In 2027, the date is among theirs.',
      edits: [{ text: '2027-03-15 18:30' }],
    });
  });

  it('is so in a plan of two years', () => {
    const turn = ['2027-12-20', '2027-12-28', '2027-12-31', '2028-01-04', '2028-01-09'];
    expect(found('2026-12-30', turn).map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual([
      ['2027-12-30 18:30', 'sure'],
    ]);
  });

  it.each([
    ['lies outside their days', '2026-05-02', plan],
    ['is the year of another row', '2026-03-15', [...plan, '2026-03-20']],
    ['stands beside few others', '2026-03-15', plan.slice(2)],
    ['has the weekday of its own year', 'Sun 15 Mar 2026', plan],
  ])('is a question if it %s', (_why, written, days) => {
    expect(found(written, days).map(({ confidence }) => confidence)).toEqual([undefined, undefined]);
  });
});
