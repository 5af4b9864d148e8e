import { describe, expect, it } from 'vitest';
import { SheetEvidence } from '../../../../src/app/drafts/suggestions/evidence.ts';
import { suggest } from '../../../../src/app/drafts/suggestions/suggest.ts';
import type { FaultyCell } from '../../../../src/app/drafts/suggestions/suggestion.ts';
import { readTime } from '../../../../src/manifest/cells/time.ts';
import { Zones } from '../../../../src/manifest/cells/zone.ts';
import { matchHeader } from '../../../../src/manifest/headers/header.ts';
import { suggestFor } from './suggest-for.ts';

describe('a date with two readings', () => {
  const rows = [{ scheduled_at: '12/03/2027 20:00' }, { scheduled_at: '11/03/2027 07:30' }];

  it('is offered both ways', () => {
    const found = suggestFor({ code: 'ambiguous_time', column: 'scheduled_at', rows });
    expect(found.map(({ label, edits }) => [label, edits.map(({ text }) => text)])).toEqual([
      ['12/03/2027 is 12 March (day first), 2 rows', ['2027-03-12 20:00', '2027-03-11 07:30']],
      ['12/03/2027 is 3 December (month first), 2 rows', ['2027-12-03 20:00', '2027-11-03 07:30']],
    ]);
  });

  it.each([
    ['2027年3月14日 10:00', '2027-03-14 10:00'],
    ['２０２７年３月１４日　１０：００', '2027-03-14 10:00'],
    ['2027年3月14日(周日) 下午3:05', '2027-03-14 15:05'],
    ['2027年3月14日10点30分', '2027-03-14 10:30'],
    ['3/14/2027 10:00 AM', '2027-03-14 10:00'],
    ['3/14/2027 12:05:09 AM', '2027-03-14 00:05:09'],
    ['14.03.2027, 10:00 Uhr', '2027-03-14 10:00'],
    ['2027.3.14 10:00', '2027-03-14 10:00'],
    ['14 Mar 2027 10:00 p.m.', '2027-03-14 22:00'],
    ['March 14, 2027 9:30', '2027-03-14 09:30'],
    ['46460.416666667', '2027-03-14 10:00'],
    ['46460,75', '2027-03-14 18:00'],
  ])('reads %s in the one way that is possible, and says so', (written, text) => {
    const given = { code: 'invalid_time', column: 'scheduled_at' } as const;
    const found = suggestFor({ ...given, rows: [{ scheduled_at: written }] });
    expect(found).toEqual([
      {
        id: 'as-written',
        confidence: 'sure',
        label: `Read ${written} as 14 March 2027, ${text.slice(11)}, 1 row`,
        evidence: 'This date can be read in only one way. Accepting it writes the year first.',
        edits: [{ row: 1, position: 4, text }],
      },
    ]);
    expect(readTime(text, new Zones().find('UTC'))).toHaveProperty('at');
  });

  it('with AM and PM have a button for each order, in 24 hours', () => {
    const rows = [{ scheduled_at: '3/4/2027 1:15 PM' }];
    const found = suggestFor({ code: 'ambiguous_time', column: 'scheduled_at', rows });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual(['2027-04-03 13:15', '2027-03-04 13:15']);
  });

  it.each([
    '3月14日 10:00',
    '2027年13月1日 10:00',
    '2027年3月14日',
    '3/14/2027 25:00',
    '14/3/2027 13:00 PM',
    '46460',
    '12345.5',
    '4646.5',
    '下周一',
  ])('suggests nothing for %s', (written) => {
    const rows = [{ scheduled_at: written }];
    expect(suggestFor({ code: 'invalid_time', column: 'scheduled_at', rows })).toEqual([]);
  });

  it.each([
    ['24.12. 18:30', ['2027-12-24 18:30']],
    ['12月24日 18:30', ['2027-12-24 18:30']],
    ['3/4 18:30', ['2027-04-03 18:30', '2027-03-04 18:30']],
  ])('without a year (%s) is offered the year of the other rows', (written, texts) => {
    const others = [{ scheduled_at: '25.03.2027 10:00' }, { scheduled_at: '2027-03-25 11:00' }];
    const rows = [{ scheduled_at: written }];
    const found = suggestFor({ code: 'invalid_time', column: 'scheduled_at', rows, others });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual(texts);
    expect(found[0]?.evidence).toBe('In 2 other rows the year is 2027.');
    expect(suggestFor({ code: 'invalid_time', column: 'scheduled_at', rows })).toEqual([]);
  });

  it('says which order other rows have', () => {
    const others = [{ scheduled_at: '25/03/2027 10:00' }];
    const [dayFirst] = suggestFor({ code: 'ambiguous_time', column: 'scheduled_at', rows, others });
    expect(dayFirst?.evidence).toBe('In 1 other row the day is first, as in 25/03/2027.');
  });

  it('is not offered in the past if it may be in the future', () => {
    const rows = [{ scheduled_at: '03/12/2026 18:00' }, { scheduled_at: '18/12/26 19:00' }];
    const now = Date.UTC(2026, 10, 30);
    const found = suggestFor({ code: 'ambiguous_time', column: 'scheduled_at', rows, now });
    expect(found.map(({ edits }) => edits.map(({ text }) => text))).toEqual([
      ['2026-12-03 18:00', '2026-12-18 19:00'],
    ]);
    expect(found[0]?.evidence).toBe('Another reading would be in the past.');
  });

  it('is offered in the year of the other rows if all its readings are past', () => {
    const given = { code: 'ambiguous_time', column: 'scheduled_at', now: Date.UTC(2026, 11, 1) } as const;
    const rows = [{ scheduled_at: '3.12.25 20:00' }];
    const others = [{ scheduled_at: '2026-12-04 10:00' }];
    const found = suggestFor({ ...given, rows, others });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual(['2026-12-03 20:00']);
  });

  it.each(['2027-03-04 12:00 AM', '4 Mar 2027, 12 a.m.'])('may be noon or midnight: %s', (scheduled_at) => {
    const found = suggestFor({ code: 'invalid_time', column: 'scheduled_at', rows: [{ scheduled_at }] });
    expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual([
      ['2027-03-04 00:00', undefined],
      ['2027-03-04 12:00', undefined],
    ]);
  });

  it('of two digits each may begin with its year', () => {
    const found = suggestFor({
      code: 'ambiguous_time',
      column: 'scheduled_at',
      rows: [{ scheduled_at: '10/11/12 08:00' }],
    });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual([
      '2012-11-10 08:00',
      '2012-10-11 08:00',
      '2010-11-12 08:00',
    ]);
  });
});

