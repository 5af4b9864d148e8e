/** Writes cells into the XML of a worksheet as it streams by, and leaves every other character as it was. */
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { columnLetters } from '../sheet.ts';
import { escapeText } from '../write/xlsx-sheet.ts';
import { columnOf } from '../xlsx/merged-cells.ts';
import { broken } from '../xlsx/workbook-error.ts';
import { encodingOf } from '../xlsx/xml.ts';
import { type NumberContext, numberFor, type OldCell } from './cell-number.ts';
import { ColumnWidths } from './column-widths.ts';

/** A text, or a number; an empty text clears the cell. A text becomes a number where one with the same meaning was. */
export type NewCell = string | number;

export interface NewCells {
  /** Line of the headers, from 1. A new header looks like the one before it. */
  readonly headerLine: number;
  /** Positions of the new columns reach to here, from 0. */
  readonly lastPosition: number;
  /** Widths of the new columns, which are the last ones. In characters. */
  readonly widths: readonly number[];
  /** Called once for each row of the worksheet, in order. @returns cells by position, ascending; undefined: the row stays as it is. */
  of(line: number): Promise<ReadonlyMap<number, NewCell> | undefined>;
  /** How many rows `rest` has. */
  readonly added: number;
  /** Rows to write behind the last one, in the styles of those that `of` gave cells. */
  rest(): AsyncIterable<ReadonlyMap<number, NewCell>>;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface ScannedCell extends Span, OldCell {
  readonly position: number;
  /** Other cells need its formula. */
  readonly isShared: boolean;
}

interface ScannedRow {
  readonly line: number;
  /** Prefix of the names of elements: empty, or such as `x:`. */
  readonly prefix: string;
  readonly tag: Span;
  readonly isEmptyTag: boolean;
  readonly cells: ScannedCell[];
  /** Where the end tag begins. */
  end: number;
}

/** Characters of one row. The reader of an import has refused longer ones. */
const longestRow = 64 * 1024 * 1024;

/** @param part its name, for messages. @throws {WorkbookError} if it is not XML in UTF-8. */
export async function* writeCells(
  part: string,
  bytes: AsyncIterable<Buffer>,
  cells: NewCells,
  context: NumberContext,
): AsyncGenerator<string> {
  const scan = new WorksheetScan(part, cells, context);
  let decoder: TextDecoder | undefined;
  for await (const piece of bytes) {
    // Another encoding is named in the XML declaration, which stays as it is.
    if (decoder === undefined && encodingOf(piece) !== 'utf-8') throw broken(`${part} is not UTF-8`);
    decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    scan.write(decoder.decode(piece, { stream: true }));
    yield* scan.take();
  }
  scan.write(decoder?.decode() ?? '');
  yield* scan.end();
}

class WorksheetScan {
  readonly #part: string;
  readonly #new: NewCells;
  readonly #context: NumberContext;
  readonly #parser = new SaxesParser({ position: false, xmlns: false as const });
  /** Text that is not passed on yet, and the position of its first character. */
  #text = '';
  #offset = 0;
  /** What comes before it may be passed on. */
  #settled = 0;
  #edits: (ScannedRow | (Span & ({ readonly text: string } | { readonly prefix: string })))[] = [];
  #inData = false;
  readonly #widths: ColumnWidths;
  #line = 0;
  #row: ScannedRow | undefined;
  /** The last cell with a value in each column of the rows that were written. */
  readonly #last = new Map<number, ScannedCell>();
  #cell: Pick<ScannedCell, 'start' | 'position' | 'type' | 'style'> | undefined;
  #hasValue = false;
  #hasFormula = false;
  #isShared = false;

