/** Reads CSV: separators between cells, LF, CR LF or CR after rows, and quotes around cells that contain either. */

import { type CsvError, Parser } from 'csv-parse';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import { longestCell, longestRow } from '../../manifest/sheet-bounds.ts';
import { findLongCells } from '../bounds-check.ts';
import { findErrorValues } from '../error-values.ts';
import { type SheetRow, unreadable } from '../sheet.ts';
import { InvalidTextError, TextGate } from '../text/decoder.ts';
import type { Encoding } from '../text/encoding.ts';
import { LineCounter } from '../text/line-counter.ts';
import type { Delimiter } from './delimiter.ts';

/** Header first, without blank rows. @throws {UnreadableSheetError} where it becomes unreadable, after the rows before. */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  { encoding, delimiter }: { readonly encoding: Encoding; readonly delimiter: Delimiter },
): AsyncGenerator<readonly SheetRow[]> {
  const gate = new TextGate(encoding);
  const records = new CsvRecords(delimiter);
  try {
    for await (const chunk of bytes) {
      await records.push(gate.push(chunk));
      yield records.take();
      if (records.failed) break;
    }
    if (!records.failed) await records.push(gate.end());
  } catch (error) {
    if (!(error instanceof InvalidTextError)) throw error;
    await records.push(error.valid);
    yield* remaining(records);
    throw error.at(records.line);
  }
  await records.end();
  yield* remaining(records);
}

/** Delivers all rows before it throws the parser's failure. */
function* remaining(records: CsvRecords): Generator<readonly SheetRow[]> {
  for (let rows = records.take(); rows.length > 0; rows = records.take()) yield rows;
}

/** Stray quotes after which the file is not read on: the parser takes long over each, and more than these are not reported. */
const mostStrayQuotes = 10_000;
/** Characters before them, all together: the parser copies a cell for each stray quote in it. */
const mostStrayCharacters = 16 * 1024 * 1024;

const quoteFix =
  'Put a cell in quotes if it contains a quote, a separator or a line break, and double each quote in it.';

/** Takes records by callback, so that nothing piles up. Counts lines itself: the parser counts CR LF within quotes twice. */
class CsvRecords {
  readonly #parser: Parser;
  readonly #lines = new LineCounter();
  #rows: SheetRow[] = [];
  /** First line of the next record. */
  #nextLine = 1;
  /** How far the parser's line count is ahead of the true one. */
  #drift = 0;
  #hasStrayOpening = false;
  #strayQuotes = 0;
  #strayCharacters = 0;
  /** Bytes of the file so far, and up to the end of the last record. */
  #pushed = 0;
  #ended = 0;
  /** The parser's line count at the end of the last record. */
  #parserLines = 0;
  #failure: unknown;

