/** Turns the XML of a worksheet into rows of cells: header first, every other row as wide as the header. Or each row as it is. */
import { longestCell, longestRow, mostColumns, sizeOf } from '../../manifest/sheet-bounds.ts';
import { type Expansion, isRowTooLong, rowTooLong, tooManyColumns } from '../bounds-check.ts';
import { type CellFault, columnLetters, type SheetRow } from '../sheet.ts';
import { type CellContext, isStruck, readCell } from './cell.ts';
import { columnOf, type MergedCells } from './merged-cells.ts';
import { isOn } from './styles.ts';
import { TextRuns } from './texts.ts';
import { broken, repeatsTooMuch } from './workbook-error.ts';
import type { Attributes, XmlHandler } from './xml.ts';

/** Limits of the format. Cells without text may be anywhere. */
const lastColumn = 16_384;
const mostRows = 1_048_576;
/** An escape takes seven characters. */
const longestValue = longestCell * 7;

export class Worksheet implements XmlHandler {
  readonly #context: CellContext;
  readonly #merged: MergedCells;
  readonly #expansion: Expansion;
  readonly #headerLine: number | undefined;
  readonly #inline = new TextRuns();
  #rows: SheetRow[] = [];
  /** Characters and cells of these rows. */
  #waiting = 0;
  /** Number of cells in the header; 0 until it is read. */
  #width = 0;
  #inData = false;
  /** Number of the current row, from 1. */
  #line = 0;
  #column = -1;
  #cellsSeen = 0;
  #cells: string[] = [];
  #faults: CellFault[] | undefined;
  #hasOutside = false;
  #isHidden = false;
  #struck: number[] | undefined;
  readonly #hiddenColumns: number[] = [];
  #rowSize = 0;
  #isTooLong = false;
  #blank = true;
  // The current cell.
  #type: string | undefined;
  #style: string | undefined;
  #value: string | undefined;
  #inValue = false;
  #hasFormula = false;

  /** @param headerLine the rows above it are dropped; undefined: no row is a header, and each is as wide as it is. */
  constructor(
    context: CellContext,
    merged: MergedCells,
    expansion: Expansion,
    headerLine: number | undefined,
  ) {
    this.#headerLine = headerLine;
    this.#context = context;
    this.#merged = merged;
    this.#expansion = expansion;
  }

  get line(): number {
    return Math.max(this.#line, 1);
  }

  /** Whether the rows since the last `take` are too many to wait for more. */
  get isFull(): boolean {
    return this.#waiting > longestRow;
  }

  /** Returns the rows since the last call, without blank rows. */
  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#waiting = 0;
    return rows;
  }

  open(element: string, attributes: Attributes): void {
    if (!this.#inData) {
      this.#inData = element === 'sheetData';
      if (element === 'col') this.#noteColumns(attributes);
      return;
    }
    switch (element) {
      case 'c':
        this.#beginCell(attributes);
        break;
      case 'v':
        this.#inValue = true;
        this.#value = '';
        break;
      case 'row':
        this.#beginRow(attributes);
        break;
      case 'f':
        this.#hasFormula = true;
        break;
      default:
        this.#inline.open(element, attributes);
    }
  }

