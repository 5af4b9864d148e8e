import { describe, expect, it } from 'vitest';
import { SheetEvidence } from '../../src/drafts/suggestions/evidence.ts';
import { suggest } from '../../src/drafts/suggestions/suggest.ts';
import type { FaultyCell } from '../../src/drafts/suggestions/suggestion.ts';
import { cutAtWord } from '../../src/drafts/suggestions/texts.ts';
import { readTime } from '../../src/manifest/cells/time.ts';
import { Zones } from '../../src/manifest/cells/zone.ts';
import type { ColumnName } from '../../src/manifest/columns.ts';
import { matchHeader } from '../../src/manifest/headers/header.ts';

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
  return suggest({ code, column, cells }, evidence, indexes);
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
      mends: [
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
    expect(found.map(({ mends }) => mends[0]?.text)).toEqual([cherry, '1729384071926530999']);
  });

  it('of several titles are mended together where each has one id', () => {
    const peach = { product_title: 'Peach', product_id: '1729384071926530213' };
    const [first] = suggestFor({
      code: 'scientific_id',
      column: 'product_id',
      others: [good, peach],
      rows: [lost, { ...peach, product_id: '1.72938E+18' }],
    });
    expect(first?.mends.map(({ text }) => text)).toEqual([cherry, '1729384071926530213']);
  });
});

describe('a date with two readings', () => {
  const rows = [{ scheduled_at: '12/03/2027 20:00' }, { scheduled_at: '11/03/2027 07:30' }];

  it('is offered both ways', () => {
    const found = suggestFor({ code: 'ambiguous_time', column: 'scheduled_at', rows });
    expect(found.map(({ label, mends }) => [label, mends.map(({ text }) => text)])).toEqual([
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
        mends: [{ row: 1, position: 4, text }],
      },
    ]);
    expect(readTime(text, new Zones().find('UTC'))).toHaveProperty('at');
  });

  it('with AM and PM have a button for each order, in 24 hours', () => {
    const rows = [{ scheduled_at: '3/4/2027 1:15 PM' }];
    const found = suggestFor({ code: 'ambiguous_time', column: 'scheduled_at', rows });
    expect(found.map(({ mends }) => mends[0]?.text)).toEqual(['2027-04-03 13:15', '2027-03-04 13:15']);
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
    expect(found.map(({ mends }) => mends[0]?.text)).toEqual(texts);
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
    expect(found.map(({ mends }) => mends[0]?.text)).toEqual([
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
    }).map(({ label, mends }) => [label, mends[0]?.text]);

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
    expect(found.map(({ label, mends }) => [label, mends[0]?.text])).toEqual([
      ['Keep the video only, 1 row', 'b.mp4'],
      ['Keep the pictures only, 1 row', 'a.jpg|c.jpg'],
    ]);
    const [two] = suggestFor({
      code: 'mixed_media',
      column: 'media',
      rows: [{ media: 'a.mp4|b.mp4|c.jpg' }],
    });
    expect(two?.mends[0]?.text).toBe('c.jpg');
  });

  it('are a video and pictures in columns of their own: the others are cleared', () => {
    const cells = ['anna', 'a.mp4', 'b.jpg', 'c.jpg'];
    const faulty = { row: 1, position: 1, value: 'a.mp4|b.jpg|c.jpg', cells };
    const found = suggest(
      { code: 'mixed_media', column: 'media', cells: [faulty] },
      new SheetEvidence(indexes),
      indexes,
      [1, 2, 3],
    );
    expect(found.map(({ mends }) => mends.map(({ position, text }) => [position, text]))).toEqual([
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
    expect(found.map(({ mends }) => mends.map(({ position, text }) => [header[position], text]))).toEqual([
      [
        ['ai_model', ''],
        ['ai_seconds', ''],
      ],
      [['media', '']],
    ]);
  });

  it('are rows with one key: the later one can have its number', () => {
    const [found] = suggestFor({ code: 'duplicate_key', column: 'creator', rows: [{ creator: '1' }] });
    expect(found).toMatchObject({ label: 'Use the row number, 1 row', mends: [{ row: 1, text: '' }] });
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
      mends: [{ text: 'honey/a.mp4' }, { text: 'honey/b.mp4' }],
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

  it('takes the place of one item of a list', () => {
    const [found] = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'a.jpg | b.jpeg|c.jpg' }],
      value: 'b.jpeg',
      meant: ['b.jpg'],
    });
    expect(found?.mends).toEqual([{ row: 1, position: 1, text: 'a.jpg|b.jpg|c.jpg' }]);
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
  expect(found.map(({ mends }) => mends[0]?.text)).toEqual(['8', '10']);
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
    ['time_in_gap', ['30.03.2031', '02:30'], ['2031-03-30', '03:30']],
  ])('is mended with its date (%s)', (code, cells, texts) => {
    const faulty: FaultyCell = { row: 1, position: 0, value: '', cells };
    const [first] = suggest({ code, column: 'scheduled_at', cells: [faulty] }, evidence, indexes);
    expect(first?.mends.map(({ text }) => text)).toEqual(texts);
  });
});
