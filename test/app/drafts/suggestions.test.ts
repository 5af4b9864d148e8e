import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SheetEvidence } from '../../../src/app/drafts/suggestions/evidence.ts';
import { suggest } from '../../../src/app/drafts/suggestions/suggest.ts';
import type { FaultyCell } from '../../../src/app/drafts/suggestions/suggestion.ts';
import { cutAtWord } from '../../../src/app/drafts/suggestions/texts.ts';
import { readTime } from '../../../src/manifest/cells/time.ts';
import { Zones } from '../../../src/manifest/cells/zone.ts';
import type { ColumnName } from '../../../src/manifest/columns.ts';
import { matchHeader } from '../../../src/manifest/headers/header.ts';

const header = ['creator', 'media', 'product_title', 'product_id', 'scheduled_at', 'ai_model', 'ai_seconds'];
const { indexes } = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: false });
const cherry = '1729384071926530212';

interface Given {
  readonly code: string;
  readonly column: ColumnName;
  /** Cells of the rows with the problem, by column. */
  readonly rows: readonly Readonly<Partial<Record<string, string>>>[];
  /** Good rows of the sheet. */
  readonly others?: readonly Readonly<Partial<Record<string, string>>>[];
  readonly meant?: readonly (string | undefined)[];
  /** The wrong part, where it is not the whole cell. */
  readonly value?: string;
}

function suggestFor({ code, column, rows, others = [], meant = [], value }: Given) {
  const evidence = new SheetEvidence(indexes);
  for (const row of others) evidence.note(cellsOf(row));
  const cells = rows.map(
    (row, index): FaultyCell => ({
      row: index + 1,
      position: indexes[column],
      value: value ?? row[column] ?? '',
      meant: meant[index],
      cells: cellsOf(row),
    }),
  );
  return suggest({ code, column, cells }, { evidence, indexes });
}

function cellsOf(row: Readonly<Partial<Record<string, string>>>): readonly string[] {
  return header.map((name) => row[name] ?? '');
}

describe('lost product ids', () => {
  const lost = { product_title: 'Cherry', product_id: '1.72938E+18' };
  const good = { product_title: 'Cherry', product_id: cherry };

  it('take the id that the same title has elsewhere, and say so', () => {
    const [first, ...more] = suggestFor({
      code: 'scientific_id',
      column: 'product_id',
      rows: [lost, lost],
      others: [good, good, good],
    });
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      label: `Use ${cherry} in 2 rows`,
      evidence: `In 3 other rows the product title Cherry has the id ${cherry}.`,
      edits: [
        { row: 1, position: 3, text: cherry },
        { row: 2, position: 3, text: cherry },
      ],
    });
  });

  it('take no id whose first digits are others, or more or fewer', () => {
    const others = ['2829384071926530212', '172938407192653021', 'abc'].map((product_id) => ({
      product_title: 'Cherry',
      product_id,
    }));
    expect(suggestFor({ code: 'scientific_id', column: 'product_id', rows: [lost], others })).toEqual([]);
  });

  it('of a workbook agree in the 15 digits that it kept', () => {
    const rows = [{ product_title: 'Cherry', product_id: '1729384071926530000' }];
    const given = { code: 'digits_lost', column: 'product_id', rows } as const;
    expect(suggestFor({ ...given, others: [good] })).toHaveLength(1);
    expect(suggestFor({ ...given, others: [{ ...good, product_id: '1729384071926510212' }] })).toHaveLength(
      0,
    );
  });

  it('have a button for each id where one title has two', () => {
    const others = [good, { ...good, product_id: '1729384071926530999' }];
    const found = suggestFor({ code: 'scientific_id', column: 'product_id', rows: [lost], others });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual([cherry, '1729384071926530999']);
  });

  it('of several titles are mended together where each has one id', () => {
    const peach = { product_title: 'Peach', product_id: '1729384071926530213' };
    const [first] = suggestFor({
      code: 'scientific_id',
      column: 'product_id',
      others: [good, peach],
      rows: [lost, { ...peach, product_id: '1.72938E+18' }],
    });
    expect(first?.edits.map(({ text }) => text)).toEqual([cherry, '1729384071926530213']);
  });
});

