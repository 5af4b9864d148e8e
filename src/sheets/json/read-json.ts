/** Reads JSON manifests: an array of rows, `{ "name", "defaults", "rows" }`, or JSON Lines. */
import { literalCell } from '../../manifest/cells/formula-guard.ts';
import { turn } from '../../manifest/event-loop.ts';
import { detached } from '../../manifest/printable.ts';
import { longestCell, sizeOf } from '../../manifest/sheet-bounds.ts';
import { Expansion, findLongCells, isRowTooLong, rowTooLong } from '../bounds-check.ts';
import { type SheetHeader, type SheetRow, UnreadableSheetError, unreadable } from '../sheet.ts';
import { InvalidTextError, TextGate } from '../text/decoder.ts';
import type { Encoding } from '../text/encoding.ts';
import { LineCounter } from '../text/line-counter.ts';
import { JsonDocument, type JsonPiece } from './document.ts';
import { JsonLines } from './json-lines.ts';
import { readJsonObject } from './row.ts';
import { JsonSurvey } from './survey.ts';

interface JsonFormat {
  /** `json`: the file is one value. `jsonl`: each line is a row. */
  readonly kind: 'json' | 'jsonl';
  readonly encoding: Encoding;
  /** Whether the column of this name takes a list. */
  readonly isList: (name: string) => boolean;
}

interface JsonSheet {
  /** The keys of all rows, in order of first appearance. */
  readonly header: SheetHeader;
  readonly name: string | undefined;
  /** Can be read once. Fails where the file becomes unreadable. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
}

/** A part of the file; the last one may have the fault at which the file ends. */
interface JsonPart {
  readonly pieces: readonly JsonPiece[];
  readonly fault?: UnreadableSheetError;
}

/** The parts of the file, from its start at every call. */
type JsonParts = () => AsyncIterable<JsonPart>;

/** Longest file that is one value. It is held in memory. */
const longestDocument = 64 * 1024 * 1024;

/** Collects the header; JSON Lines are read again. @throws {UnreadableSheetError} for no header, or one value above 64 MB. */
export async function openJson(read: () => AsyncIterable<Buffer>, format: JsonFormat): Promise<JsonSheet> {
  let fileBytes = 0;
  async function* counted() {
    fileBytes = 0;
    for await (const piece of read()) {
      fileBytes += piece.length;
      yield piece;
    }
  }
  const parts: JsonParts =
    format.kind === 'json'
      ? documentParts(await readWhole(counted(), format.encoding))
      : () => lineParts(counted(), format.encoding);
  const survey = new JsonSurvey();
  // The rows before a fault that ends the file are read, too.
  let end: UnreadableSheetError | undefined;
  for await (const { pieces, fault } of parts()) {
    for (const piece of pieces) survey.add(piece, format.isList);
    end = fault;
  }
  const header = survey.header(end);
  const readRow = rowReader(header.cells, survey.defaults, format);
  return { header, name: survey.name, rows: readRows(parts, readRow, new Expansion(fileBytes)) };
}

const rowsAtOnce = 100;

async function* readRows(
  parts: JsonParts,
  readRow: (piece: JsonPiece) => SheetRow,
  expansion: Expansion,
): AsyncGenerator<readonly SheetRow[]> {
  for await (const { pieces, fault } of parts()) {
    // A short row becomes as wide as the header, and as long as the defaults.
    for (let start = 0; start < pieces.length; start += rowsAtOnce) {
      const records = pieces.slice(start, start + rowsAtOnce).filter(({ member }) => member === null);
      const rows = records.map(readRow);
      yield rows;
      for (const { cells, line } of rows) if (expansion.add(sizeOf(cells))) throw tooMuch(line);
    }
    if (fault) throw fault;
  }
}

/** Reads a file that is one value into memory, as UTF-8. @throws {UnreadableSheetError} */
async function readWhole(bytes: AsyncIterable<Buffer>, encoding: Encoding): Promise<Buffer> {
  // As large as it may get: the system gives memory where it is written, and no growing takes a long turn.
  const room = Buffer.allocUnsafeSlow(longestDocument);
  let length = 0;
  const append = (text: Buffer) => {
    if (length + text.length > longestDocument) throw documentTooLong();
    length += text.copy(room, length);
  };
  const gate = new TextGate(encoding);
  try {
    for await (const chunk of bytes) append(gate.push(chunk));
    append(gate.end());
  } catch (error) {
    if (!(error instanceof InvalidTextError)) throw error;
    const lines = new LineCounter();
    for (const text of [room.subarray(0, length), error.valid]) lines.feed(text);
    lines.advanceToEnd();
    throw error.at(lines.line);
  }
  return room.subarray(0, length);
}

/** Characters of the pieces of a part, beyond its last one. */
const partLength = 64 * 1024;

function documentParts(bytes: Buffer): JsonParts {
  return async function* parts() {
    let pieces: JsonPiece[] = [];
    let length = 0;
    try {
      for (const piece of new JsonDocument(bytes).pieces()) {
        pieces.push(piece);
        length += piece.text?.length ?? 0;
        if (length < partLength && pieces.length < rowsAtOnce) continue;
        yield { pieces };
        pieces = [];
        length = 0;
        await turn.pause();
      }
      yield { pieces };
    } catch (error) {
      if (!(error instanceof UnreadableSheetError)) throw error;
      yield { pieces, fault: error };
    }
  };
}

async function* lineParts(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<JsonPart> {
  const gate = new TextGate(encoding);
  const lines = new JsonLines();
  try {
    for await (const chunk of bytes) yield { pieces: [...lines.push(gate.push(chunk))] };
    yield { pieces: [...lines.push(gate.end()), ...lines.end()] };
  } catch (error) {
    if (!(error instanceof InvalidTextError)) throw error;
    const pieces = [...lines.push(error.valid)];
    yield { pieces, fault: error.at(lines.line) };
  }
}

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

function documentTooLong(): UnreadableSheetError {
  return unreadable(
    1,
    'file_too_large',
    'this JSON file is one value of more than 64 MB',
    'Write each row as an object on its own line (JSON Lines), or use CSV: such files may be larger.',
  );
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
