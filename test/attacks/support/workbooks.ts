/**
 * Small workbooks that unpack to very much: texts that cells share or repeat, wide rows, merges, styles, many sheets. What a sheet may
 * repeat grows with its file, so some have a picture.
 */
import { randomBytes } from 'node:crypto';
import { type Parts, partsOf, relationships, writeParts } from '../../support/sheets/workbook.ts';

const header = ['creator', 'media', 'caption', 'product_id', 'product_title', '_note'];
const cells = ['demo_anna', 'a.mp4', 'Hi', '1', 'Serum'];

/** The longest text that a cell can hold. */
const longest = 32_767;
/** Unpacked: a thousandth of it is packed. */
const unpackedBytes = 1_000_000;

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (texts: readonly string[], more = '') => `<row>${texts.map(inline).join('')}${more}</row>`;
const headerRow = row(header);

/** As many copies as fit. */
function fill(piece: string, bytes = unpackedBytes): string {
  return piece.repeat(Math.ceil(bytes / piece.length));
}

const picture = (bytes: number) => ({ 'xl/media/image1.png': randomBytes(bytes) });

/** Parts of each workbook, by its name. */
const attacks: Readonly<Record<string, () => Parts>> = {
  'a long shared text in many rows': () =>
    partsOf({
      strings: `<si><t>${'x'.repeat(longest)}</t></si>`,
      rows: headerRow + fill(row(cells, '<c t="s"><v>0</v></c>')),
    }),
  'a text in rows of one cell': () =>
    partsOf({
      strings: `<si><t>${'汉'.repeat(longest)}</t></si>`,
      rows: headerRow + fill('<row><c t="s"><v>0</v></c></row>'),
    }),
  'a long shared text in every column': () =>
    partsOf({
      strings: `<si><t>${'x'.repeat(longest)}</t></si>`,
      rows:
        row([...header.slice(0, 5), ...Array.from({ length: 900 }, (_, index) => `_note ${index}`)]) +
        fill(row(cells, '<c t="s"><v>0</v></c>'.repeat(900))),
    }),
  'rows of many copies, and a picture': () => ({
    ...partsOf({
      strings: `<si><t>${'x'.repeat(longest)}</t></si>`,
      rows:
        row([...header.slice(0, 5), ...Array.from({ length: 9 }, (_, index) => `_note ${index}`)]) +
        row(cells, '<c t="s"><v>0</v></c>'.repeat(9)).repeat(120),
    }),
    ...picture(300_000),
  }),
  'long keys, and a picture': () => ({
    ...partsOf({
      strings: `<si><t>${'x'.repeat(longest)}</t></si>`,
      rows:
        row(['key', ...header.slice(0, 5)]) +
        `<row><c t="s"><v>0</v></c>${cells.map(inline).join('')}</row>`.repeat(1300),
    }),
    ...picture(500_000),
  }),
  'long inline texts': () => partsOf({ rows: headerRow + fill(row([...cells, 'x'.repeat(1_000_000)])) }),
  'a text that never ends': () => partsOf({ rows: `${headerRow}<row><c t="inlineStr"><is><t>${fill('x')}` }),
  'a tag of attributes': () =>
    partsOf({
      rows: `${headerRow}<row ${Array.from({ length: 200_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
    }),
  'sixteen thousand columns': () =>
    partsOf({
      rows:
        row([...header, ...Array.from({ length: 16_000 }, (_, index) => `_${index}`)]) +
        fill('<row><c><v>1</v></c></row>'),
    }),
  'a thousand columns and short rows': () =>
    partsOf({
      rows:
        row([...header, ...Array.from({ length: 990 }, (_, index) => `_${index}`)]) +
        fill('<row><c><v>1</v></c></row>'),
    }),
  'a long text merged downwards': () =>
    partsOf({
      rows: headerRow + row([...cells, 'x'.repeat(longest)]) + fill(row(cells.with(0, ''))),
      merges: ['F2:F1048576'],
    }),
  'merges of each cell': () =>
    partsOf({
      rows: headerRow + fill(row([...cells, 'x'])),
      merges: Array.from({ length: 25_000 }, (_, index) => `${'ABCDEF'[index % 6]}2:F${index + 2}`),
    }),
  'empty shared texts': () => partsOf({ strings: fill('<si/>'), rows: headerRow + row(cells) }),
  'shared texts that differ': () =>
    partsOf({
      strings: Array.from({ length: 150_000 }, (_, index) => `<si><t>${index}</t></si>`).join(''),
      rows: headerRow + row(cells),
    }),
  'a format code for many styles': () => ({
    ...partsOf({ rows: headerRow + row(cells) }),
    'xl/styles.xml':
      `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'0"a"'.replaceAll('"', '&quot;').repeat(30_000)}"/></numFmts>` +
      `<cellXfs>${fill('<xf numFmtId="200"/>', 4_000_000)}</cellXfs></styleSheet>`,
  }),
  'spaces within a text': () => partsOf({ rows: headerRow + row([...cells, `x${' '.repeat(30_000)}x`]) }),
  'spaces around a text': () =>
    partsOf({ rows: headerRow + row([...cells, `x${' '.repeat(1_000_000)}x`]).repeat(3) }),
  'many sheets and relationships': () => {
    const parts = partsOf({ rows: headerRow + row(cells) });
    return {
      ...parts,
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${fill('<sheet name="s" r:id="a"/>')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships(
        Array.from(
          { length: 30_000 },
          (_, index) => [`b${index}`, 'worksheet', 'worksheets/sheet1.xml'] as const,
        ),
      ),
    };
  },
  'covers before large sheets': () =>
    partsOf({
      sheets: Array.from({ length: 20 }, (_, index) => ({
        name: `Sheet ${index}`,
        rows: row(['Campaign plan']) + fill(row(['x']), 150_000),
      })),
      strings: fill('<si><t>x</t></si>'),
    }),
  'cells that show errors': () =>
    partsOf({
      rows:
        row([...header, ...Array.from({ length: 990 }, (_, index) => `_${index}`)]) +
        fill(`<row>${'<c t="e"><v>#REF!</v></c>'.repeat(996)}</row>`),
    }),
  'cells far outside the header': () =>
    partsOf({ rows: headerRow + fill(`<row>${'<c t="e"><v>#N/A</v></c>'.repeat(16_000)}</row>`) }),
  'blank rows': () => partsOf({ rows: headerRow + fill('<row/>') }),
  'what looks like the end of the rows': () =>
    partsOf({ rows: headerRow + row([...cells, fill('sheetData&gt;', 900_000)]) }),
};

export const workbookAttacks: readonly string[] = Object.keys(attacks);

/** Writes the workbook into the test's own folder. @returns its path. */
export async function writeAttack(name: string): Promise<string> {
  const make = attacks[name];
  if (make === undefined) throw new RangeError(`there is no attack ${name}`);
  return writeParts(make(), `${name}.xlsx`);
}