describe('a text in place of a product id', () => {
  const foam = { product_title: '', product_id: 'Foam Mini' };
  const others = [{ product_title: 'Foam Mini', product_id: cherry }];

  it('is a title whose id other rows have', () => {
    const found = suggestFor({ code: 'space_in_id', column: 'product_id', rows: [foam], others });
    expect(found.map(({ edits }) => edits)).toEqual([[{ row: 1, position: 3, text: cherry }]]);
  });

  it('stands beside a title whose id other rows have', () => {
    const rows = [{ product_title: 'Foam Mini', product_id: 'see the briefing' }];
    const found = suggestFor({ code: 'space_in_id', column: 'product_id', rows, others });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual([cherry]);
  });

  it('becomes no id by losing its spaces', () => {
    expect(suggestFor({ code: 'space_in_id', column: 'product_id', rows: [foam] })).toEqual([]);
  });
});

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
  ])('reads %s in the one way that is possible, and says so', (written, text) => {
    const given = { code: 'invalid_time', column: 'scheduled_at' } as const;
    const found = suggestFor({ ...given, rows: [{ scheduled_at: written }] });
    expect(found).toEqual([
      {
        id: 'as-written',
        label: `Read ${written} as 14 March 2027, ${text.slice(11)}, 1 row`,
        evidence: 'Only one reading is possible. It is then written with the year first.',
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

describe('a year of another calendar', () => {
  it('is converted in all rows with one press', () => {
    const rows = [{ scheduled_at: '2570-01-15 10:00' }, { scheduled_at: '16.01.2570 11:00 +07:00' }];
    expect(suggestFor({ code: 'other_calendar', column: 'scheduled_at', rows })).toEqual([
      {
        id: 'as-written',
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
      ['Post without a time, 1 row', ''],
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

describe('two of what a row may have once', () => {
  it('are a video and pictures: either is kept', () => {
    const rows = [{ media: 'a.jpg|b.mp4 | c.jpg' }];
    const found = suggestFor({ code: 'mixed_media', column: 'media', rows });
    expect(found.map(({ label, edits }) => [label, edits[0]?.text])).toEqual([
      ['Keep the video only, 1 row', 'b.mp4'],
      ['Keep the pictures only, 1 row', 'a.jpg|c.jpg'],
    ]);
    const [two] = suggestFor({
      code: 'mixed_media',
      column: 'media',
      rows: [{ media: 'a.mp4|b.mp4|c.jpg' }],
    });
    expect(two?.edits[0]?.text).toBe('c.jpg');
  });

  it('are a video and pictures in columns of their own: the others are cleared', () => {
    const cells = ['anna', 'a.mp4', 'b.jpg', 'c.jpg'];
    const faulty = { row: 1, position: 1, value: 'a.mp4|b.jpg|c.jpg', cells };
    const found = suggest(
      { code: 'mixed_media', column: 'media', cells: [faulty] },
      { evidence: new SheetEvidence(indexes), indexes, media: [1, 2, 3] },
    );
    expect(found.map(({ edits }) => edits.map(({ position, text }) => [position, text]))).toEqual([
      [
        [2, ''],
        [3, ''],
      ],
      [[1, '']],
    ]);
  });

  it('are media and a prompt: either is cleared, a prompt with all that belongs to it', () => {
    const rows = [{ media: 'a.mp4', ai_model: 'seedance2.0', ai_seconds: '8' }];
    const found = suggestFor({ code: 'media_and_prompt', column: 'ai_seconds', rows });
    expect(found.map(({ edits }) => edits.map(({ position, text }) => [header[position], text]))).toEqual([
      [
        ['ai_model', ''],
        ['ai_seconds', ''],
      ],
      [['media', '']],
    ]);
  });

  it('are rows with one key: the later one can have its number', () => {
    const [found] = suggestFor({ code: 'duplicate_key', column: 'creator', rows: [{ creator: '1' }] });
    expect(found).toMatchObject({ label: 'Use the row number, 1 row', edits: [{ row: 1, text: '' }] });
  });
});

describe('text that may have been meant', () => {
  it('is the file of the same name with another ending', () => {
    const [found] = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'honey/a.mov' }, { media: 'honey/b.mov' }],
      meant: ['honey/a.mp4', 'honey/b.mp4'],
    });
    expect(found).toMatchObject({
      label: 'Use the .mp4 in 2 rows',
      evidence: 'There are files of the same names that end in .mp4.',
      edits: [{ text: 'honey/a.mp4' }, { text: 'honey/b.mp4' }],
    });
  });

  it('is a suggestion of its own if only the name is similar, and names each file', () => {
    const found = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'a/TAKE.mp4' }, { media: 'a/creem.mp4' }, { media: 'b/take2.mp4' }],
      meant: ['a/take.mp4', 'a/cream.mp4', 'c/take2.mp4'],
    });
    expect(found).toMatchObject([
      {
        label: 'Use the files of the same name in 2 rows',
        evidence:
          'There are files of the same names: a/TAKE.mp4 may be a/take.mp4; b/take2.mp4 may be c/take2.mp4.',
      },
      {
        label: 'Use a/cream.mp4 in 1 row',
        evidence: 'The nearest file: a/creem.mp4 may be a/cream.mp4.',
      },
    ]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
  });

  it('separates links in all rows with one press', () => {
    const [found] = suggestFor({
      code: 'media_separator',
      column: 'media',
      rows: [
        { media: 'https://a.example/1.jpg,https://a.example/2.jpg' },
        { media: 'https://a.example/3.jpg' },
      ],
      meant: [
        'https://a.example/1.jpg|https://a.example/2.jpg',
        'https://a.example/3.jpg|https://a.example/4.jpg',
      ],
    });
    expect(found).toMatchObject({
      label: 'Write | between the items in 2 rows',
      evidence: 'Each link is then an item of its own.',
    });
  });

  it('takes the place of one item of a list', () => {
    const [found] = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'a.jpg | b.jpeg|c.jpg' }],
      value: 'b.jpeg',
      meant: ['b.jpg'],
    });
    expect(found?.edits).toEqual([{ row: 1, position: 1, text: 'a.jpg|b.jpg|c.jpg' }]);
  });

  it('is nothing where the check found nothing', () => {
    const rows = [{ creator: 'nobody' }];
    expect(suggestFor({ code: 'creator_unknown', column: 'creator', rows })).toEqual([]);
  });
});

describe('text over its limit', () => {
  it('is cut at a word', () => {
    expect(cutAtWord('Dew Tint 05 Berry Limited Edition', 30)).toBe('Dew Tint 05 Berry Limited');
  });

  it('is cut anywhere where there are no words', () => {
    expect(cutAtWord('春日限定玫瑰木口红', 4)).toBe('春日限定');
    expect(cutAtWord('x'.repeat(40), 30)).toBe('x'.repeat(30));
  });

  it('counts an emoji as one character', () => {
    expect(cutAtWord('💄💄💄💄', 2)).toBe('💄💄');
  });
});

it('offers the next shorter and the next longer duration of the model', () => {
  const rows = [{ ai_model: 'seedance2.0', ai_seconds: '9' }];
  const found = suggestFor({ code: 'seconds_not_allowed', column: 'ai_seconds', rows });
  expect(found.map(({ edits }) => edits[0]?.text)).toEqual(['8', '10']);
});

describe('a time of day in a column of its own', () => {
  const names = ['scheduled_at', 'scheduled_time'];
  const { indexes } = matchHeader(names, { allowUnknownColumns: true, allowResultsSheet: false });
  const evidence = new SheetEvidence(indexes);
  evidence.note(['2031-03-01', '10:00']);

  it.each([
    ['invalid_time', ['24.12.', '18:30'], ['2031-12-24', '18:30']],
    ['invalid_time', ['14. März 2031', '6 pm'], ['2031-03-14', '18:00']],
    ['ambiguous_time', ['03/04/2031', '9 Uhr'], ['2031-04-03', '09:00']],
    ['time_past', ['2024-03-11', '11:30'], ['2031-03-11', '11:30']],
    ['other_calendar', ['2574-03-11', '11:30'], ['2031-03-11', '11:30']],
    ['time_in_gap', ['30.03.2031', '02:30'], ['2031-03-30', '03:30']],
  ])('is mended with its date (%s)', (code, cells, texts) => {
    const faulty: FaultyCell = { row: 1, position: 0, value: '', cells };
    const [first] = suggest({ code, column: 'scheduled_at', cells: [faulty] }, { evidence, indexes });
    expect(first?.edits.map(({ text }) => text)).toEqual(texts);
  });
});

describe('the id in a text', () => {
  const links = [
    'https://shop.example/product/1730000417',
    'https://shop.example/product/1730000425',
    'https://shop.example/product/1730000425',
  ];

  it('of links is taken for all with one press, each its own', () => {
    const [found, ...more] = suggestFor({
      code: 'link_as_id',
      column: 'product_id',
      rows: links.map((product_id) => ({ product_id })),
      meant: ['1730000417', '1730000425', '1730000425'],
    });
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      label: '3 cells are links: use the number in them',
      edits: [{ text: '1730000417' }, { text: '1730000425' }, { text: '1730000425' }],
    });
  });

  it('of one link, and of a link of a creator, is named', () => {
    const labelOf = (column: 'product_id' | 'creator', text: string, meant: string) =>
      suggestFor({ code: 'link_as_id', column, rows: [{ [column]: text }], meant: [meant] })[0]?.label;
    expect(labelOf('product_id', links[0] ?? '', '1730000417')).toBe(
      '1 cell is a link: use the number in it',
    );
    expect(labelOf('creator', 'https://x.example/@mia/video/1', '@mia')).toBe(
      '1 cell is a link: use the username in it',
    );
  });

  it('of numbers as a spreadsheet program shows them is taken for all with one press', () => {
    const [found] = suggestFor({
      code: 'formatted_number',
      column: 'product_id',
      rows: [{ product_id: '1,730,000,417' }, { product_id: '1730000425.0' }],
      meant: ['1730000417', '1730000425'],
    });
    expect(found).toMatchObject({
      label: 'Use the plain ids in 2 rows',
      edits: [{ text: '1730000417' }, { text: '1730000425' }],
    });
  });

  it('is nothing where the check found none', () => {
    const rows = [{ product_id: 'Cedar Candle' }, { product_id: 'Stone Mug' }];
    expect(suggestFor({ code: 'space_in_id', column: 'product_id', rows })).toEqual([]);
  });
});

