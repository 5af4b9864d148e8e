/**
 * The cells that results write beside those of the planner's own sheet, line by line: ours, what the campaign has instead of hers, and
 * which of her edits were ignored.
 */
import { CellAlignment } from '../../../importers/update/cell-alignment.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { textOfCell, unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import { inFormOf } from '../../../manifest/cells/time-form.ts';
import { type ColumnName, foldHeader } from '../../../manifest/columns.ts';
import { matchHeader, meaningsOf } from '../../../manifest/headers/header.ts';
import { type RowPlace, showValue } from '../../../manifest/problems/problem.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import { countColumns, insteadColumn, noteColumn } from '../../../manifest/result-columns.ts';
import { sentence } from '../../../manifest/wording.ts';
import type { OpenSheet } from '../../../sheets/open-sheet.ts';
import type { NewCell } from '../../../sheets/own/worksheet-cells.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { SameMeaning } from '../import/aliases.ts';
import { linesOfRows, skippedLine, whySkipped } from './own-lines.ts';
import type { OwnSheet } from './own-sheet.ts';
import { endedRows, type ResultLines } from './sheet.ts';

/** What the cells of all worksheets are made of. */
interface Source {
  readonly runtime: Pick<Runtime, 'ledger'>;
  readonly campaign: Campaign;
  readonly results: ResultLines;
  readonly own: OwnSheet;
  readonly isSame: SameMeaning;
  /** By column of the results; empty for a file without widths. */
  readonly widths: readonly number[];
}

/** Such rows stand below all others, even below a total. */
const [absentRemark, addedRemark] = ['No longer in the sheet.', 'Added by another sheet.'];

/** `status` of a post that the service has taken. */
const accepted: ReadonlySet<string> = new Set(['posted', 'scheduled', 'live', 'not confirmed']);

const counts: ReadonlySet<string> = new Set(countColumns);

/** A cell of hers in place of which the campaign has another text. */
interface Difference {
  readonly column: number;
  readonly name: string;
  readonly hers: string;
  readonly ours: string;
}

/** The cells that are written into a worksheet, line by line. */
export class ResultCells {
  readonly headerLine: number;
  readonly lastPosition: number;
  readonly widths: readonly number[];
  readonly #width: number;
  readonly #source: Source;
  readonly #worksheet: string | undefined;
  readonly #alignment: CellAlignment;
  /** Names in her header. */
  readonly #names: readonly string[];
  /** Position in the sheet of each column of the results: behind hers if an edit added it, or her next version lacks it. */
  readonly #positions: readonly number[];
  /** What the columns of the campaign mean, by position. */
  readonly #meanings: ReadonlyMap<number, ColumnName>;
  /** Rows of the campaign that the sheet lacks: they stand at its end. */
  readonly #absent: readonly number[];
  /** Rows with edits that came too late, by column of the results. */
  readonly #late: readonly (readonly [column: number, rows: ReadonlySet<number>])[];
  /** Columns of the results for remarks, and for what the campaign has instead of her cells. */
  readonly #note: number;
  readonly #instead: number;
  readonly #rows: AsyncIterator<readonly SheetRow[]>;
  /** Rows that are read and not written, with their results by row of the campaign. */
  #batch: readonly SheetRow[] = [];
  #lines: ReadonlyMap<number, readonly string[]> = new Map();