  constructor(delimiter: Delimiter) {
    this.#parser = new Parser({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_records_with_error: true,
      max_record_size: longestRow,
      on_record: (cells: string[]) => this.#onRecord(cells),
      on_skip: (error) => this.#onSkip(error),
    });
    // The write callback reports the failure too, but an error event without a listener would end the process.
    this.#parser.on('error', (error) => {
      this.#failure = error;
    });
  }

  /** @param bytes must end between characters. */
  async push(bytes: Buffer): Promise<void> {
    this.#lines.feed(bytes);
    await new Promise<void>((resolve) => {
      this.#parser.write(bytes, (error) => {
        this.#failure ??= error;
        resolve();
      });
    });
    // The parser's own limit does not count separators.
    this.#pushed += bytes.length;
    if (this.#pushed - this.#ended > longestRow + bytes.length) {
      this.#failure ??= unreadable(this.#nextLine, ...rowTooLong);
    }
  }

  async end(): Promise<void> {
    if (this.failed) return;
    await new Promise<void>((resolve) => {
      this.#parser.once('error', () => resolve());
      this.#parser.end(() => resolve());
    });
  }

  /** Returns the records since the last call. Throws the parser's failure once all records are taken. */
  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0 && this.#failure) throw this.#failure;
    return rows;
  }

  get failed(): boolean {
    return Boolean(this.#failure);
  }

  /** Last line of the bytes pushed so far. */
  get line(): number {
    this.#lines.advanceToEnd();
    return this.#lines.line;
  }

  #onRecord(cells: string[]): null {
    const { info } = this.#parser;
    const { bytes } = info;
    const isOneLine = info.lines === this.#parserLines + 1;
    // Counting bytes takes as long as checking them, and nearly every record is one line.
    if (isOneLine) this.#lines.skipTo(bytes);
    else this.#lines.advanceTo(bytes);
    const following = this.#lines.line;
    const line = this.#nextLine;
    const long = bytes - this.#ended > longestCell ? findLongCells(cells) : undefined;
    const errors = findErrorValues(cells);
    const cellFaults = long && errors ? [...long, ...errors] : (long ?? errors);
    this.#nextLine = following;
    this.#parserLines = info.lines;
    this.#drift = info.lines + 1 - following;
    this.#ended = bytes;
    // Otherwise the parser makes an error, with its stack, of every record that is longer or shorter than the first.
    (info as { records: number }).records = 0;
    if (this.#hasStrayOpening) this.#rows.push({ line, cells: [], faults: [strayOpening] });
    else if (cells.some(isFilled))
      this.#rows.push(cellFaults ? { line, cells, cellFaults } : { line, cells });
    this.#hasStrayOpening = false;
    return null;
  }

  #onSkip(error: CsvError | undefined): undefined {
    const line = this.#parser.info.lines - this.#drift;
    // After any other error the parser does not know where the next record begins.
    if (error?.code !== 'INVALID_OPENING_QUOTE') throw failureOf(error, this.#nextLine);
    const before = String(error.field);
    this.#strayQuotes += 1;
    this.#strayCharacters += before.length;
    if (this.#strayQuotes > mostStrayQuotes || this.#strayCharacters > mostStrayCharacters) {
      throw unreadable(line, ...tooManyStrayQuotes);
    }
    // Behind blanks, the quote was to open the cell: separators in it would split it.
    this.#hasStrayOpening ||= !isFilled(before);
    // The parser would leave the record out, though it reads it like others.
    (this.#parser as unknown as { state: { recordHasError: boolean } }).state.recordHasError = false;
  }
}

const strayOpening: CellProblem = {
  column: null,
  code: 'stray_quote',
  value: '',
  problem: 'a cell has a space before its opening quote',
  fix: 'Remove the space before the quote.',
};

/** Parser errors that end the reading, as [our code, problem]. */
const failures: Readonly<Record<string, readonly [code: string, problem: string]>> = {
  CSV_QUOTE_NOT_CLOSED: [
    'quote_not_closed',
    'a quote in this row is never closed, so the rest of the file became part of it',
  ],
  CSV_INVALID_CLOSING_QUOTE: [
    'stray_quote',
    'a cell continues after its closing quote; reading stopped here',
  ],
};

const rowTooLong = [
  'row_too_long',
  'this row is longer than 1 MB; most likely a quote in it is never closed',
  quoteFix,
] as const;

const tooManyStrayQuotes = [
  'stray_quote',
  'too many cells contain a quote but do not begin with one; reading stopped here',
  quoteFix,
] as const;

function failureOf(error: CsvError | undefined, line: number): unknown {
  if (error?.code === 'CSV_MAX_RECORD_SIZE') return unreadable(line, ...rowTooLong);
  const failure = failures[error?.code ?? ''];
  return failure === undefined ? error : unreadable(line, ...failure, quoteFix);
}

/** Spreadsheet programs leave blanks behind where something was deleted. */
function isFilled(cell: string): boolean {
  return cell !== '' && cell.trim() !== '';
}
