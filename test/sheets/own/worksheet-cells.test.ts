import { describe, expect, it } from 'vitest';
import { type NewCell, writeCells } from '../../../src/sheets/own/worksheet-cells.ts';
import { readFormatCode, styleOf } from '../../../src/sheets/xlsx/styles.ts';

const added: Readonly<Record<number, readonly NewCell[]>> = {
  2: ['status', 'plays'],
  3: ['posted', 7],
  5: ['a < b', ''],
};

const styles = ['General', 'ddd d.M.'].map((code) => ({ format: readFormatCode(code), isStruck: false }));
const plain = { from1904: false, styleOf: (style: string | undefined) => styleOf(styles, style) };

/** The worksheet with two columns more from C, in pieces of some characters. */
async function patched(
  rows: string,
  {
    before = '',
    piece = 1_000_000,
    behind = [] as readonly (readonly NewCell[])[],
    widths = [] as readonly number[],
  } = {},
): Promise<string> {
  const xml = `<?xml version="1.0"?>\n<worksheet>${before}<sheetData>${rows}</sheetData><mergeCells/></worksheet>\n`;
  const bytes = Buffer.from(xml);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  let text = '';
  const columns = {
    headerLine: 2,
    lastPosition: 3,
    widths,
    of: async (line: number) => added[line] && new Map(added[line].map((cell, index) => [2 + index, cell])),
    added: behind.length,
    async *rest() {
      for (const cells of behind) yield new Map(cells.entries());
    },
  };
  for await (const some of writeCells('sheet1.xml', pieces(), columns, plain)) text += some;
  return text.slice(
    text.indexOf(before === '' ? '<sheetData>' : before.slice(0, 10)),
    text.indexOf('<mergeCells/>'),
  );
}

const text = (place: string, written: string, style = '') =>
  `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${written}</t></is></c>`;