  text(text: string): void {
    if (this.#inValue) {
      this.#value += text;
      if ((this.#value ?? '').length > longestValue)
        throw broken('a value in it is several times as long as a cell can be');
    } else if (this.#inData) this.#inline.add(text);
  }

  close(element: string): void {
    if (!this.#inData) return;
    switch (element) {
      case 'c':
        this.#endCell();
        break;
      case 'v':
        this.#inValue = false;
        break;
      case 'row':
        this.#endRow();
        break;
      case 'sheetData':
        this.#inData = false;
        break;
      default:
        this.#inline.close(element);
    }
  }

  #noteColumns({ min, max, hidden = '0', width }: Attributes): void {
    if (!isOn(hidden) && Number(width) !== 0) return;
    const last = Math.min(Number(max), mostColumns);
    for (let column = Math.max(1, Number(min)); column <= last; column += 1) {
      if (this.#hiddenColumns.length < mostColumns) this.#hiddenColumns.push(column - 1);
    }
  }

  /** Some programs do not number rows or cells: then each follows the one before. */
  #beginRow({ r: number, hidden = '0', ht: height }: Attributes): void {
    this.#isHidden = isOn(hidden) || Number(height) === 0;
    this.#struck = undefined;
    this.#line = number === undefined ? this.#line + 1 : Number(number);
    if (!(this.#line >= 1 && this.#line <= mostRows)) throw broken(`there is no row ${this.#line}`);
    this.#column = -1;
    this.#cellsSeen = 0;
    this.#cells = this.#width === 0 ? [] : new Array<string>(this.#width).fill('');
    this.#faults = undefined;
    this.#hasOutside = false;
    this.#rowSize = 0;
    this.#isTooLong = false;
    this.#blank = true;
  }

  #beginCell({ r: reference, t: type, s: style }: Attributes): void {
    this.#column = reference === undefined ? this.#column + 1 : columnOf(reference);
    this.#cellsSeen += 1;
    if (!(this.#column >= 0 && this.#column < lastColumn) || this.#cellsSeen > lastColumn) {
      throw broken(`row ${this.#line} has a cell ${reference ?? 'beyond the last column'} too many`);
    }
    this.#type = type;
    this.#style = style;
    this.#value = undefined;
    this.#hasFormula = false;
    this.#inline.begin();
  }

  #endCell(): void {
    const cell = {
      type: this.#type,
      style: this.#style,
      value: this.#value,
      inline: this.#inline.raw,
      hasFormula: this.#hasFormula,
    };
    const reading = readCell(cell, this.#context);
    if (reading === '') return;
    if (this.#inline.isStruck || isStruck(cell, this.#context)) this.#strike();
    this.#rowSize += typeof reading === 'string' ? reading.length : 1;
    if (this.#rowSize > longestRow) this.#dropCell();
    this.#blank &&= typeof reading === 'string' && reading.trim() === '';
    const position = this.#column;
    if (this.#width > 0 && position >= this.#width) {
      this.#faultOutside(position);
    } else if (typeof reading === 'string') {
      this.#put(position, reading);
    } else {
      this.#put(position, reading.value);
      this.#fault({ position, ...reading });
    }
  }

  /** The row is too long anyway: its texts need not be kept, but reading them takes time. */
  #dropCell(): void {
    if (this.#expansion.add(this.#rowSize)) throw repeatsTooMuch();
    this.#rowSize = 0;
    this.#isTooLong = true;
  }

  #strike(): void {
    this.#struck ??= [];
    if (this.#struck.length < mostColumns) this.#struck.push(this.#column);
  }

  #put(position: number, text: string): void {
    if (this.#width === 0 && position >= mostColumns) throw tooManyColumns(this.line);
    if (this.#isTooLong) return;
    while (this.#cells.length < position) this.#cells.push('');
    this.#cells[position] = text;
  }

  #fault(fault: CellFault): void {
    this.#faults ??= [];
    this.#faults.push(fault);
  }

  /** Reported once per row, however many such cells it has. */
  #faultOutside(position: number): void {
    if (this.#hasOutside) return;
    this.#hasOutside = true;
    const name = `${columnLetters(position)}${this.#line}`;
    this.#fault({
      position,
      code: 'cell_without_header',
      value: '',
      problem: `cell ${name} has no header above it`,
      fix: 'Name the column in the header, or clear the cell.',
    });
  }

  #endRow(): void {
    if (this.#blank) return;
    const line = this.#line;
    const cells = this.#cells;
    const isHeader = this.#width === 0 && this.#hiddenColumns.length > 0;
    if (this.#width === 0) {
      if (line < (this.#headerLine ?? 1)) return;
      if (this.#headerLine !== undefined) this.#width = cells.length;
      this.#merged.skipHeader(line);
    } else for (const fault of this.#merged.fill(line, cells, this.#faults)) this.#fault(fault);
    const size = sizeOf(cells);
    if (this.#expansion.add(size + this.#rowSize)) throw repeatsTooMuch();
    this.#waiting += size;
    const isTooLong = this.#isTooLong || isRowTooLong(cells, size);
    if (isTooLong) this.#rows.push({ line, cells: [], faults: [rowTooLong] });
    else
      this.#rows.push({
        line,
        cells,
        cellFaults: this.#faults,
        ...(this.#isHidden && { isHidden: true as const }),
        ...(this.#struck && { struck: this.#struck }),
        ...(isHeader && { hiddenColumns: this.#hiddenColumns }),
      });
  }
}
