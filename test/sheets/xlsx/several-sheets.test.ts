import { describe, expect, test } from 'vitest';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { describePlace } from '../../../src/manifest/problems/problem.ts';
import { digestOf } from '../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../src/sheets/sheet.ts';
import { check, right } from '../../importers/manifest-source.ts';
import type { Cells } from '../../support/sheets/sheet.ts';
import { type WorkbookSheet, worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';

const names = ['key', 'creator', 'media', 'caption', 'product_id', 'product_title'];

/** A worksheet of valid rows with some cells changed. @param named its headers, in order. */
function sheet(name: string, rows: readonly Cells[], named: readonly string[] = names): WorkbookSheet {
  return worksheetOf(
    name,
    rows.map((row) => ({ ...right, ...row })),
    named,
  );
}

async function workbook(...sheets: readonly WorkbookSheet[]) {
  return fileSource(await writeWorkbook({ sheets }));
}

const both = { sheet: { sheets: ['Week 1', 'Week 2'] } };

describe('several sheets of a workbook', () => {
  test('are one table, in the order in which they are named', async () => {
    const source = await workbook(
      sheet('Week 1', [{ key: 'a' }, { key: 'b' }]),
      sheet('Notes', [{ key: 'x' }]),
      sheet('Week 2', [{ key: 'c' }]),
    );
    const { handedOn, rows, found } = await check(source, { sheet: { sheets: ['week 2', 'Week 1'] } });
    expect({ rows, found }).toEqual({ rows: 3, found: [] });
    expect(handedOn.map(({ key, number, ...place }) => [key, number, describePlace(place)])).toEqual([
      ['c', 1, 'Week 2, line 2'],
      ['a', 2, 'Week 1, line 2'],
      ['b', 3, 'Week 1, line 3'],
    ]);
  });

  test('name the worksheet of a problem, and of the row that it is about', async () => {
    const source = await workbook(
      sheet('Week 1', [{ key: 'a' }]),
      sheet('Week 2', [{ key: 'b' }, { key: 'a', caption: 'Ho' }, { key: 'c', caption: '' }]),
    );
    const { problems, refused, warnings } = await check(source, both);
    expect(problems.kept).toMatchObject([
      { worksheet: 'Week 2', line: 3, problem: 'the row on Week 1, line 2 has the same key' },
      { worksheet: 'Week 2', line: 4, code: 'missing_value' },
    ]);
    expect(refused.map(describePlace)).toEqual(['Week 2, line 3', 'Week 2, line 4']);
    expect(warnings.kept[0]).toMatchObject({
      worksheet: 'Week 2',
      problem: 'Week 1, line 2 has the same caption for this creator',
    });
  });

  test('named once, or twice with one name, have places without a worksheet', async () => {
    const source = await workbook(sheet('Week 1', [{ key: 'a', caption: '' }]));
    const { problems } = await check(source, { sheet: { sheets: ['Week 1', 'WEEK 1'] } });
    expect(problems.kept.map(describePlace)).toEqual(['line 2']);
  });

  test('may have their columns in another order, faults of cells included', async () => {
    const turned = [...names].reverse();
    const other = sheet('Week 2', [{ key: 'b' }], turned);
    const cells = turned.map((name) => (name === 'caption' ? '<c t="e"><v>#N/A</v></c>' : '<c><v>1</v></c>'));
    const rows = `${other.rows}<row>${cells.join('')}</row>`;
    const source = await workbook(sheet('Week 1', [{ key: 'a' }]), { ...other, rows });
    const { handedOn, problems } = await check(source, both);
    expect(handedOn.map(({ cells }) => cells)).toEqual(
      ['a', 'b'].map((key) => [key, 'demo_anna', 'a.mp4', 'Hi', '1', 'Serum']),
    );
    expect(problems.kept).toContainEqual(
      expect.objectContaining({ column: 'caption', code: 'cell_error', worksheet: 'Week 2', line: 3 }),
    );
  });

  test.each([
    ['a column more', [...names, 'hashtags'], 'it also has "hashtags"'],
    ['a column less', names.slice(0, -1), 'it lacks "product_title"'],
    ['another column', [...names.slice(0, -1), 'Titel'], 'it lacks "product_title" and also has "Titel"'],
  ])('of which one has %s are refused, with the headers that differ', async (_name, others, differs) => {
    const source = await workbook(sheet('Week 1', [{ key: 'a' }]), sheet('Week 2', [{ key: 'b' }], others));
    const { blocking } = await check(source, both);
    expect(blocking).toMatchObject([
      {
        worksheet: 'Week 2',
        line: 1,
        code: 'headers_differ',
        problem: `"Week 2" does not have the headers of "Week 1": ${differs}`,
      },
    ]);
  });

  test('of which one is empty or missing are refused', async () => {
    const source = await workbook(sheet('Week 1', [{ key: 'a' }]), { name: 'Week 2', rows: '' });
    const { blocking } = await check(source, both);
    expect(blocking).toMatchObject([{ worksheet: 'Week 2', code: 'empty_file' }]);
    const missing = await check(source, { sheet: { sheets: ['Week 1', 'Week 9'] } });
    expect(missing.blocking).toMatchObject([{ code: 'unknown_sheet' }]);
    expect(missing.rows).toBe(0);
  });

  test('without rows yet are read', async () => {
    const source = await workbook(sheet('Week 1', [{ key: 'a' }]), sheet('Week 2', []));
    expect(await check(source, both)).toMatchObject({ rows: 1, found: [] });
  });

  test('are a manifest of their own, the same in any case of the names', async () => {
    const source = await workbook(sheet('Week 1', [{}]), sheet('Week 2', [{}]));
    const digest = await digestOf(source, both.sheet);
    expect(await digestOf(source, { sheets: ['WEEK 1', 'week 2'] })).toBe(digest);
    const others = [undefined, ['Week 1'], ['Week 2'], ['Week 2', 'Week 1']];
    for (const sheets of others) expect(await digestOf(source, { sheets })).not.toBe(digest);
    expect((await check(source, both)).sha256).toBe(digest);
  });
});

describe('the notice of sheets that are not read', () => {
  test('tells how to read those with the same headers, too', async () => {
    const source = await workbook(
      sheet('Week 1', [{ key: 'a' }]),
      sheet('Wider', [{ key: 'x' }], [...names, 'is_ai_generated']),
      sheet('Week 2', [{ key: 'b' }], [...names].reverse()),
      sheet('Week 3', [{ key: 'c' }]),
    );
    const read = async (sheets?: readonly string[]) =>
      (await check(source, { sheet: { sheets } })).notices[0]?.fix;
    expect(await read()).toContainEqual(
      hint('readSheets', { sheets: ['Week 1', 'Week 2', 'Week 3'], more: ['Week 2', 'Week 3'] }),
    );
    expect(await read(['Week 1', 'Week 3'])).toContainEqual(
      hint('readSheets', { sheets: ['Week 1', 'Week 3', 'Week 2'], more: ['Week 2'] }),
    );
    expect(await read(['Week 1', 'Week 3', 'Week 2'])).toContainEqual(hint('otherSheet', { sheet: 'Wider' }));
  });
});