describe('one text for several different ones', () => {
  it('is a guess for each of its own', () => {
    const found = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'a/mug1.mp4' }, { media: 'a/mug2.mp4' }, { media: 'a/candel.mp4' }],
      meant: ['a/mug3.mp4', 'a/mug3.mp4', 'a/candle.mp4'],
    });
    expect(found.map(({ label, guessFor, edits }) => [label, guessFor, edits.length])).toEqual([
      ['Use a/mug3.mp4 in 1 row', 'a/mug1.mp4', 1],
      ['Use a/mug3.mp4 in 1 row', 'a/mug2.mp4', 1],
      ['Use a/candle.mp4 in 1 row', 'a/candel.mp4', 1],
    ]);
  });

  it('is one suggestion where the wrong text is one', () => {
    const found = suggestFor({
      code: 'unknown_zone',
      column: 'creator',
      rows: [{ creator: 'Asia/Shangai' }, { creator: 'Asia/Shangai' }],
      meant: ['Asia/Shanghai', 'Asia/Shanghai'],
    });
    expect(found).toMatchObject([{ label: 'Use Asia/Shanghai in 2 rows', guessFor: 'Asia/Shangai' }]);
  });
});

it('searches the products of a large sheet in pieces, with turns for other work in between', async () => {
  const evidence = new SheetEvidence(indexes);
  for (let index = 0; index < 5000; index += 1)
    evidence.note(cellsOf({ product_title: `Serum ${index}`, product_id: String(172_938_407_001 + index) }));
  // Each look at the clock finds a millisecond gone.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  onTestFinished(() => clock.mockRestore());
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  const found = await evidence.products(' serum 49');
  isDone = true;
  await counting;
  expect(found).toHaveLength(111);
  expect(turns).toBeGreaterThan(5);
});