  constructor(part: string, cells: NewCells, context: NumberContext) {
    this.#part = part;
    this.#new = cells;
    this.#widths = new ColumnWidths(cells);
    this.#context = context;
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw broken(`${part} has a document type`);
    });
    parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
      this.#open(name, attributes, isSelfClosing);
      if (!this.#row) this.#settled = parser.position;
    });
    parser.on('closetag', ({ name }) => {
      this.#close(name);
      if (!this.#row) this.#settled = parser.position;
    });
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length > longestRow) throw broken(`a row of ${this.#part} does not end`);
    try {
      this.#parser.write(text);
    } catch (error) {
      throw broken(`${this.#part} is not well-formed XML`, error);
    }
  }

  async *take(): AsyncGenerator<string> {
    const edits = this.#edits;
    this.#edits = [];
    for (const edit of edits) {
      if ('text' in edit) {
        yield this.#pass(edit.start) + edit.text;
        this.#skip(edit.end);
      } else if (!('line' in edit)) {
        yield this.#pass(edit.start);
        for await (const cells of this.#new.rest()) yield this.#addRow(cells, edit.prefix);
      } else {
        const cells = await this.#new.of(edit.line);
        if (cells !== undefined) yield this.#writeRow(edit, cells);
      }
    }
    yield this.#pass(this.#settled);
  }

  async *end(): AsyncGenerator<string> {
    this.#parser.close();
    yield* this.take();
    yield this.#pass(this.#offset + this.#text.length);
  }

  #open(qualified: string, attributes: Readonly<Record<string, string>>, isEmptyTag: boolean): void {
    const [prefix, name] = splitName(qualified);
    const tag = { start: this.#lastTag(), end: this.#parser.position };
    if (!this.#inData) {
      if (name === 'sheetData') {
        this.#inData = !isEmptyTag;
        this.#insert(tag.start, this.#widths.all(prefix));
      } else if (name === 'dimension') this.#widen(tag, attributes.ref);
      else if (name === 'col') {
        const text = this.#widths.take(prefix, attributes, isEmptyTag);
        if (text !== undefined) this.#edits.push({ ...tag, text });
      }
    } else if (name === 'row') {
      this.#line = attributes.r === undefined ? this.#line + 1 : Number(attributes.r);
      this.#row = { line: this.#line, prefix, tag, isEmptyTag, cells: [], end: tag.end };
    } else if (name === 'c') {
      const { r: reference, t: type, s: style } = attributes;
      const before = this.#row?.cells.at(-1)?.position ?? -1;
      const position = reference === undefined ? before + 1 : columnOf(reference);
      this.#cell = { start: tag.start, position, type, style };
      this.#hasValue = false;
      this.#hasFormula = false;
      this.#isShared = false;
    } else if (name === 'v' || name === 'is') this.#hasValue = true;
    else if (name === 'f') {
      this.#hasFormula = true;
      this.#isShared ||= attributes.ref !== undefined;
    }
  }

  #close(qualified: string): void {
    const [prefix, name] = splitName(qualified);
    if (name === 'cols') this.#insert(this.#lastTag(), this.#widths.rest(prefix));
    else if (name === 'sheetData') {
      this.#inData = false;
      this.#edits.push({ start: this.#lastTag(), end: this.#lastTag(), prefix });
    } else if (name === 'c' && this.#cell) {
      this.#row?.cells.push({
        ...this.#cell,
        end: this.#parser.position,
        hasValue: this.#hasValue,
        hasFormula: this.#hasFormula,
        isShared: this.#isShared,
      });
      this.#cell = undefined;
    } else if (name === 'row' && this.#row) {
      if (!this.#row.isEmptyTag) this.#row.end = this.#lastTag();
      this.#edits.push(this.#row);
      this.#row = undefined;
    }
  }

  #insert(at: number, text: string): void {
    if (text !== '') this.#edits.push({ start: at, end: at, text });
  }

  /** The used range of the worksheet. */
  #widen(tag: Span, ref = ''): void {
    const { from = '', to = from, bottom } = usedRange.exec(ref)?.groups ?? {};
    const { lastPosition, added } = this.#new;
    if (from === '' || (columnOf(to) >= lastPosition && added === 0)) return;
    const lowest = Number(bottom ?? from.replace(/^[A-Z]+/, '')) + added;
    const wider = `${from}:${columnLetters(Math.max(columnOf(to), lastPosition))}${lowest}`;
    this.#edits.push({ ...tag, text: this.#slice(tag).replace(ref, wider) });
  }

  #writeRow(row: ScannedRow, cells: ReadonlyMap<number, NewCell>): string {
    const { tag, prefix, line, isEmptyTag } = row;
    // The columns that a row spans are a hint for programs, and need not be there.
    const begin = this.#slice(tag).replace(/\sspans="[^"]*"/, '');
    let xml = this.#pass(tag.start) + (isEmptyTag ? `${begin.slice(0, -2).trimEnd()}>` : begin);
    this.#skip(tag.end);
    const waiting = [...cells];
    let style: string | undefined;
    const write = (position: number, cell: NewCell) => {
      xml += encodeCell(cell, `${columnLetters(position)}${line}`, style, prefix);
    };
    for (const old of row.cells) {
      if (old.hasValue && line !== this.#new.headerLine) this.#last.set(old.position, old);
      xml += this.#pass(old.start);
      while ((waiting[0]?.[0] ?? Number.POSITIVE_INFINITY) < old.position) write(...next(waiting));
      style = old.style;
      if (waiting[0]?.[0] !== old.position) continue;
      const [position, cell] = next(waiting);
      if (old.isShared) continue;
      write(position, numberFor(String(cell), old, this.#context) ?? cell);
      this.#skip(old.end);
    }
    xml += this.#pass(row.end);
    if (line !== this.#new.headerLine) style = undefined;
    while (waiting.length > 0) write(...next(waiting));
    return isEmptyTag ? `${xml}</${prefix}row>` : xml;
  }

  #addRow(cells: ReadonlyMap<number, NewCell>, prefix: string): string {
    this.#line += 1;
    const line = this.#line;
    const xml = [...cells].map(([at, cell]) => {
      const last = this.#last.get(at);
      const value = last === undefined ? cell : (numberFor(String(cell), last, this.#context) ?? cell);
      return encodeCell(value, `${columnLetters(at)}${line}`, last?.style, prefix);
    });
    return `<${prefix}row r="${line}">${xml.join('')}</${prefix}row>`;
  }

  /** Where the tag begins that was read last: there is no other `<` in it. */
  #lastTag(): number {
    return this.#text.lastIndexOf('<', this.#parser.position - this.#offset - 1) + this.#offset;
  }

  #slice({ start, end }: Span): string {
    return this.#text.slice(start - this.#offset, end - this.#offset);
  }

  #pass(to: number): string {
    const text = this.#slice({ start: this.#offset, end: Math.max(to, this.#offset) });
    this.#skip(to);
    return text;
  }

  #skip(to: number): void {
    if (to <= this.#offset) return;
    this.#text = this.#text.slice(to - this.#offset);
    this.#offset = to;
  }
}

const usedRange = /^(?<from>[A-Z]{1,3}\d{1,7})(?::(?<to>[A-Z]{1,3})(?<bottom>\d{1,7}))?$/;

function next<T>(waiting: T[]): T {
  return waiting.shift() as T;
}

function encodeCell(cell: NewCell, place: string, style: string | undefined, prefix: string): string {
  const begin = `<${prefix}c r="${place}"${style === undefined ? '' : ` s="${style}"`}`;
  if (cell === '') return style === undefined ? '' : `${begin}/>`;
  if (typeof cell === 'number') return `${begin}><${prefix}v>${cell}</${prefix}v></${prefix}c>`;
  const text = `<${prefix}t xml:space="preserve">${escapeText(cell)}</${prefix}t>`;
  return `${begin} t="inlineStr"><${prefix}is>${text}</${prefix}is></${prefix}c>`;
}

function splitName(tag: string): readonly [prefix: string, name: string] {
  const colon = tag.indexOf(':') + 1;
  return [tag.slice(0, colon), tag.slice(colon)];
}
