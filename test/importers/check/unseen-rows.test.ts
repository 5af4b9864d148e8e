import { describe, expect, it } from 'vitest';
import { fileSource, type RowChoice } from '../../../src/sheets/sheet.ts';
import { partsOf, type WorkbookContents, writeParts } from '../../support/sheets/workbook.ts';
import { check, right } from '../manifest-source.ts';

const names = [...Object.keys(right), 'cover'];

interface Options {
  /** Attributes of the row. */
  readonly row?: string;
  /** Style of all cells, or the style of some by column. */
  readonly styles?: string | Readonly<Record<string, string>>;
  readonly caption?: string;
}

let line = 1;
function rowOf({ row = '', styles = {}, caption = 'Glow' }: Options = {}): string {
  line += 1;
  const cells = Object.entries({ ...right, caption }).map(([name, value], index) => {
    const style = typeof styles === 'string' ? styles : styles[name];
    const s = style === undefined ? '' : ` s="${style}"`;
    const is = name === 'caption' && value.startsWith('<') ? value : `<t>${value}</t>`;
    return `<c r="${String.fromCharCode(65 + index)}${line}"${s} t="inlineStr"><is>${is}</is></c>`;
  });
  return `<row r="${line}"${row === '' ? '' : ` ${row}`}>${cells.join('')}</row>`;
}

async function checkRows(
  rows: readonly Options[],
  { cols = '', hidden }: { readonly cols?: string; readonly hidden?: RowChoice } = {},
) {
  line = 1;
  const header = `<row r="1">${names.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>`;
  const contents: WorkbookContents = { rows: header + rows.map(rowOf).join('') };
  const parts = partsOf(contents);
  const sheet = 'xl/worksheets/sheet1.xml';
  const path = await writeParts({
    ...parts,
    [sheet]: String(parts[sheet]).replace('<sheetData>', `${cols}<sheetData>`),
    'xl/styles.xml':
      '<styleSheet><fonts><font><sz val="11"/></font><font><strike/></font><font><strike val="0"/></font></fonts>' +
      '<cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/><xf numFmtId="0" fontId="2"/></cellXfs></styleSheet>',
  });
  const result = await check(fileSource(path), { sheet: { hidden } });
  return {
    ...result,
    warned: result.warnings.kept.map((each) => `${each.line} ${each.column ?? '-'} ${each.code}`),
  };
}

const captions = ['a', 'b', 'c', 'd'].map((caption) => ({ caption }));

describe('rows that nobody sees have a problem, or a warning if they are to be posted', () => {
  it.each([
    ['hidden, as by a filter', { row: 'hidden="1"' }, '3 - row_hidden'],
    ['of no height', { row: 'ht="0" customHeight="1"' }, '3 - row_hidden'],
    ['struck through', { styles: '1' }, '3 - row_struck'],
  ])('%s', async (_what, options, expected) => {
    const rows = [{ caption: 'a' }, { caption: 'b', ...options }];
    expect(await checkRows(rows)).toMatchObject({ warned: [], accepted: 1, found: [expected] });
    expect(await checkRows(rows, { hidden: 'post' })).toMatchObject({
      warned: [expected],
      accepted: 2,
      found: [],
    });
  });
});

describe('texts that are struck through are warned of', () => {
  it.each([
    ['with a struck caption', { styles: { caption: '1' } }, '3 caption text_struck'],
    [
      'with a part of a caption struck',
      { caption: '<r><rPr><strike/></rPr><t>50</t></r><r><t>40 % off</t></r>' },
      '3 caption text_struck',
    ],
  ])('%s', async (_what, options, warning) => {
    const { warned, accepted, found } = await checkRows([{ caption: 'a' }, { caption: 'b', ...options }]);
    expect({ warned, accepted, found }).toEqual({ warned: [warning], accepted: 2, found: [] });
  });

  it.each([
    ['with a switch that is off', { row: 'hidden="0"', styles: '2' }],
    ['with usual cells', { styles: '0' }],
  ])('not %s', async (_what, options) => {
    expect((await checkRows([{ caption: 'a' }, { caption: 'b', ...options }])).warned).toEqual([]);
  });
});

it('hidden and struck rows are left out if that is asked, and counted', async () => {
  const [a, b, c, d] = captions;
  const rows = [a, { ...b, row: 'hidden="1"' }, { ...c, styles: '1' }, { ...d, styles: { caption: '1' } }];
  const { handedOn, notices, warned } = await checkRows(rows as Options[], { hidden: 'skip' });
  expect(handedOn.map((row) => row.line)).toEqual([2, 5]);
  expect(notices.map(({ code, problem }) => [code, problem])).toEqual([
    ['rows_skipped', '2 rows were skipped: hidden or struck through in the workbook'],
  ]);
  expect(warned).toEqual(['5 caption text_struck']);
});

it('rows keep their numbers when those before them are skipped', async () => {
  const rows = [{ caption: 'a' }, { caption: 'b', row: 'hidden="1"' }, { caption: 'c' }];
  const { handedOn } = await checkRows(rows, { hidden: 'skip' });
  expect(handedOn.map(({ number, key }) => [number, key])).toEqual([
    [1, '1'],
    [3, '3'],
  ]);
});

it('hidden columns that are read are named, others are not', async () => {
  const cols = '<cols><col min="1" max="1" width="9"/><col min="6" max="9" width="9" hidden="1"/></cols>';
  const { notices } = await checkRows([{ caption: 'a' }], { cols });
  expect(notices).toMatchObject([{ line: 1, code: 'columns_hidden', column: 'cover' }]);
  expect(notices[0]?.problem).toContain('used: cover (F)');
  expect((await checkRows([{}], { cols: '<cols><col min="7" max="9" hidden="1"/></cols>' })).notices).toEqual(
    [],
  );
});
