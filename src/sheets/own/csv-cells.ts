/** Writes cells into CSV as it streams by, and leaves every other character as it was: quotes, line ends, blank lines. */

import { open } from 'node:fs/promises';
import { Parser } from 'csv-parse';
import iconv from 'iconv-lite';
import type { Delimiter } from '../csv/delimiter.ts';
import type { Encoding } from '../text/encoding.ts';
import { encodeCell } from '../write/text-sheets.ts';

interface NewCsvCells {
  readonly delimiter: Delimiter;
  /** Position of the last column, from 0: a record that is written reaches to here. */
  readonly lastPosition: number;
  /** Called for each record that is not blank. @param line from 1. @returns cells by position, ascending; undefined: as it is. */
  of(line: number): Promise<ReadonlyMap<number, string> | undefined>;
  /** Records to write behind the last one. */
  rest(): AsyncIterable<ReadonlyMap<number, string>>;
}

const newlines = /\r\n|\r|\n/g;
const lineEnd = /(?:\r\n|\r|\n)$/;
const quote = '"';

/** @param bytes UTF-8 without a byte order mark, cut between characters. @throws {CsvError} if a quote is never closed. */
export async function* writeCsvCells(
  bytes: AsyncIterable<Buffer>,
  cells: NewCsvCells,
): AsyncGenerator<string> {
  const records = new RecordTexts(cells.delimiter);
  let line = 1;
  let end = '';
  async function* written(texts: readonly string[]) {
    for (const text of texts) {
      const isBlank = text.trim() === '';
      const own = isBlank ? undefined : await cells.of(line);
      yield own ? writeRecord(text, own, cells) : text;
      line += text.match(newlines)?.length ?? 0;
      end = lineEnd.exec(text)?.[0] ?? '';
    }
  }
  for await (const piece of bytes) yield* written(await records.push(piece));
  yield* written(await records.end());
  for await (const own of cells.rest()) {
    yield end === '' ? '\n' : '';
    end ||= '\n';
    yield writeRecord(end, own, cells);
  }
}

/** Cuts CSV into the texts of its records, each with its line end. */
class RecordTexts {
  readonly #parser: Parser;
  #bytes: Buffer = Buffer.alloc(0);
  /** Bytes of the file before `#bytes`. */
  #offset = 0;
  #ends: number[] = [];

  constructor(delimiter: Delimiter) {
    this.#parser = new Parser({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      on_record: () => {
        this.#ends.push(this.#parser.info.bytes);
        return null;
      },
    });
  }

  async push(piece: Buffer): Promise<readonly string[]> {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece]);
    await new Promise<void>((resolve, reject) => {
      this.#parser.write(piece, (error) => (error ? reject(error) : resolve()));
    });
    return this.#cut();
  }

  async end(): Promise<readonly string[]> {
    await new Promise<void>((resolve, reject) => {
      this.#parser.once('error', reject);
      this.#parser.end(resolve);
    });
    const texts = this.#cut();
    return this.#bytes.length === 0 ? texts : [...texts, this.#bytes.toString()];
  }

  #cut(): readonly string[] {
    const texts = this.#ends.map((end) => {
      const text = this.#bytes.toString('utf8', 0, end - this.#offset);
      this.#bytes = this.#bytes.subarray(end - this.#offset);
      this.#offset = end;
      return text;
    });
    this.#ends = [];
    return texts;
  }
}

function writeRecord(
  text: string,
  cells: ReadonlyMap<number, string>,
  { delimiter, lastPosition }: NewCsvCells,
): string {
  const end = lineEnd.exec(text)?.[0] ?? '';
  const own = splitRecord(text.slice(0, text.length - end.length), delimiter);
  const areQuoted = own.every((cell) => cell.startsWith(quote));
  const encode = (cell: string) => {
    const encoded = encodeCell(cell, delimiter);
    return areQuoted && !encoded.startsWith(quote) ? `${quote}${encoded}${quote}` : encoded;
  };
  while (own.length <= lastPosition) own.push(encode(''));
  for (const [position, cell] of cells) own[position] = encode(cell);
  return own.join(delimiter) + end;
}

/** The cells of a record as they are written, with their quotes. */
function splitRecord(text: string, delimiter: Delimiter): string[] {
  const cells: string[] = [];
  let start = 0;
  let isWithinQuotes = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    // A quote within a cell that does not begin with one is a character like others.
    if (character === quote && text[start] === quote) isWithinQuotes = !isWithinQuotes;
    if (character !== delimiter || isWithinQuotes) continue;
    cells.push(text.slice(start, at));
    start = at + 1;
  }
  return [...cells, text.slice(start)];
}

const mark = '\ufeff';

/** Whether an encoding has all characters. */
export async function canEncode(texts: AsyncIterable<string>, encoding: Encoding): Promise<boolean> {
  if (/^(?:utf-|gb18030)/.test(encoding)) return true;
  for await (const text of texts) {
    // It writes `?` for a character that it lacks, and that byte is a part of no other character.
    const bytes = iconv.encode(text, encoding, { addBOM: false });
    if (bytes.filter((byte) => byte === 0x3f).length > text.split('?').length - 1) return false;
  }
  return true;
}

/** Programs read a file with this mark as UTF-8. */
export async function* encodeMarked(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(mark);
  for await (const text of texts) yield Buffer.from(text);
}

/** @param path of the file, for its byte order mark. @returns bytes; `?` for a character that the encoding lacks. */
export async function* encodeText(
  texts: AsyncIterable<string>,
  encoding: Encoding,
  path: string,
): AsyncGenerator<Buffer> {
  const encode = (text: string) =>
    encoding === 'utf-8' ? Buffer.from(text) : iconv.encode(text, encoding, { addBOM: false });
  const begin = encode(mark);
  if (await beginsWith(path, begin)) yield begin;
  for await (const text of texts) yield encode(text);
}

async function beginsWith(path: string, bytes: Buffer): Promise<boolean> {
  await using file = await open(path);
  const head = Buffer.alloc(bytes.length);
  await file.read(head, 0, head.length, 0);
  return head.equals(bytes);
}
