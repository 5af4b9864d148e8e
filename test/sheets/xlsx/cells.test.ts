import { expect, test } from 'vitest';
import { readOne } from './workbook-rows.ts';

async function textOf(...[cell, contents]: Parameters<typeof readOne>): Promise<string> {
  const { text, fault } = await readOne(cell, contents);
  expect(fault).toBeUndefined();
  return text;
}

test.each([
  ['<c t="s"><v>1</v></c>', 'second'],
  ['<c t="inlineStr"><is><t>inline</t></is></c>', 'inline'],
  ['<c t="str"><f>A1&amp;"x"</f><v>cached</v></c>', 'cached'],
  ['<c t="str"><f>""</f><v></v></c>', ''],
  ['<c t="b"><v>1</v></c>', 'TRUE'],
  ['<c t="b"><v>0</v></c>', 'FALSE'],
  ['<c t="d"><v>2026-12-01T10:00:00</v></c>', '2026-12-01 10:00'],
  ['<c t="d"><v>2026-12-01T10:00:00+01:00</v></c>', '2026-12-01T10:00:00+01:00'],
  ['<c t="d"><v>soon</v></c>', 'soon'],
  ['<c s="0"/>', ''],
  ['<c><f>1+1</f><v>2</v></c>', '2'],
])('%s reads as %j', async (cell, text) => {
  expect(await textOf(cell, { strings: '<si><t>first</t></si><si><t>second</t></si>' })).toBe(text);
});

test.each([
  ['123456789012345', '123456789012345'],
  ['1.23456789012345E+14', '123456789012345'],
  ['-12', '-12'],
  ['0.30000000000000004', '0.3'],
  ['0.25', '0.25'],
  ['1.5E-7', '0.00000015'],
  ['9.0000000000000002', '9'],
])('the number %s is shown as %s', async (value, text) => {
  expect(await textOf(`<c><v>${value}</v></c>`)).toBe(text);
});

test('a percentage is the plain number', async () => {
  expect(await textOf('<c s="1"><v>0.15</v></c>', { formats: [9] })).toBe('0.15');
});

test('leading zeros of a number format belong to the id', async () => {
  expect(await textOf('<c s="1"><v>123</v></c>', { formats: ['00000'] })).toBe('00123');
});

test.each([
  ['1.7294323423423411E+18', '1.7294323423423411E+18'],
  ['1729432342342340', '1729432342342340'],
])('a number with lost digits is a fault: %s', async (value, shown) => {
  expect((await readOne(`<c><v>${value}</v></c>`)).fault).toMatchObject({
    position: 0,
    code: 'digits_lost',
    value: shown,
    fix: expect.stringContaining('Format the column as text'),
  });
});

test('a text that was an error is one still', async () => {
  const { fault } = await readOne('<c t="inlineStr"><is><t>#REF!</t></is></c>');
  expect(fault).toMatchObject({ code: 'cell_error', value: '#REF!' });
});

test('an error is a fault that names it', async () => {
  const { fault } = await readOne('<c t="e"><f>VLOOKUP(1,B:C,2)</f><v>#N/A</v></c>');
  expect(fault).toMatchObject({ code: 'cell_error', value: '#N/A' });
});

test.each(['<c><f>1+1</f></c>', '<c><f>1+1</f><v></v></c>', '<c><f>1+1</f><v/></c>'])(
  'a formula without a value is a fault: %s',
  async (cell) => {
    expect((await readOne(cell)).fault).toMatchObject({ code: 'formula_without_value' });
  },
);

test('an invalid number is a fault', async () => {
  expect((await readOne('<c><v>twelve</v></c>')).fault).toMatchObject({
    code: 'broken_cell',
    value: 'twelve',
  });
});

test.each([
  [
    'runs are one text',
    '<si><r><t>Hello </t></r><r><rPr><b/></rPr><t xml:space="preserve"> you</t></r></si>',
    'Hello you',
  ],
  [
    'phonetic readings are skipped',
    '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr/></si>',
    '東京',
  ],
  ['space that is not to be preserved', '<si><t>\n  word </t></si>', 'word'],
  ['space that is', '<si><t xml:space="preserve"> word </t></si>', ' word '],
  ['characters that are escaped', '<si><t>a_x000D_b_x005F_x000D_c_xZZZZ_</t></si>', 'a\rb_x000D_c_xZZZZ_'],
  ['line breaks', '<si><t>one\ntwo</t></si>', 'one\ntwo'],
  ['markup', '<si><t>&lt;b&gt; &amp; &#128512;<![CDATA[<i>]]></t></si>', '<b> & 😀<i>'],
])('texts: %s', async (_name, strings, text) => {
  expect(await textOf('<c t="s"><v>0</v></c>', { strings })).toBe(text);
});
