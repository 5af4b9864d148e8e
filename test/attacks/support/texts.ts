/** CSV and JSON files that are large, wide, deep or repetitive. */
import type { ManifestSource } from '../../../src/sheets/sheet.ts';

const header = 'creator,media,caption,product_id,product_title';
const cells = 'demo_anna,a.mp4,Hi,1,Serum';
const object =
  '{"creator":"demo_anna","media":"a.mp4","caption":"Hi","product_id":"1","product_title":"Serum"}';

const pieceBytes = 64 * 1024;
const megabyte = 1_000_000;

/** About so many bytes of copies. */
function* fill(text: string, bytes: number): Generator<string> {
  const piece = text.repeat(Math.ceil(Math.min(pieceBytes, bytes) / text.length));
  for (let length = 0; length < bytes; length += piece.length) yield piece;
}

function* counted(bytes: number, make: (index: number) => string): Generator<string> {
  for (let index = 0, length = 0; length < bytes; ) {
    let piece = '';
    for (; piece.length < pieceBytes && length + piece.length < bytes; index += 1) piece += make(index);
    length += piece.length;
    yield piece;
  }
}

/** Pieces of each file, by its name. */
const attacks: Readonly<Record<string, () => Generator<string>>> = {
  *'huge cells.csv'() {
    yield `${header},_note\n`;
    yield* fill(`${cells},${'x'.repeat(900_000)}\n`, 10 * megabyte);
  },
  *'rows of a long cell.csv'() {
    yield `${header},_note\n`;
    yield* fill(`${cells},${'x'.repeat(30_000)}\n`, 4 * megabyte);
  },
  *'an unclosed quote.csv'() {
    yield `${header}\n${cells.replace('Hi', '"Hi')}\n`;
    yield* fill(`${cells}\n`, 20 * megabyte);
  },
  *'a separator line of blanks.csv'() {
    yield `sep= ${' '.repeat(65_000)}x\n${header}\n${cells}\n`;
  },
  *'blank lines.csv'() {
    yield `${header}\n${cells}\n`;
    yield* fill('\n', 2 * megabyte);
    yield `${cells}\n`;
  },
  *'one line of separators.csv'() {
    yield `${header}\n${cells}\n`;
    yield* fill(',', 40 * megabyte);
  },
  *'lines of separators.csv'() {
    yield `${header}\n${cells}\n`;
    yield* fill(`${','.repeat(100_000)}\n`, 2 * megabyte);
  },
  *'unknown columns.csv'() {
    yield header;
    yield* counted(0.9 * megabyte, (index) => `,_${index}`);
    yield `\n${cells}\n`;
  },
  *'one long line.csv'() {
    yield `${header}\n`;
    yield* fill('x', 40 * megabyte);
  },
  *'rows with a stray quote.csv'() {
    yield `${header}\n${cells}\n`;
    yield* fill('a"b\n', megabyte);
  },
  *'a cell of stray quotes.csv'() {
    yield `${header}\n${cells}\n${'x'.repeat(100_000)}`;
    yield* fill('"', 0.8 * megabyte);
    yield '\n';
  },
  *'rows that are too short.csv'() {
    yield `${header}\n${cells}\n`;
    yield* fill('a,b\n', 0.3 * megabyte);
  },
  *'lists of nothing.csv'() {
    yield `${header}\n`;
    yield* fill(`demo_anna,${'|'.repeat(32_000)},Hi,1,Serum\n`, 5 * megabyte);
  },
  *'time zones.csv'() {
    yield `${header},scheduled_at,scheduled_tz\n`;
    yield* counted(10 * megabyte, (index) => `${cells},2099-01-01 10:00,${index}${'x'.repeat(30_000)}\n`);
  },
  *'long creators.csv'() {
    yield `${header}\n`;
    yield* counted(10 * megabyte, (index) => `${index}${'x'.repeat(30_000)}${cells.slice(9)}\n`);
  },
  *'members beside the rows.json'() {
    yield `{"rows":[${object}]`;
    yield* counted(10 * megabyte, (index) => `,"_${index}":1`);
    yield '}';
  },
  *'long members beside the rows.json'() {
    yield `{"rows":[${object}]`;
    yield* counted(40 * megabyte, (index) => `,"_${index}":"${'x'.repeat(900_000)}"`);
    yield '}';
  },
  *'a long member beside the rows.json'() {
    yield `{"rows":[${object}],"_":"`;
    yield* fill('x', 40 * megabyte);
    yield '"}';
  },
  *'deep nesting.json'() {
    yield `[${object},{"a":`;
    yield* fill('[', 20 * megabyte);
  },
  *'deep nesting.jsonl'() {
    yield `${object}\n`;
    yield* fill(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}\n`, 3 * megabyte);
  },
  *'keys of one row.json'() {
    yield `[${object},{`;
    yield* counted(0.9 * megabyte, (index) => `"${index}":1,`);
    yield '"a":1}]';
  },
  *'long keys.jsonl'() {
    yield `${object}\n`;
    yield* counted(40 * megabyte, (index) => `{"${index}${'x'.repeat(900_000)}":1}\n`);
  },
  *'doubled keys.json'() {
    yield `[${object}`;
    for (let count = 0; count < 3; count += 1) {
      yield ',{';
      yield* fill('"a":1,', 0.9 * megabyte);
      yield '"a":1}';
    }
    yield ']';
  },
  *'huge strings.jsonl'() {
    yield* fill(`{"creator":"demo_anna","caption":"${'\\n'.repeat(450_000)}"}\n`, 10 * megabyte);
  },
  *'blanks in rows.jsonl'() {
    yield* fill(`{${' '.repeat(900_000)}${object.slice(1)}\n`, 5 * megabyte);
  },
  *'notes of distinct creators.jsonl'() {
    const end = `,"_note":"${'x'.repeat(30_000)}"}\n`;
    yield* counted(5 * megabyte, (index) => object.replace('anna', `${index}`).slice(0, -1) + end);
  },
  *'long defaults for short rows.json'() {
    yield `{"defaults":{"_note":"${'x'.repeat(30_000)}",${object.slice(1)},"rows":[{}`;
    yield* fill(',{"creator":""}', 0.3 * megabyte);
    yield ']}';
  },
  *'many keys for short rows.jsonl'() {
    yield `{${Array.from({ length: 990 }, (_, index) => `"_${index}":1`).join(',')},${object.slice(1)}\n`;
    yield* fill(`${object}\n`, 0.12 * megabyte);
  },
  *'blank lines.jsonl'() {
    yield `${object}\n`;
    yield* fill('\n', 2 * megabyte);
  },
  *'broken rows.jsonl'() {
    yield `${object}\n`;
    yield* fill('"\n', megabyte);
  },
  *'a broken row.json'() {
    yield `[${object},{`;
    yield* fill('"a" :: ,, 1 2 3 ', 0.9 * megabyte);
    yield '}]';
  },
};

/** The files as sources, which are made while they are read. */
export const textAttacks: readonly ManifestSource[] = Object.entries(attacks).map(([name, pieces]) => ({
  name,
  async *bytes() {
    for (const text of pieces()) {
      const bytes = Buffer.from(text);
      // As large as those of a file stream.
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        yield bytes.subarray(start, start + pieceBytes);
      }
    }
  },
}));
