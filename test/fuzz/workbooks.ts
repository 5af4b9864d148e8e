/** Workbooks, valid and not: their parts are changed before they are packed, or the archive afterwards. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { partsOf, type WorkbookContents } from '../support/sheets/workbook.ts';
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';

const cells = [
  '<c t="inlineStr"><is><t>creator</t></is></c>',
  '<c t="inlineStr"><is><r><t xml:space="preserve"> a </t></r><rPh><t>b</t></rPh></is></c>',
  '<c t="s"><v>0</v></c>',
  '<c t="s"><v>99</v></c>',
  '<c t="str"><f>A1</f><v>x</v></c>',
  '<c t="b"><v>1</v></c>',
  '<c t="e"><v>#N/A</v></c>',
  '<c t="d"><v>2026-12-01</v></c>',
  '<c s="1"><v>46357.5</v></c>',
  '<c s="2"><v>0.3</v></c>',
  '<c r="C9"><v>1</v></c>',
  '<c r="XFD1048576"><v>1</v></c>',
  '<c><v>1.72943E+18</v></c>',
  '<c><v>1e999</v></c>',
  '<c/>',
];

const words = [
  ...[
    '<',
    '>',
    '/>',
    '&',
    '&amp;',
    '&#0;',
    '&#xD800;',
    '&#x10FFFF;',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?xml',
    '<!DOCTYPE x>',
  ],
  ...[
    '<c>',
    '</c>',
    '<row>',
    '</row>',
    '<row r="1048576">',
    '<row r="-1">',
    '<v>',
    '<t>',
    '<si>',
    '</si>',
    '_x000D_',
    '_x',
    '\t',
    ' ',
  ],
  ...[
    'r="A1"',
    's="1"',
    't="s"',
    'hidden="1"',
    'state="hidden"',
    'xml:space="preserve"',
    'Target="/../../x"',
    '<mergeCell ref="A1:XFD9"/>',
  ],
  ...['\u202e', '\u0000', '\ufeff', 'yyyy-mm-dd', '[h]:mm', '0.00E+00', '[$-409]', '"'],
  ...cells,
];

/** The bytes of a workbook; most have something wrong. */
export async function makeWorkbook(random: Random): Promise<Buffer> {
  const parts = Object.entries(partsOf(contents(random))).filter(() => !random.once(40));
  const harmed = random.once(3) ? undefined : random.integer(0, Math.max(0, parts.length - 1));
  const packed = await pack(
    parts.map(([name, content], index) => {
      const bytes = Buffer.from(content as string);
      return [name, index === harmed ? mutate(random, bytes, words) : bytes] as const;
    }),
  );
  return random.once(4) ? mutate(random, packed, words) : packed;
}

function contents(random: Random): WorkbookContents {
  const row = () => {
    const length = random.integer(0, 6);
    return `<row>${Array.from({ length }, () => random.pick(cells)).join('')}</row>`;
  };
  return {
    sheets: Array.from({ length: random.integer(1, 3) }, (_, index) => ({
      name: `S${index}`,
      rows: Array.from({ length: random.integer(0, 6) }, row).join(''),
      merges: random.once(3) ? ['A1:B2', 'A2:A9'] : [],
      ...(random.once(4) && { state: 'hidden' as const }),
    })),
    strings: '<si><t>demo_anna</t></si><si><r><t>x</t></r></si>',
    formats: ['yyyy-mm-dd hh:mm', 'h:mm', 14, '000000'],
    date1904: random.once(5),
  };
}

async function pack(parts: readonly (readonly [name: string, bytes: Buffer])[]): Promise<Buffer> {
  const zip = new ZipFile();
  // A fixed time: the same seed gives the same bytes.
  for (const [name, bytes] of parts) zip.addBuffer(bytes, name, { mtime: new Date(2026, 0, 1) });
  zip.end();
  return buffer(zip.outputStream);
}
