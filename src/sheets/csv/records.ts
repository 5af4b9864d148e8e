/** Splits CSV into records of cells, each with the line that it begins on. */
import { type CsvError, Parser } from 'csv-parse';
import { type SheetRow, unreadable } from '../sheet.ts';
import { LineCounter } from '../text/line-counter.ts';
import type { Delimiter } from './delimiter.ts';

/** Longer than any real row by far: a quote that is never closed swallows the file up to here. */
const maxRecordBytes = 1024 * 1024;
const newlines = /\r\n|\r|\n/g;

const quoteCure =
  'A cell that holds a quote, a separator or a line break stands in quotes, with each quote in it doubled.';

/**
 * Records are taken from the parser as they are found, not through its readable side, so that nothing piles up: what is pushed
 * has been split when `push` returns. The parser's own count of lines is not used: it counts CR LF within quotes twice.
 */
export class CsvRecords {
  readonly #parser: Parser;
  readonly #lines = new LineCounter();
  #rows: SheetRow[] = [];
  /** Line that the next record begins on; 0 after a record that was skipped, whose end nobody tells. */
  #nextLine = 1;
  /** How far the parser's count of lines is ahead of the true one. */
  #drift = 0;
  #faultyLine = 0;
  #failure: unknown;

  constructor(delimiter: Delimiter) {
    this.#parser = new Parser({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_records_with_error: true,
      max_record_size: maxRecordBytes,
      on_record: (cells: string[]) => this.#onRecord(cells),
      on_skip: (error) => this.#onSkip(error),
    });
    // The failure is told by the callback of the write; without a listener it would end the process as well.
    this.#parser.on('error', (error) => {
      this.#failure = error;
    });
  }

  /** Takes bytes that end between characters. */
  async push(bytes: Buffer): Promise<void> {
    this.#lines.feed(bytes);
    await new Promise<void>((resolve) => {
      this.#parser.write(bytes, (error) => {
        this.#failure ??= error;
        resolve();
      });
    });
  }

  /** Says that there are no more bytes. */
  async end(): Promise<void> {
    if (this.#failure !== undefined && this.#failure !== null) return;
    await new Promise<void>((resolve) => {
      this.#parser.once('error', () => resolve());
      this.#parser.end(() => resolve());
    });
  }

  /** The records since the last call; then, once they are taken, what put an end to the splitting is thrown. */
  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0 && this.#failure) throw this.#failure;
    return rows;
  }

  get failed(): boolean {
    return Boolean(this.#failure);
  }

  /** The line that what was pushed ends on. */
  get line(): number {
    this.#lines.advanceToEnd();
    return this.#lines.line;
  }

  #onRecord(cells: string[]): null {
    this.#lines.advanceTo(this.#parser.info.bytes);
    const following = this.#lines.line;
    const line = this.#nextLine || following - 1 - countNewlines(cells);
    this.#nextLine = following;
    this.#drift = this.#parser.info.lines + 1 - following;
    if (cells.some(isFilled)) this.#rows.push({ line, cells });
    return null;
  }

  #onSkip(error: CsvError | undefined): undefined {
    const line = this.#parser.info.lines - this.#drift;
    const begin = this.#nextLine || line;
    // Every code but this one leaves the parser without knowing where the next record begins.
    if (error?.code !== 'INVALID_OPENING_QUOTE') throw failureOf(error, begin);
    this.#nextLine = 0;
    if (line === this.#faultyLine) return;
    this.#faultyLine = line;
    this.#rows.push({
      line,
      cells: [],
      faults: [
        {
          column: null,
          code: 'stray_quote',
          value: '',
          problem: 'there is a quote within a cell that does not begin with one',
          cure: quoteCure,
        },
      ],
    });
  }
}

function failureOf(error: CsvError | undefined, line: number): unknown {
  switch (error?.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return unreadable(
        line,
        'quote_not_closed',
        'a quote in this row is never closed; the rest of the file went into it',
        quoteCure,
      );
    case 'CSV_INVALID_CLOSING_QUOTE':
      return unreadable(
        line,
        'stray_quote',
        'a cell goes on after its closing quote; the file was not read further',
        quoteCure,
      );
    case 'CSV_MAX_RECORD_SIZE':
      return unreadable(
        line,
        'row_too_long',
        'this row is longer than 1 MB; most likely a quote in it is never closed',
        quoteCure,
      );
    default:
      return error;
  }
}

/** Blanks are what a spreadsheet leaves behind where something was deleted. */
function isFilled(cell: string): boolean {
  return cell !== '' && cell.trim() !== '';
}

function countNewlines(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.match(newlines)?.length ?? 0), 0);
}
