import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Delimiter, findDelimiter } from '../../src/sheets/csv/delimiter.ts';
import { readCsv } from '../../src/sheets/csv/read-csv.ts';
import { type SheetRow, UnreadableSheetError } from '../../src/sheets/sheet.ts';
import { seededRandom } from '../support/random.ts';

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Rows up to the end, or up to the first unreadable place. */
async function read(bytes: AsyncIterable<Buffer>, delimiter: Delimiter) {
  const rows: SheetRow[] = [];
  try {
    for await (const batch of readCsv(bytes, { encoding: 'utf-8', delimiter })) rows.push(...batch);
    return { rows, failure: undefined };
  } catch (error) {
    if (!(error instanceof UnreadableSheetError)) throw error;
    return { rows, failure: error.problem };
  }
}

function readText(text: string | Buffer) {
  return read(inOnePiece(Buffer.from(text)), findDelimiter(text.toString()));
}

async function linesOf(text: string) {
  const { rows } = await readText(text);
  return rows.map(({ line, cells }) => [line, ...cells]);
}

test('names of columns tell the separator, whatever a row after them has', () => {
  expect(findDelimiter('key,decision\na;b;c;d;e,posted')).toBe(',');
});

test('rows have the line that they begin on', async () => {
  expect(await linesOf('a,b\n1,2\n3,4\n')).toEqual([
    [1, 'a', 'b'],
    [2, '1', '2'],
    [3, '3', '4'],
  ]);
});

test.each([
  ['LF', 'a\n"x\ny\n\nz"\nlast'],
  ['CR LF', 'a\r\n"x\r\ny\r\n\r\nz"\r\nlast'],
  ['CR', 'a\r"x\ry\r\rz"\rlast'],
  ['mixed', 'a\n"x\r\ny\r\nz\n"\r\nlast'],
])('line breaks within quotes count as lines: %s', async (_name, text) => {
  const lines = await linesOf(text);
  expect(lines.map(([line]) => line)).toEqual([1, 2, 6]);
});

test('mixed line ends are all read', async () => {
  expect(await linesOf('a\n1\r\n2\r3\n\r\n4')).toEqual([
    [1, 'a'],
    [2, '1'],
    [3, '2'],
    [4, '3'],
    [6, '4'],
  ]);
});

test('blank rows are skipped but count as lines', async () => {
  expect(await linesOf('\n\na,b\n,\n\n1,2\n,,,\n')).toEqual([
    [3, 'a', 'b'],
    [6, '1', '2'],
  ]);
});

test('the byte order mark is not part of the header', async () => {
  expect(await linesOf('\ufeffa,b\n')).toEqual([[1, 'a', 'b']]);
});

test('quotes around the first header are removed after the byte order mark', async () => {
  expect(await linesOf('\ufeff"a","b"\n')).toEqual([[1, 'a', 'b']]);
});

test.each([',', ';', '\t'])('the separator %j is detected from the header', async (separator) => {
  const text = ['"a,;\t,;\t,;\t"', 'b', 'c'].join(separator);
  expect(await linesOf(`${text}\n`)).toEqual([[1, 'a,;\t,;\t,;\t', 'b', 'c']]);
});

test('doubled quotes, separators and multi-byte characters within quotes are text', async () => {
  expect(await linesOf('a\n"say ""hi"", 你好 😀"\n')).toEqual([
    [1, 'a'],
    [2, 'say "hi", 你好 😀'],
  ]);
});

test('rows longer or shorter than the header are passed on unchanged', async () => {
  expect(await linesOf('a,b\n1\n1,2,3\n')).toEqual([
    [1, 'a', 'b'],
    [2, '1'],
    [3, '1', '2', '3'],
  ]);
});

test('a quote within a cell is a part of it', async () => {
  expect(await linesOf('a,b\n7" bowl,13" tray\n"x\ny",the "best" one\n="0042",8\n')).toEqual([
    [1, 'a', 'b'],
    [2, '7" bowl', '13" tray'],
    [3, 'x\ny', 'the "best" one'],
    [5, '="0042"', '8'],
  ]);
});

test('a blank in front of an opening quote spoils only its own row, and later lines stay correct', async () => {
  const text = 'a,b\n"x\r\ny",2\n5, "x, y"\n 6" "x"y,2\n "z\n"z\n\n",4\n7,8\n';
  const { rows, failure } = await readText(text);
  expect(failure).toBeUndefined();
  expect(rows.map(({ line, faults }) => [line, faults?.[0]?.code])).toEqual([
    [1, undefined],
    [2, undefined],
    [4, 'stray_quote'],
    [5, undefined],
    [6, 'stray_quote'],
    [7, undefined],
    [10, undefined],
  ]);
});

