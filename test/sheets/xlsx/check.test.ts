import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ColumnName } from '../../../src/manifest/columns.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { digestOf } from '../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../src/sheets/sheet.ts';
import { check, manifestOf } from '../../importers/manifest-source.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type WorkbookSheet, writeWorkbook } from '../../support/sheets/workbook.ts';

const names = ['key', 'creator', 'media', 'caption', 'product_id', 'product_title', '_note'];

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const error = '<c t="e"><v>#N/A</v></c>';
const rowOf = (cells: readonly string[]) => `<row>${cells.join('')}</row>`;

/** A valid row with some cells changed. */
function row(cells: Readonly<Record<string, string>> = {}): string {
  const good: Readonly<Record<string, string>> = {
    creator: text('demo_anna'),
    media: text('a.mp4'),
    caption: text('Hi'),
    product_id: '<c><v>172943234234234</v></c>',
    product_title: text('Serum'),
    ...cells,
  };
  return rowOf(names.map((name) => good[name] ?? '<c/>'));
}

async function checkRows(...rows: readonly string[]) {
  const path = await writeWorkbook({ rows: rowOf(names.map(text)) + rows.join('') });
  return check(fileSource(path));
}

test('a workbook is checked like a CSV file', async () => {
  const { handedOn, found } = await checkRows(row({ key: text('one') }), row());
  expect(found).toEqual([]);
  expect(handedOn).toMatchObject([
    { line: 2, key: 'one', cells: ['one', 'demo_anna', 'a.mp4', 'Hi', '172943234234234', 'Serum', ''] },
    { line: 3, key: '2' },
  ]);
});

test('faults of cells have the names of their columns, next to the problems of other cells', async () => {
  const { problems } = await checkRows(
    row(),
    row({
      key: text('b'),
      caption: error,
      product_id: '<c><v>1729432342342341120</v></c>',
      product_title: '<c/>',
    }),
  );
  expect(problems.kept).toMatchObject([
    { line: 3, key: 'b', column: 'caption', code: 'cell_error', value: '#N/A' },
    { line: 3, key: 'b', column: 'product_id', code: 'digits_lost' },
    { line: 3, key: 'b', column: 'product_title', code: 'missing_value' },
  ]);
});

test('beside a faulty cell, creator, media and time are checked; the faulty ones are not looked up', async () => {
  const path = await writeWorkbook({
    rows:
      rowOf(names.map(text)) +
      row({ caption: error, creator: text('nobody'), media: text('gone.mp4') }) +
      row({ creator: error, media: text('gone.mp4') }) +
      row({ media: error, creator: text('nobody') }),
  });
  const { found } = await check(fileSource(path), {
    creators: async () => new Map(),
    media: async () => ({ fault: { code: 'media_missing', problem: 'no such file', fix: 'Put it there.' } }),
  });
  expect(found).toEqual([
    '2 caption cell_error',
    '2 creator creator_unknown',
    '2 media media_missing',
    '3 creator cell_error',
    '3 media media_missing',
    '4 media cell_error',
    '4 creator creator_unknown',
  ]);
});

test('a faulty cell in a column of notes is no problem', async () => {
  expect((await checkRows(row({ _note: error }))).accepted).toBe(1);
});

test('a faulty key does not count as a duplicate', async () => {
  const { found } = await checkRows(row({ key: error }), row({ key: error }));
  expect(found).toEqual(['2 key cell_error', '3 key cell_error']);
});

test('a cell beside the table is reported with its column letters', async () => {
  const { found } = await checkRows(row().replace('</row>', `${text('stray')}</row>`));
  expect(found).toEqual(['2 H cell_without_header']);
});

test('a header that shows an error blocks the manifest', async () => {
  const path = await writeWorkbook({ rows: rowOf([...names.slice(1).map(text), error]) + row() });
  const { blocking, accepted } = await check(fileSource(path));
  expect(blocking).toMatchObject([{ line: 1, code: 'cell_error' }]);
  expect(accepted).toBe(0);
});