describe('cells written into a worksheet', () => {
  it('stand behind the cells of their rows, and other rows stay as they are', async () => {
    const rows = [
      '<row r="1"><c r="A1"/></row>',
      '<row r="3" ht="9"><c r="A3"><v>1</v></c></row>',
      '<row r="4"/>',
    ];
    expect(await patched(rows.join('\n'))).toBe(
      `<sheetData>${rows[0]}\n<row r="3" ht="9"><c r="A3"><v>1</v></c>${text('C3', 'posted')}<c r="D3"><v>7</v></c></row>\n<row r="4"/></sheetData>`,
    );
  });

  it('have a header that looks like the one before it', async () => {
    expect(await patched('<row r="2"><c r="A2" s="4"/><c r="B2" s="5"/></row>')).toContain(
      text('C2', 'status', ' s="5"') + text('D2', 'plays', ' s="5"'),
    );
  });

  it('take the place of what stands there, in its style, before cells behind them', async () => {
    const rows = '<row r="3"><c r="B3"/><c r="C3" s="8"><v>9</v></c><c r="D3"/><c r="E3"><v>2</v></c></row>';
    expect(await patched(rows)).toBe(
      `<sheetData><row r="3"><c r="B3"/>${text('C3', 'posted', ' s="8"')}<c r="D3"><v>7</v></c><c r="E3"><v>2</v></c></row></sheetData>`,
    );
  });

  it('are counted where rows and cells bear no numbers, with the prefix of the worksheet', async () => {
    const rows = '<x:row/><x:row/><x:row spans="1:2"><x:c/></x:row>';
    const xml = (await patched(rows)).replaceAll('x:', '');
    expect(xml).toContain(`<row><c/>${text('C3', 'posted')}<c r="D3"><v>7</v></c></row>`);
    expect(xml).toContain(`<row>${text('C2', 'status')}${text('D2', 'plays')}</row>`);
  });

  it('are in the used range', async () => {
    expect(await patched('<row r="5"/>', { before: '<dimension ref="A1:B9"/>' })).toBe(
      `<dimension ref="A1:D9"/><sheetData><row r="5">${text('C5', 'a &lt; b')}</row></sheetData>`,
    );
  });

  it('do not depend on the pieces in which the worksheet comes', async () => {
    const rows =
      '<row r="2"><c r="A2" s="1"><v>é😀</v></c></row><row r="3"/><row r="5"><c r="C5"/><c r="F5"/></row>';
    const before = '<dimension ref="A1"/>';
    const whole = await patched(rows, { before });
    for (let piece = 1; piece < 40; piece += 1) expect(await patched(rows, { before, piece })).toBe(whole);
  });

  it('may be rows of their own behind the last one', async () => {
    const before = '<dimension ref="A1:B4"/>';
    const behind = [['x', 7], ['y']];
    const rows = '<row r="2"/><row r="4"/>';
    expect(await patched('<row r="4"><c r="A4"/></row>', { before, behind })).toBe(
      `<dimension ref="A1:D6"/><sheetData><row r="4"><c r="A4"/></row><row r="5">${text('A5', 'x')}<c r="B5"><v>7</v></c></row><row r="6">${text('A6', 'y')}</row></sheetData>`,
    );
    for (let piece = 1; piece < 40; piece += 1)
      expect(await patched(rows, { before, behind, piece })).toBe(await patched(rows, { before, behind }));
  });

  it('behind the last row are numbers, dates and texts as in the rows that are written', async () => {
    const cells =
      '<c r="A3"><v>1</v></c><c r="B3" s="1"><v>46365</v></c><c r="C3" s="2" t="inlineStr"><is/></c>';
    const rows = `<row r="3">${cells}</row><row r="4"><c r="A4" s="2" t="s"><v>0</v></c></row>`;
    expect(await patched(rows, { behind: [['12', '2026-12-12', '12']] })).toContain(
      `<row r="5"><c r="A5"><v>12</v></c><c r="B5" s="1"><v>46368</v></c>${text('C5', '12', ' s="2"')}</row>`,
    );
  });

  it('are refused in a worksheet that is not UTF-8', async () => {
    const utf16 = Buffer.from('\ufeff<worksheet/>', 'utf16le');
    const read = Array.fromAsync(
      writeCells(
        'sheet1.xml',
        [utf16] as never,
        { headerLine: 1, lastPosition: 0, widths: [], of: async () => undefined, added: 0, async *rest() {} },
        plain,
      ),
    );
    await expect(read).rejects.toThrow('not UTF-8');
  });
});

describe('new columns get their widths', () => {
  const own =
    '<col min="3" max="3" width="12" customWidth="1"/><col min="4" max="4" width="30" customWidth="1"/>';
  it.for([
    [
      'behind those of the sheet',
      '<col min="1" max="2" width="9"/>',
      `<col min="1" max="2" width="9"/>${own}`,
    ],
    [
      'instead of a width of all further columns',
      '<col width="9" min="2" max="99" hidden="1"/>',
      `<col width="9" min="2" max="2" hidden="1"/>${own}<col width="9" min="5" max="99" hidden="1"/>`,
    ],
    [
      'among those of the sheet',
      '<col min="1" max="1"/><col min="7" max="9"/>',
      `<col min="1" max="1"/>${own}<col min="7" max="9"/>`,
    ],
    [
      'instead of several widths',
      '<col min="3" max="3"/><col min="4" max="7"/>',
      `${own}<col min="5" max="7"/>`,
    ],
  ])('%s', async ([, before, after]) => {
    const options = { widths: [12, 30], before: `<sheetFormatPr/><cols>${before}</cols>` };
    for (const piece of [7, 1_000_000])
      expect(await patched('', { ...options, piece })).toBe(
        `<sheetFormatPr/><cols>${after}</cols><sheetData></sheetData>`,
      );
  });

  it('in a worksheet without any', async () => {
    const before = '<sheetFormatPr/>';
    expect(await patched('', { before, widths: [12, 30] })).toBe(
      `${before}<cols>${own}</cols><sheetData></sheetData>`,
    );
  });
});