test('text after a closing quote ends the reading; earlier rows are read', async () => {
  const { rows, failure } = await readText('a,b\n1,2\n"x"y,2\n3,4\n');
  expect(rows.map(({ line }) => line)).toEqual([1, 2]);
  expect(failure).toMatchObject({ line: 3, code: 'stray_quote' });
});

test('an unclosed quote is reported with the first line of its row', async () => {
  const { rows, failure } = await readText('a,b\n1,2\n3,"4\n5,6\n7,8\n');
  expect(rows).toHaveLength(2);
  expect(failure).toMatchObject({ line: 3, code: 'quote_not_closed' });
});

test('a row of more than 1 MB ends the reading', async () => {
  const { rows, failure } = await readText(`a,b\n1,2\n3,"${'x\n'.repeat(600_000)}`);
  expect(rows).toHaveLength(2);
  expect(failure).toMatchObject({ line: 3, code: 'row_too_long' });
});

test('a row of just under 1 MB is read', async () => {
  const { rows } = await readText(`a\n"${'x'.repeat(1_000_000)}"\n`);
  expect(rows[1]?.cells[0]).toHaveLength(1_000_000);
});

test.each([
  ['GB18030', Buffer.from([0xc4, 0xe3, 0xba, 0xc3])],
  ['a lone byte of Latin-1', Buffer.from([0x63, 0x61, 0x66, 0xe9])],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ['half a character at the end of the file', Buffer.from([0x61, 0xe4, 0xbd])],
])('bytes that are not UTF-8 are reported with their line: %s', async (name, bytes) => {
  const after = name.startsWith('half') ? '' : '\nx\n';
  const { failure } = await readText(Buffer.concat([Buffer.from('a\r\n你\r\n'), bytes, Buffer.from(after)]));
  expect(failure).toMatchObject({ line: 3, code: 'invalid_utf8' });
});

test('an empty file has no rows', async () => {
  expect(await readText('')).toEqual({ rows: [], failure: undefined });
});

const difficult =
  'a;b\r\n"x\r\ny";你好\r\n\r\n5" tall;2\n"😀😀";"say ""hi"""\r3;4\n;\n"last\n\none";end\n"open;\r\nfor ever';

async function* inPieces(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

test('the rows do not depend on how the bytes arrive', async () => {
  const bytes = Buffer.from(difficult);
  const whole = await readText(bytes);
  expect(whole.rows).toHaveLength(6);
  const random = seededRandom();
  for (let round = 0; round < 200; round += 1) {
    // The first piece contains the first line, which decides the separator.
    const cuts = new Set([5, ...Array.from({ length: 8 }, () => random.integer(6, bytes.length))]);
    const positions = [0, ...[...cuts].sort((one, other) => one - other), bytes.length];
    const pieces = positions.slice(1).map((end, index) => bytes.subarray(positions[index], end));
    expect(await read(inPieces(pieces), ';')).toEqual(whole);
  }
});

const word = fc.constantFrom('', 'a', 'spring', ' ', 'é', '你好', '😀', '\0', "'");
const quoted = fc
  .array(fc.oneof(word, fc.constantFrom(',', '""', '\n', '\r\n', '\r')), { maxLength: 4 })
  .map((parts) => `"${parts.join('')}"`);
const regularRow = fc
  .tuple(fc.array(fc.oneof(word, quoted), { maxLength: 4 }), fc.constantFrom('\n', '\r\n'))
  .map(([cells, end]) => cells.join(',') + end);
const irregularRow = fc.constantFrom('a\r', '"a"b\n', 'a"b,c\n', '"open', 'last', '"a" ,b\n', '\r\r\n');

test.each([
  ['regular rows', regularRow],
  ['regular and irregular rows', fc.oneof({ arbitrary: regularRow, weight: 4 }, irregularRow)],
])('%s are the same in pieces and in one', async (_name, row) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      async (rows, length) => {
        const bytes = Buffer.from(rows.join(''));
        const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
          bytes.subarray(index * length, (index + 1) * length),
        );
        expect(await read(inPieces(pieces), ',')).toEqual(await read(inOnePiece(bytes), ','));
      },
    ),
    { numRuns: 500 },
  );
});