describe('a time to which no post can be scheduled', () => {
  const textsOf = (code: string, scheduled_at: string, ...others: readonly string[]) =>
    suggestFor({
      code,
      column: 'scheduled_at',
      rows: [{ scheduled_at }],
      others: others.map((other) => ({ scheduled_at: other })),
    }).map(({ label, edits }) => [label, edits[0]?.text]);

  it('in the past is in a later year of other rows, or there is none', () => {
    expect(textsOf('time_past', '2024-03-11 10:00', '2031-03-25 11:00', '2023-03-25 11:00')).toEqual([
      ['Read 2024-03-11 10:00 as 11 March 2031, 10:00, 1 row', '2031-03-11 10:00'],
      ['Post now, without a time, 1 row', ''],
    ]);
  });

  it.each([
    ['2031-03-30 02:30', ['2031-03-30 03:30', '2031-03-30 01:30']],
    ['2026-04-24 00:30', ['2026-04-24 01:30', '2026-04-23 23:30']],
    ['2026-04-24 00:30+02:00', []],
  ])('is an hour later or earlier (%s)', (written, texts) => {
    expect(textsOf('time_in_gap', written).map(([, text]) => text)).toEqual(texts);
  });
});

describe('a time that is not known yet', () => {
  it.each(['tbc', 'TBD', '?', 'n/a', '–', '待定', 'À confirmer', 'a confirmar', 'TBC ?'])(
    '%s can be left empty, which a person chooses',
    (written) => {
      const given = { code: 'invalid_time', column: 'scheduled_at' } as const;
      expect(suggestFor({ ...given, rows: [{ scheduled_at: written }, { scheduled_at: 'soon' }] })).toEqual([
        {
          id: 'at-once',
          label: 'Post now, without a time, 1 row',
          evidence: 'Without a time, a post is sent as soon as it is ready.',
          edits: [{ row: 1, position: 4, text: '' }],
        },
      ]);
    },
  );

  it('beside a date is not left empty: the post is not meant for now', () => {
    const given = { code: 'invalid_time', column: 'scheduled_at' } as const;
    expect(suggestFor({ ...given, rows: [{ scheduled_at: '2031-03-14 tbc' }] })).toEqual([]);
  });
});