test('an unreadable workbook blocks the manifest and has no digest', async () => {
  const path = join(temporaryFolder(), 'plan.xlsx');
  writeFileSync(path, Buffer.from('504b0304', 'hex'));
  const { blocking, sha256 } = await check(fileSource(path));
  expect(blocking).toMatchObject([{ line: 1, code: 'broken_workbook' }]);
  expect(sha256).toBeNull();
});

test('an empty sheet is an empty file', async () => {
  expect((await check(fileSource(await writeWorkbook({ rows: '' })))).found).toEqual(['1 - empty_file']);
});

test('only workbooks accept a sheet name', async () => {
  expect((await check(manifestOf([{}]), { sheet: { sheets: ['March'] } })).found).toEqual(['1 - no_sheets']);
});

describe('the same sheet is the same manifest', async () => {
  const sheet = (name: string): WorkbookSheet => ({ name, rows: rowOf(names.map(text)) + row() });

  async function workbook() {
    return fileSource(await writeWorkbook({ sheets: [sheet('February'), sheet('March')] }));
  }

  test('named or not', async () => {
    const source = await workbook();
    expect(await digestOf(source, { sheets: ['february'] })).toBe(await digestOf(source));
  });

  test('another sheet is another manifest, in any case of its name', async () => {
    const source = await workbook();
    const march = await digestOf(source, { sheets: ['March'] });
    expect(march).not.toBe(await digestOf(source));
    expect(march).toBe(await digestOf(source, { sheets: ['MARCH'] }));
  });

  test('the check returns the digest of the manifest', async () => {
    const source = await workbook();
    expect((await check(source, { sheet: { sheets: ['March'] } })).sha256).toBe(
      await digestOf(source, { sheets: ['March'] }),
    );
  });
});

test('the headers below a title are found', async () => {
  const rows = rowOf([text('Spring campaign')]) + rowOf(names.map(text)) + row();
  const { found, headerLine, accepted } = await check(fileSource(await writeWorkbook({ rows })));
  expect({ found, headerLine, accepted }).toEqual({ found: [], headerLine: 2, accepted: 1 });
});

describe('a workbook that begins with a cover', () => {
  const cover = { name: 'Cover', rows: rowOf([text('Spring campaign')]) + rowOf([text('for: Anna')]) };
  const lists = { name: 'Lists', rows: rowOf([text('creator'), text('region')]) };
  const hidden = { name: 'Old', rows: rowOf(names.map(text)), state: 'hidden' } as const;
  const posts = { name: 'Posts', rows: rowOf(names.map(text)) + row() };

  test.each([
    ['with a title', cover],
    ['that is empty', { name: 'Cover', rows: '' }],
  ])('%s: the message names the sheet that looks like a manifest', async (_name, first) => {
    const source = fileSource(await writeWorkbook({ sheets: [first, lists, hidden, posts] }));
    const { problems, blocking } = await check(source);
    expect(problems.kept).toEqual([
      {
        line: 1,
        key: null,
        column: null,
        code: 'cover_sheet',
        value: '',
        problem: 'the first sheet, "Cover", does not look like a sheet of posts; "Posts" looks like one',
        fix: ['The workbook has 3 visible sheets.', hint('chooseSheet', { sheet: 'Posts' })],
      },
    ]);
    expect(blocking).toHaveLength(1);
    expect((await check(source, { sheet: { sheets: ['Posts'] } })).accepted).toBe(1);
  });

  test('and has no manifest: the problem is what the first sheet lacks', async () => {
    const { found } = await check(fileSource(await writeWorkbook({ sheets: [cover, lists] })));
    expect(found).toContain('1 caption missing_column');
  });

  test('is not a cover if its headers are mapped to what a sheet of posts has', async () => {
    const short = ['k', 'c', 'm', 'txt', 'p', 't', '_note'];
    const named = { name: 'Plan', rows: rowOf(short.map(text)) + row() };
    const map = new Map(
      short.flatMap((name, position) => {
        const column = names[position] as ColumnName;
        return name.startsWith('_') ? [] : [[name, column] as const];
      }),
    );
    const source = fileSource(await writeWorkbook({ sheets: [named, posts] }));
    const { found, accepted } = await check(source, { sheet: { map } });
    expect({ found, accepted }).toEqual({ found: [], accepted: 1 });
  });

  test('is not a cover if it lacks only one column', async () => {
    const almost = { name: 'New', rows: rowOf(names.filter((name) => name !== 'caption').map(text)) };
    const { found } = await check(fileSource(await writeWorkbook({ sheets: [almost, posts] })));
    expect(found).toEqual(['1 caption missing_column']);
  });
});

