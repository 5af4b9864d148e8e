/** What pages and programs see of a check: its results, windows of the sheet, and the media of its rows. */
import { unguardFormula } from '../../manifest/cells/formula.ts';
import { joinTime } from '../../manifest/cells/schedule.ts';
import { type ColumnName, listSeparator } from '../../manifest/columns.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { describeReading } from '../../sheets/format.ts';
import type { Mends } from '../mends.ts';
import type {
  CheckedDraft,
  DraftColumn,
  DraftRow,
  DraftView,
  DraftWindow,
  MendedCell,
  WindowOf,
} from '../view.ts';
import type { Findings, RowMark } from './findings.ts';
import type { NumberedRow } from './row-file.ts';
import type { WholeCheck } from './whole-check.ts';

const firstNumbers = [1, 2, 3];

export async function describeCheck(
  check: WholeCheck,
  mends: Mends,
  isOutdated: boolean,
): Promise<CheckedDraft> {
  const { result, findings, rows: file, sheets, timezone, update } = check;
  const { sha256, format, headerLine, name, blocking, plan, times, canary } = result;
  const first = (await file.read(firstNumbers)).map((row) => mends.textsOf(row, row.number));
  const { accepted, refused, leftOut, problems, warnings, states } = findings;
  return {
    sha256,
    format,
    sheets,
    name,
    timezone,
    update,
    blocking,
    plan,
    times,
    canary,
    again: mends.again,
    isOutdated,
    accepted,
    refused,
    leftOut,
    headerLine,
    readAs: describeReading(format, headerLine),
    columns: findings.columns.map((column) => ({
      ...column,
      firstTexts: first.map((cells) => cells[column.position] ?? ''),
      proposal: proposalOf(result, column.position),
    })),
    rows: states.count,
    groups: problems.groups,
    warnings: warnings.groups,
    warned: states.countOf('warned'),
  };
}

function proposalOf({ proposals }: WholeCheck['result'], position: number): DraftColumn['proposal'] {
  const found = proposals.find((each) => each.position === position);
  return found === undefined ? null : { column: found.column, evidence: found.evidence };
}

/** Describes to people why a check failed. */
export function describeFailure(error: unknown): DraftView['failure'] {
  if (error instanceof UseCaseError) return { message: error.message, cure: error.cure };
  const message = error instanceof Error ? error.message : String(error);
  return { message: `the sheet could not be checked: ${message}`, cure: 'Check it again in a moment.' };
}

export interface Span {
  /** From 0. */
  readonly from: number;
  readonly count: number;
  /** Most text of all cells, in UTF-16 units. If there is more, fewer rows are returned, but at least one. */
  readonly mostCharacters?: number | undefined;
}

export async function readWindow(
  check: WholeCheck,
  mends: Mends,
  of: WindowOf,
  { from, count, mostCharacters }: Span,
): Promise<DraftWindow> {
  const { findings, rows } = check;
  const { numbers, total } = find(findings, rows.count, of, { from, count });
  const found = await rows.read(numbers, mostCharacters);
  return { from, total, rows: found.map((row) => showRow(check, mends, row)) };
}

/** Most rows that one search reads. Whoever searches goes on from there. */
const mostSearched = 20_000;

/** Rows with a text in one of their cells, or of that line. @param after number of the row after which the search begins. */
export async function searchRows(
  check: WholeCheck,
  mends: Mends,
  of: WindowOf,
  { text, after, count }: Sought,
): Promise<FoundRows> {
  const { findings, rows: file } = check;
  const mark = marks.get(of);
  const numbers = new Set(of === 'all' || mark ? [] : find(findings, file.count, of, everything).numbers);
  const isMeant = (number: number) =>
    mark === undefined ? of === 'all' || numbers.has(number) : findings.states.has(number, mark);
  const sought = text.toLowerCase();
  const rows: DraftRow[] = [];
  for await (const chunk of file.scan(after)) {
    for (const row of chunk) {
      if (row.number <= after) continue;
      if (rows.length === count || row.number > after + mostSearched) return { rows, next: row.number - 1 };
      if (!isMeant(row.number)) continue;
      const isFound = mends.textsOf(row, row.number).some((cell) => cell.toLowerCase().includes(sought));
      if (isFound || String(row.line) === sought) rows.push(showRow(check, mends, row));
    }
  }
  return { rows, next: undefined };
}

const everything: Span = { from: 0, count: Number.MAX_SAFE_INTEGER };

export interface Sought {
  readonly text: string;
  readonly after: number;
  readonly count: number;
}

export interface FoundRows {
  readonly rows: readonly DraftRow[];
  /** Number of the last row that was read; undefined at the end of the sheet. */
  readonly next: number | undefined;
}

const marks: ReadonlyMap<string, RowMark> = new Map([
  ['problems', 'refused'],
  ['warnings', 'warned'],
  ['left-out', 'leftOut'],
]);

function find(
  { states, problems, warnings }: Findings,
  all: number,
  of: WindowOf,
  { from, count }: Span,
): { readonly numbers: readonly number[]; readonly total: number } {
  if (of === 'all') {
    const length = Math.max(0, Math.min(count, all - from));
    return { numbers: Array.from({ length }, (_row, index) => from + index + 1), total: all };
  }
  const mark = marks.get(of);
  if (mark !== undefined) return { numbers: states.list(mark, from, count), total: states.countOf(mark) };
  const { numbers = [] } = [...problems.groups, ...warnings.groups].find(({ id }) => id === of) ?? {};
  return { numbers: numbers.slice(from, from + count), total: numbers.length };
}

function showRow({ findings, result }: WholeCheck, mends: Mends, row: NumberedRow): DraftRow {
  const { states, problems, warnings, indexes } = findings;
  const { number, line } = row;
  const cells = mends.textsOf(row, number);
  const mended = new Map<number, MendedCell>();
  for (const [position, { text, by, at }] of mends.of(number) ?? []) {
    const was = unguardFormula(row.cells[position] ?? '');
    if (was !== text) mended.set(position, { was, by, at });
  }
  const isRefused = states.has(number, 'refused');
  return {
    number,
    line,
    cells,
    mended,
    region: result.creators.get((cells[indexes.creator] ?? '').trim())?.oauthRegion,
    state: stateOf(states, number),
    isAgain: mends.postsAgain(number),
    problems: isRefused ? problems.of(number) : [],
    warnings: warnings.of(number) ?? [],
  };
}

function stateOf(states: Findings['states'], number: number): DraftRow['state'] {
  if (states.has(number, 'leftOut')) return 'left out';
  if (states.has(number, 'refused')) return 'refused';
  return states.has(number, 'unchanged') ? 'unchanged' : 'accepted';
}

/** The text of a row in a column, without space around it; empty if the sheet does not have the column. */
export function textIn(
  { columns }: Pick<CheckedDraft, 'columns'>,
  { cells }: DraftRow,
  name: ColumnName,
): string {
  const position = columns.find(({ column }) => column === name)?.position ?? -1;
  return (cells[position] ?? '').trim();
}

/** The time of a row, from its one or two cells; empty if it has none. */
export function timeIn(checked: Pick<CheckedDraft, 'columns'>, row: DraftRow): string {
  return joinTime(textIn(checked, row, 'scheduled_at'), textIn(checked, row, 'scheduled_time'));
}

/** The sources in the media cell of a row. */
export function mediaSources(checked: Pick<CheckedDraft, 'columns'>, row: DraftRow): readonly string[] {
  return textIn(checked, row, 'media')
    .split(listSeparator)
    .map((source) => source.trim())
    .filter((source) => source !== '');
}
