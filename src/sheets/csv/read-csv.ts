/** Reads CSV: separators between cells, LF, CR LF or CR after rows, and quotes around cells that contain either. */
import type { SheetRow } from '../sheet.ts';
import type { Encoding } from '../text/encoding.ts';
import { InvalidTextError, TextGate } from '../text/gate.ts';
import type { Delimiter } from './delimiter.ts';
import { ParsedRecords } from './parsed-records.ts';
import { RegularRecords } from './regular-records.ts';

/**
 * Streams the rows of a CSV file, header first, without blank rows.
 * @param bytes each piece is used only until the next one is asked for.
 * @throws {UnreadableSheetError} where the file becomes unreadable, after the rows before that place.
 */
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

/** The records of a file: split as long as they are regular, then parsed. */
class CsvRecords {
  readonly #delimiter: Delimiter;
  readonly #regular: RegularRecords;
  #parsed: ParsedRecords | undefined;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
    this.#regular = new RegularRecords(delimiter);
  }

  /** @param bytes must end between characters. */
  async push(bytes: Buffer): Promise<void> {
    await this.#parse(this.#parsed === undefined ? this.#regular.push(bytes) : bytes);
  }

  async end(): Promise<void> {
    await this.#parse(this.#regular.end());
    await this.#parsed?.end();
  }

  async #parse(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    this.#parsed ??= new ParsedRecords(this.#delimiter, this.#regular.nextLine);
    await this.#parsed.push(bytes);
  }

  /** Returns the records since the last call. Throws the parser's failure once all records are taken. */
  take(): readonly SheetRow[] {
    const rows = this.#regular.take();
    return rows.length > 0 || this.#parsed === undefined ? rows : this.#parsed.take();
  }

  get failed(): boolean {
    return this.#parsed?.failed ?? false;
  }

  /** Last line of the bytes pushed so far. */
  get line(): number {
    return (this.#parsed ?? this.#regular).line;
  }
}
