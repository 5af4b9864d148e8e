/** Reads JSON manifests: an array of rows, `{ "name", "defaults", "rows" }`, or JSON Lines. */
import { literalCell } from '../../manifest/cells/formula.ts';
import { detached } from '../../manifest/detached.ts';
import { longestCell, sizeOf } from '../../manifest/sheet-bounds.ts';
import { Expansion, findLongCells, isRowTooLong, rowTooLong } from '../bounds.ts';
import { type SheetHeader, type SheetRow, UnreadableSheetError, unreadable } from '../sheet.ts';
import type { Encoding } from '../text/encoding.ts';
import { InvalidTextError, TextGate } from '../text/gate.ts';
import { JsonDocumentCutter } from './document.ts';
import { type JsonCutter, JsonLinesCutter, type JsonPiece } from './pieces.ts';
import { readJsonObject } from './row.ts';
import { JsonSurvey } from './survey.ts';

export interface JsonFormat {
  /** `json`: the file is one value. `jsonl`: each line is a row. */
  readonly kind: 'json' | 'jsonl';
  readonly encoding: Encoding;
  /** Whether the column of this name takes a list. */
  readonly isList: (name: string) => boolean;
}

export interface JsonSheet {
  /** The keys of all rows, in order of first appearance. */
  readonly header: SheetHeader;
  /** Name of the campaign in the file. */
  readonly name: string | undefined;
  /** Reads the same bytes again, as rows. @throws {UnreadableSheetError} */
  rows(bytes: AsyncIterable<Buffer>): AsyncIterable<readonly SheetRow[]>;
}

/**
 * Reads a JSON manifest once, to collect its header.
 * @throws {UnreadableSheetError} if no header can be found.
 */
export async function openJson(bytes: AsyncIterable<Buffer>, format: JsonFormat): Promise<JsonSheet> {
  const survey = new JsonSurvey();
  let fileBytes = 0;
  async function* counted() {
    for await (const piece of bytes) {
      fileBytes += piece.length;
      yield piece;
    }
  }
  // The second pass reports a fault that ends the file, after the faults of the rows before it.
  let end: UnreadableSheetError | undefined;
  for await (const { pieces, fault } of cutPieces(counted(), format)) {
    for (const piece of pieces) survey.add(piece, format.isList);
    end = fault;
  }
  const header = survey.header(end);
  return {
    header,
    name: survey.name,
    rows: (again) => readRows(again, format, { header, defaults: survey.defaults, fileBytes }),
  };
}

const rowsAtOnce = 100;

async function* readRows(
  bytes: AsyncIterable<Buffer>,
  format: JsonFormat,
  sheet: {
    readonly header: SheetHeader;
    /** Cells for rows that lack the key. */
    readonly defaults: ReadonlyMap<string, string>;
    readonly fileBytes: number;
  },
): AsyncGenerator<readonly SheetRow[]> {
  const read = rowReader(sheet.header.cells, sheet.defaults, format);
  const expansion = new Expansion(sheet.fileBytes);
  for await (const { pieces, fault } of cutPieces(bytes, format)) {
    // A short row becomes as wide as the header, and as long as the defaults.
    for (let start = 0; start < pieces.length; start += rowsAtOnce) {
      const records = pieces.slice(start, start + rowsAtOnce).filter(({ member }) => member === null);
      const rows = records.map(read);
      yield rows;
      for (const { cells, line } of rows) if (expansion.add(sizeOf(cells))) throw tooMuch(line);
    }
    if (fault) throw fault;
  }
}

/** @yields some pieces, and at last the fault at which the file ends; the rows before it are valid. */
async function* cutPieces(
  bytes: AsyncIterable<Buffer>,
  { kind, encoding }: JsonFormat,
): AsyncGenerator<{ readonly pieces: readonly JsonPiece[]; readonly fault?: UnreadableSheetError }> {
  const cutter = kind === 'json' ? new JsonDocumentCutter() : new JsonLinesCutter();
  let pieces: JsonPiece[] = [];
  try {
    for await (const found of cutText(bytes, cutter, new TextGate(encoding))) {
      for (const piece of found) pieces.push(piece);
      yield { pieces };
      pieces = [];
    }
  } catch (error) {
    if (!(error instanceof UnreadableSheetError)) throw error;
    yield { pieces, fault: error };
  }
}

async function* cutText(
  bytes: AsyncIterable<Buffer>,
  cutter: JsonCutter,
  gate: TextGate,
): AsyncGenerator<Iterable<JsonPiece>> {
  try {
    for await (const chunk of bytes) yield cutter.cut(gate.push(chunk));
    yield cutter.cut(gate.end());
  } catch (error) {
    if (!(error instanceof InvalidTextError)) throw error;
    yield cutter.cut(error.valid);
    throw error.at(cutter.line);
  }
  yield cutter.end();
}

/** Makes a reader of rows under one header. */
function rowReader(header: readonly string[], defaults: ReadonlyMap<string, string>, { isList }: JsonFormat) {
  const known = new Set(header);
  const defaultLength = [...defaults.values()].reduce((sum, { length }) => sum + length, 0);
  return ({ line, text }: JsonPiece): SheetRow => {
    if (text === null) return { line, cells: [], faults: [rowTooLong] };
    const reading = readJsonObject(text, isList);
    if ('fault' in reading) {
      const { linesBefore, ...fault } = reading.fault;
      return { line: line + linesBefore, cells: [], faults: [fault] };
    }
    const { cells, problems } = reading;
    for (const name of cells.keys()) if (!known.has(name)) throw changed(line);
    // The texts of a row keep all of it in memory, which is little unless it is long.
    const own = text.length > longestCell ? detached : (cell: string) => cell;
    const row = header.map((name) => {
      const cell = cells.get(name);
      return literalCell(cell === undefined ? (defaults.get(name) ?? '') : own(cell));
    });
    if (text.length + defaultLength > longestCell && isRowTooLong(row, sizeOf(row))) {
      return { line, cells: [], faults: [rowTooLong] };
    }
    const faults = problems.length === 0 ? undefined : problems;
    return {
      line,
      cells: row,
      faults,
      cellFaults: text.length > longestCell ? findLongCells(row) : undefined,
    };
  };
}

function tooMuch(line: number): UnreadableSheetError {
  return unreadable(
    line,
    'too_much_repeated',
    'the rows up to here take more than 200 times the size of the file, which no real sheet does',
    'Look for long texts in defaults, and for keys that only a few rows need.',
  );
}

function changed(line: number): UnreadableSheetError {
  return unreadable(line, 'file_changed', 'the file changed during reading', 'Save it and try again.');
}