  constructor(
    source: Source,
    { header, rows }: OpenSheet,
    absent: readonly number[] = [],
    worksheet?: string,
  ) {
    const { campaign, results } = source;
    this.#absent = absent;
    this.#source = source;
    this.#worksheet = worksheet;
    this.#late = source.own.notTaken.map(([target, of]) => [results.own.indexOf(target), new Set(of)]);
    this.#note = results.header.indexOf(noteColumn, results.own.length);
    this.#instead = results.header.indexOf(insteadColumn, results.own.length);
    this.#names = header.cells;
    this.headerLine = header.line;
    this.#rows = rows[Symbol.asyncIterator]();
    this.#width = header.cells.length;
    const hers = matchHeader(header.cells, { map: campaign.map });
    const earlier = new Set(hers.results);
    const names = header.cells.map(foldHeader);
    let end = header.cells.length;
    const taken = new Set(meaningsOf(hers).keys());
    const meanings = meaningsOf(createImportedRowReader(campaign).header);
    this.#meanings = meanings;
    const alignment = new CellAlignment(campaign, hers);
    this.#alignment = alignment;
    this.#positions = results.header.map((name, column) => {
      const target = results.own[column];
      const isOwn = target !== undefined;
      const isMeant = isOwn && meanings.has(target);
      const position = isMeant
        ? (alignment.sourcesOf(target)[0] ?? -1)
        : names.findIndex(
            (other, at) => other === foldHeader(name) && earlier.has(at) !== isOwn && !taken.has(at),
          );
      if (position < 0) return end++;
      taken.add(position);
      return position;
    });
    this.lastPosition = end - 1;
    this.widths = source.widths.filter((_width, column) => (this.#positions[column] ?? 0) >= this.#width);
  }

  get added(): number {
    return this.#absent.length;
  }

  async *rest(): AsyncGenerator<ReadonlyMap<number, NewCell>> {
    const { runtime, campaign, results, own } = this.#source;
    for await (const some of endedRows(runtime.ledger, campaign, { rows: new Set(this.#absent) }))
      for (const [index, line] of (await results.linesOf(some)).entries()) {
        const isAdded = (some[index]?.row ?? 0) >= own.campaignRows;
        yield this.#cells(this.#remarked(line, isAdded ? addedRemark : absentRemark), () => true, []);
      }
  }

  async of(line: number): Promise<ReadonlyMap<number, NewCell> | undefined> {
    if (line === this.headerLine) return this.#cells(this.#source.results.header, this.#isOurs);
    while (this.#batch.length > 0 && (this.#batch[0]?.line ?? 0) < line) this.#batch = this.#batch.slice(1);
    while (this.#batch.length === 0) {
      const { value, done } = await this.#rows.next();
      if (done) return undefined;
      await this.#take(value.filter((row: SheetRow) => row.line >= line));
    }
    const row = this.#batch[0];
    if (row?.line !== line) return undefined;
    const found = this.#find(row);
    if (found === undefined) return this.#whySkipped(row);
    const texts = this.#lines.get(found);
    if (texts === undefined) return undefined;
    const differences = this.#differences(texts, row.cells);
    const late = differences.filter(({ column }) => this.#isLate(found, column));
    const others = differences.filter((difference) => !late.includes(difference));
    const instead = others.map(({ name, ours }) => `${name}: ${ours === '' ? 'empty' : showValue(ours)}`);
    const told = texts.with(this.#instead, instead.join('; '));
    const isPosted = accepted.has(texts[this.#source.results.header.lastIndexOf('status')] ?? '');
    const remark = describeIgnored(late, isPosted);
    return this.#cells(remark === '' ? told : this.#remarked(told, remark), this.#isOurs, row.cells);
  }

  /** Whether a column of the results is none of her sheet. */
  readonly #isOurs = (column: number): boolean =>
    column >= this.#source.results.own.length || (this.#positions[column] ?? 0) >= this.#width;

  #remarked(line: readonly string[], remark: string): readonly string[] {
    return line.with(this.#note, `${sentence(line[this.#note] ?? '')} ${remark}`.trim());
  }

  #isLate(row: number, column: number): boolean {
    return this.#late.some(([of, rows]) => of === column && rows.has(row));
  }

  /** Her cells that neither say nor mean the same as the campaign. What she notes is hers alone. */
  #differences(line: readonly string[], own: readonly string[]): readonly Difference[] {
    const { results, isSame } = this.#source;
    const aligned = this.#alignment.align(own);
    return results.own.flatMap((target, column) => {
      const meaning = this.#meanings.get(target);
      if (meaning === undefined || meaning === 'key' || this.#isOurs(column)) return [];
      const [hers, ours] = [textOfCell(aligned, target), (line[column] ?? '').trim()];
      // Whose post it is, is told also where only a name was meant.
      if (hers === ours || (meaning !== 'creator' && isSame(meaning, hers, ours))) return [];
      const name = showValue(this.#names[this.#positions[column] ?? -1] ?? '');
      return [{ column, name, hers, ours: inFormOf(hers, ours) }];
    });
  }

  /** @returns undefined for a row that is no post, such as a heading. */
  #whySkipped(row: SheetRow): ReadonlyMap<number, NewCell> | undefined {
    const { results, own } = this.#source;
    const why = whySkipped(own, this.#placeOf(row));
    if (why === undefined) return undefined;
    const line = skippedLine(results, why);
    return this.#cells(line, (column) => line[column] !== '', row.cells);
  }

  async #take(rows: readonly SheetRow[]): Promise<void> {
    this.#batch = rows;
    const { runtime, campaign, results } = this.#source;
    const wanted = new Set(rows.flatMap((row) => this.#find(row) ?? []));
    this.#lines = await linesOfRows(runtime, campaign, results, wanted);
  }

  #find(row: SheetRow): number | undefined {
    return this.#source.own.rows.at(this.#placeOf(row));
  }

  #placeOf({ line }: SheetRow): RowPlace {
    return { line, worksheet: this.#worksheet };
  }

  /** @param own cells of the sheet: those that say the same stay as they are. */
  #cells(
    line: readonly string[],
    isWritten: (column: number) => boolean,
    own?: readonly string[],
  ): ReadonlyMap<number, NewCell> {
    const cells: [number, NewCell][] = [];
    for (const [column, text] of line.entries()) {
      const position = isWritten(column) ? this.#positions[column] : undefined;
      if (position === undefined || text === unguardFormula(own?.[position] ?? '')) continue;
      const isCount = own !== undefined && counts.has(this.#source.results.header[column] ?? '');
      cells.push([position, isCount && text !== '' ? Number(text) : text]);
    }
    return new Map(cells.sort(([one], [other]) => one - other));
  }
}

/** Empty if no edit was ignored. */
function describeIgnored(edits: readonly Difference[], isPosted: boolean): string {
  const told = edits.map(({ name, hers, ours }) => {
    const [text, other] = [hers, ours].map((each) => (each === '' ? 'empty' : `"${showValue(each)}"`));
    return `${name} ${text}, ${isPosted ? 'posted as' : 'the campaign'} ${other}`;
  });
  return told.length === 0 ? '' : `Ignored: the sheet says ${told.join('; ')}.`;
}
