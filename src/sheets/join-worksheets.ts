/** Reads several worksheets with the same headers as one table: the rows of each, in the order of the sheets named. */
import { foldHeader } from '../manifest/columns.ts';
import { type CellProblem, showValue } from '../manifest/problems/problem.ts';
import { problemOfCell, type SheetHeader, type SheetRow, UnreadableSheetError } from './sheet.ts';

export interface TableRows {
  readonly header: SheetHeader;
  /** Its line; `null` for JSON. */
  readonly headerLine: number | null;
  /** Rows above the header, such as a title: those that were read while it was looked for. */
  readonly above: readonly SheetRow[];
  /** The first rows below the header; none in JSON. */
  readonly first: readonly SheetRow[];
  /** All rows, in batches of any size. Can be read once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** Closes the file if the rows are not read. */
  close(): Promise<void>;
}

type OpenWorksheet = (name: string) => Promise<TableRows>;

/**
 * Opens the first worksheet; the others are opened one after another, as the rows come to them: each needs the texts of the workbook
 * in memory. Of several, all places name the worksheet.
 * @param names at least one, each once.
 * @throws {UnreadableSheetError} as `open`; while the rows are read, also for a worksheet with other headers.
 */
export async function joinWorksheets(names: readonly string[], open: OpenWorksheet): Promise<TableRows> {
  const [name = '', ...others] = names;
  if (others.length === 0) return open(name);
  const worksheet = showValue(name);
  const table = await open(name).catch((error: unknown) => {
    throw placed(error, worksheet);
  });
  // Grows with each worksheet.
  const hiddenColumns = [...(table.header.hiddenColumns ?? [])];
  const header = { ...table.header, worksheet, hiddenColumns };
  async function* rows(): AsyncGenerator<readonly SheetRow[]> {
    yield* rowsOf(worksheet, async () => table, header);
    for (const other of others) yield* rowsOf(showValue(other), () => open(other), header);
  }
  const first = table.first.map((row) => ({ ...row, worksheet }));
  return { ...table, header, first, rows: rows() };
}

async function* rowsOf(
  worksheet: string,
  open: () => Promise<TableRows>,
  header: SheetHeader & { readonly hiddenColumns: number[] },
): AsyncGenerator<readonly SheetRow[]> {
  let table: TableRows | undefined;
  try {
    table = await open();
    const { positions, ...differences } = matchColumns(header.cells, table.header.cells);
    refuseFaulty(table.header);
    refuseOther(table.header, differences, header.worksheet ?? '', worksheet);
    for (const position of table.header.hiddenColumns ?? []) {
      const column = positions.indexOf(position);
      if (column >= 0 && !header.hiddenColumns.includes(column)) header.hiddenColumns.push(column);
    }
    const isSame = positions.every((position, index) => position === index);
    for await (const batch of table.rows) {
      yield batch.map((row) => ({ ...(isSame ? row : aligned(row, positions)), worksheet }));
    }
  } catch (error) {
    throw placed(error, worksheet);
  } finally {
    await table?.close();
  }
}

function placed(error: unknown, worksheet: string): unknown {
  if (!(error instanceof UnreadableSheetError)) return error;
  return new UnreadableSheetError({ ...error.problem, worksheet });
}

/** Where the columns of one header are in another one. */
interface MatchedColumns {
  /** By column of the first header; -1 for one without a name that the other one lacks. */
  readonly positions: readonly number[];
  /** Names that the other header lacks. */
  readonly lacking: readonly string[];
  /** Names that only the other header has. */
  readonly extra: readonly string[];
}

/** Matches columns by their names, in any order. Those of one name, or without a name, match from left to right. */
export function matchColumns(header: readonly string[], other: readonly string[]): MatchedColumns {
  const left: (string | undefined)[] = other.map(folded);
  const lacking: string[] = [];
  const positions = header.map((cell) => {
    const name = folded(cell);
    const position = left.indexOf(name);
    if (position >= 0) left[position] = undefined;
    else if (name !== '') lacking.push(cell);
    return position;
  });
  const extra = other.filter((_cell, position) => Boolean(left[position]));
  return { positions, lacking, extra };
}

function folded(cell: string): string {
  return foldHeader(cell.trim());
}

function aligned(row: SheetRow, positions: readonly number[]): SheetRow {
  const { cells, cellFaults, struck } = row;
  // The whole row is unreadable.
  if (cells.length === 0) return row;
  const isRead = (position: number) => position >= 0;
  return {
    ...row,
    cells: positions.map((position) => cells[position] ?? ''),
    cellFaults: cellFaults
      ?.map((fault) => ({ ...fault, position: positions.indexOf(fault.position) }))
      .filter(({ position }) => isRead(position)),
    struck: struck?.map((position) => positions.indexOf(position)).filter(isRead),
  };
}

/** @throws {UnreadableSheetError} for a header that cannot be read. */
function refuseFaulty({ line, cells, faults = [], cellFaults = [] }: SheetHeader): void {
  const [fault] = [...faults, ...cellFaults.map((each) => problemOfCell(cells, each))];
  if (fault !== undefined) throw headerFault(line, fault);
}

/** @throws {UnreadableSheetError} that names the headers which only one of the worksheets has. */
function refuseOther(
  { line }: SheetHeader,
  { lacking, extra }: Pick<MatchedColumns, 'lacking' | 'extra'>,
  first: string,
  worksheet: string,
): void {
  if (lacking.length + extra.length === 0) return;
  const differences = [
    ...(lacking.length > 0 ? [`lacks ${listed(lacking)}`] : []),
    ...(extra.length > 0 ? [`also has ${listed(extra)}`] : []),
  ];
  throw headerFault(line, {
    column: null,
    code: 'headers_differ',
    value: '',
    problem: `"${worksheet}" does not have the headers of "${first}": it ${differences.join(' and ')}`,
    fix: 'Give the worksheets the same headers, or import them one by one.',
  });
}

function headerFault(line: number, fault: CellProblem): UnreadableSheetError {
  return new UnreadableSheetError({ line, key: null, ...fault });
}

const mostNames = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => `"${showValue(name)}"`);
  return names.length > mostNames ? `${shown.join(', ')}, ...` : shown.join(', ');
}