describe('a time of day in a column of its own', () => {
  const names = ['scheduled_at', 'scheduled_time'];
  const { indexes } = matchHeader(names);
  const evidence = new SheetEvidence(indexes);
  evidence.note(['2031-03-01', '10:00']);

  it.each([
    ['invalid_time', ['24.12.', '18:30'], ['2031-12-24', '18:30']],
    ['invalid_time', ['14. März 2031', '6 pm'], ['2031-03-14', '18:00']],
    ['ambiguous_time', ['03/04/2031', '9 Uhr'], ['2031-04-03', '09:00']],
    ['time_past', ['2024-03-11', '11:30'], ['2031-03-11', '11:30']],
    ['other_calendar', ['2574-03-11', '11:30'], ['2031-03-11', '11:30']],
    ['time_in_gap', ['30.03.2031', '02:30'], ['2031-03-30', '03:30']],
    ['invalid_time', ['30 Mar 2031', '8,1'], ['2031-03-30', '08:10']],
    ['invalid_time', ['2031-03-30', '19'], ['2031-03-30', '19:00']],
  ])('is edited with its date (%s)', (code, cells, texts) => {
    const faulty: FaultyCell = { row: 1, position: 0, value: '', cells };
    const [first] = suggest({ code, column: 'scheduled_at', cells: [faulty] }, { evidence, indexes });
    expect(first?.edits.map(({ text }) => text)).toEqual(texts);
  });

  it.each([
    ['19.3', ['19:30']],
    ['9.5', ['09:50', '09:30']],
    ['19.7', []],
    ['24.3', []],
  ])(
    'that a spreadsheet program has made a number, %s, is read as %j, and never surely',
    (text, readings) => {
      const cells: FaultyCell[] = [{ row: 1, position: 1, value: text, cells: ['2031-03-30', text] }];
      const found = suggest({ code: 'invalid_time', column: 'scheduled_time', cells }, { evidence, indexes });
      expect(found.map(({ edits }) => edits[1]?.text)).toEqual(readings);
      expect(found.every(({ confidence }) => confidence === undefined)).toBe(true);
    },
  );
});

it.each([
  ['2027-06-15 18:00-20:00', '2027-06-15 18:00'],
  ['15 juin 2027 10h à 12h', '2027-06-15 10:00'],
  ['15.06.2027 zwischen 10:00 und 12:00', '2027-06-15 10:00'],
])('of a span, its start is offered, and never surely: %s', (scheduled_at, text) => {
  const found = suggestFor({ code: 'invalid_time', column: 'scheduled_at', rows: [{ scheduled_at }] });
  expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual([[text, undefined]]);
});

it('PST is no time of America in a sheet of the Philippines', () => {
  const given = { code: 'invalid_time', column: 'scheduled_at', timezone: 'Asia/Manila' } as const;
  expect(suggestFor({ ...given, rows: [{ scheduled_at: '2027-06-13 19:30 PST' }] })).toEqual([]);
});

it.each([
  ['2027-01-13 19h30 CET', [['2027-01-13 19:30', 'sure']]],
  [
    '13.06.2027 7:30 PM (CET)',
    [
      ['2027-06-13 19:30', undefined],
      ['2027-06-13 19:30:00+01:00', undefined],
    ],
  ],
  ['2027-06-13 19:30 CEST', [['2027-06-13 19:30', 'sure']]],
  ['2027-06-13 19:30 EST', [['2027-06-13 19:30:00-05:00', undefined]]],
  ['2027-06-13 19:30 CST', []],
  ['2027-06-13 17:00 UK', [['2027-06-13 17:00:00+01:00', 'likely']]],
  ['2027-01-13 17:00 UK time', [['2027-01-13 17:00:00+00:00', 'likely']]],
  ['2027-06-13 17:00 (IT)', [['2027-06-13 17:00', 'sure']]],
  ['2027-06-13 6:00 PM ET', [['2027-06-13 18:00:00-04:00', 'likely']]],
])('the zone behind a time may be the clock of the sheet, or an offset: %s', (scheduled_at, texts) => {
  const given = { code: 'invalid_time', column: 'scheduled_at', timezone: 'Europe/Paris' } as const;
  const found = suggestFor({ ...given, rows: [{ scheduled_at }] });
  expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(texts);
  const zone = new Zones().find('Europe/Paris');
  for (const [text] of texts) expect(readTime(text ?? '', zone)).toHaveProperty('at');
});