describe('other sheets of a workbook', () => {
  const header = rowOf(names.map(text));
  const notes = `${rowOf(['Week', 'Theme'].map(text))}${rowOf(['1', 'Glow'].map(text))}`;
  const noticesOf = async (sheets: readonly WorkbookSheet[], named?: readonly string[]) => {
    const path = await writeWorkbook({ sheets });
    const { notices, rows } = await check(fileSource(path), { sheet: { sheets: named } });
    const fixes = notices.map(({ fix }) => fix);
    return { rows, fixes, told: notices.map(({ code, problem }) => `${code}: ${problem}`) };
  };
  const first = { name: 'Week 1', rows: header + row() };

  test('with the headers of posts are named', async () => {
    const sheets = [
      first,
      { name: 'Themes', rows: notes },
      { name: 'Week 2', rows: header + row() },
      { name: 'Week 3', rows: header + row() },
      { name: 'Old', rows: header + row(), state: 'hidden' as const },
    ];
    expect(await noticesOf(sheets)).toMatchObject({
      rows: 1,
      told: ['sheets_not_read: "Week 2", "Week 3" of the same workbook have posts, too, and are not read'],
    });
    expect((await noticesOf(sheets, ['Week 3'])).told[0]).toContain('"Week 1", "Week 2" of');
  });

  test('with the same headers are named before the columns are clear', async () => {
    const unclear = rowOf(names.map((name) => text(name === 'creator' ? 'Wer postet' : name))) + row();
    const { told } = await noticesOf([
      { name: 'Week 1', rows: unclear },
      { name: 'Week 2', rows: unclear },
    ]);
    expect(told).toEqual(['sheets_not_read: "Week 2" of the same workbook has posts, too, and is not read']);
  });

  test('with the ids of products are named if the sheet lacks them', async () => {
    const catalogue = { name: 'Products', rows: rowOf(['Name', 'SKU', 'Price'].map(text)) };
    const bare = { name: 'Plan', rows: rowOf(names.filter((name) => name !== 'product_id').map(text)) };
    const told = (await noticesOf([bare, catalogue])).told;
    expect(told).toEqual(['ids_in_other_sheet: the product ids are in the worksheet "Products", column SKU']);
    expect((await noticesOf([first, catalogue])).told).toEqual([]);
    const both = { name: 'Catálogo', rows: rowOf(['SKU', 'Producto', 'ID de producto'].map(text)) };
    expect((await noticesOf([bare, both])).told[0]).toContain('column ID de producto');
    const named = names.map((name) => (name === 'product_id' ? 'Sản phẩm' : name));
    const row = named.map((name) => (name === 'Sản phẩm' ? 'Nến thơm' : 'a.mp4'));
    const plan = { name: 'Plan', rows: rowOf(named.map(text)) + rowOf(row.map(text)) };
    expect((await noticesOf([plan, catalogue])).fixes).toEqual([
      'Say that Sản phẩm is product_id: the draft page then offers the id of each name.',
    ]);
  });

  test('that are something else are not', async () => {
    expect((await noticesOf([first, { name: 'Themes', rows: notes }])).told).toEqual([]);
  });
});
