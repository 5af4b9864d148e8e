/** A row while it is checked: how it is read, and how checks report what they find. */
import type { ColumnName } from '../../manifest/columns.ts';
import { type Header, meaningsOf, titleOf } from '../../manifest/headers/header.ts';
import { printable } from '../../manifest/printable.ts';
import type { FixPart } from '../../manifest/problems/hint.ts';
import {
  type CellProblem,
  placeProblem,
  type Report,
  type RowPlace,
} from '../../manifest/problems/problem.ts';
import type { RowDraft, RowReader, RowReading } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import { cellTooLongCode } from '../../sheets/bounds-check.ts';
import { type CellFault, problemOfCell, type SheetRow } from '../../sheets/sheet.ts';
import type { NameLookUp, RefusedRow } from './checked-row.ts';

export interface Candidate extends RowPlace {
  readonly number: number;
  readonly cells: readonly string[];
  readonly key: string | null;
  readonly row: Row | null;
  /** The row, or its readable parts. */
  readonly draft: RowDraft | null;
  /** Both lists are replaced, not appended to: rows without problems and warnings share one empty list. */
  problems: readonly CellProblem[];
  /** What is asked about it first: all else waits for the answer. */
  question?: readonly CellProblem[];
  /** Whether the sheet itself says what is wrong with some of its cells. */
  readonly hasFaultyCells?: boolean;
  warnings: readonly CellProblem[];
  /** Identity of its post. */
  post?: Buffer | undefined;
}

const none: readonly CellProblem[] = [];

/** @param number of the row in the file, from 1. */
export function readCandidate(reader: RowReader, sheetRow: SheetRow, number: number): Candidate {
  const { line, worksheet, cells, faults } = sheetRow;
  const place = { line, worksheet, number, cells };
  if (faults && cells.length === 0) {
    return { ...place, key: null, row: null, draft: null, problems: faults, warnings: none };
  }
  const reading = reader.read(place);
  if (faults || sheetRow.cellFaults) {
    const faulty = findFaults(sheetRow, reader.header, reading);
    if (faulty !== null) return { ...place, row: null, ...faulty, warnings: none };
  }
  if ('row' in reading) {
    const { row } = reading;
    const { key } = row;
    return { line, worksheet, number, cells, key, row, draft: row, problems: none, warnings: none };
  }
  const { draft, problems } = reading;
  return { ...place, key: draft?.key ?? null, row: null, draft, problems, warnings: none };
}

/** @returns `null` if the sheet reader found no fault. */
function findFaults(
  row: SheetRow,
  header: Header,
  reading: RowReading,
): Pick<Candidate, 'key' | 'draft' | 'problems' | 'hasFaultyCells'> | null {
  const cellFaults = (row.cellFaults ?? []).filter(
    ({ position, code }) => code === cellTooLongCode || isRead(position, header),
  );
  const faults = [...(row.faults ?? []), ...cellFaults.map((fault) => problemOfCell(header.names, fault))];
  if (faults.length === 0) return null;
  const draft = 'row' in reading ? reading.row : reading.draft;
  const faulty = new Set(faults.map(({ column }) => column));
  const others = 'row' in reading ? [] : reading.problems.filter(({ column }) => !faulty.has(column));
  const hasKey = cellFaults.every(({ position }) => position !== header.indexes.key);
  return {
    key: hasKey ? (draft?.key ?? null) : null,
    draft: draft && withoutFaulty(draft, header, cellFaults),
    hasFaultyCells: cellFaults.length > 0,
    problems: [...faults, ...others],
  };
}

/** A faulty cell may lack its real text: what was read from it is not looked up. */
function withoutFaulty(draft: RowDraft, header: Header, faults: readonly CellFault[]): RowDraft {
  if (faults.length === 0) return draft;
  const meanings = meaningsOf(header);
  const faulty = new Set(faults.map(({ position }) => meanings.get(position)));
  const isAny = (...names: readonly ColumnName[]) => names.some((name) => faulty.has(name));
  const { creator, media, mediaType, product, schedule, cover, generation } = draft;
  return {
    ...draft,
    creator: isAny('creator') ? '' : creator,
    media: isAny('media') ? [] : media,
    mediaType: isAny('media', 'media_type', 'ai_prompt', 'ai_model') ? undefined : mediaType,
    product: isAny('product_id') ? { ...product, id: '' } : product,
    schedule: isAny('scheduled_at', 'scheduled_time', 'scheduled_tz') ? undefined : schedule,
    cover: isAny('cover', 'cover_file_id', 'cover_uri', 'cover_timestamp_ms') ? undefined : cover,
    generation: isAny('ai_prompt', 'ai_references') ? undefined : generation,
  };
}

/** Whether the cell is used. Notes and results of an earlier run are not. */
function isRead(position: number, header: Header): boolean {
  return position >= header.names.length || meaningsOf(header).has(position);
}

export function refuse({ key, problems, line, worksheet, number, cells }: Candidate): RefusedRow {
  const place = { line, worksheet };
  return { ...place, number, cells, problems: problems.map((each) => placeProblem(place, key, each)) };
}

const nameColumns = ['creator', 'product_id'] as const;

/** Adds to the problem of a name what it may mean. @param cells of the row. */
export function withKnownNames(
  problems: readonly CellProblem[],
  cells: readonly string[],
  header: Header,
  find: NameLookUp,
): Promise<readonly CellProblem[]> {
  const { indexes } = header;
  return Promise.all(
    problems.map(async (problem) => {
      const { code, value, fix } = problem;
      const column = nameColumns.find((name) => titleOf(header, name, cells) === problem.column);
      const known = column && (await find({ column, code, value, cells, indexes }));
      if (known === undefined) return problem;
      const parts: readonly FixPart[] = typeof fix === 'string' ? [fix] : fix;
      return { ...problem, fix: [`Write ${known.text}: ${printable(known.evidence)}`, ...parts] };
    }),
  );
}

/** Adds what checks find to their rows. */
export class Findings {
  readonly #header: Header;

  constructor(header: Header) {
    this.#header = header;
  }

  readonly add: Report<Candidate> = (candidate, kind, found, item) => {
    if (kind === 'problem') this.report(candidate, found, item);
    else this.warn(candidate, found, item);
  };

  /** @param item as in `Report`. */
  report(candidate: Candidate, problem: CellProblem | null, item?: string): void {
    if (problem === null) return;
    candidate.problems = [...candidate.problems, this.titled(problem, candidate.cells, item)];
  }

  /** Takes back problems of a column that another one says better. */
  withdraw(candidate: Candidate, column: ColumnName, isOther: (problem: CellProblem) => boolean): void {
    const title = titleOf(this.#header, column, candidate.cells);
    candidate.problems = candidate.problems.filter((each) => each.column !== title || !isOther(each));
  }

  /** @param item as in `Report`. */
  warn(candidate: Candidate, warning: CellProblem, item?: string): void {
    candidate.warnings = [...candidate.warnings, this.titled(warning, candidate.cells, item)];
  }

  /** Names the column as the sheet does. Once: the title of one column may be the name of another. */
  titled(problem: CellProblem, cells?: readonly string[], item?: string): CellProblem {
    return problem.column === null
      ? problem
      : { ...problem, column: titleOf(this.#header, problem.column, cells, item) };
  }
}
