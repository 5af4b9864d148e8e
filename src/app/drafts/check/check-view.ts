/** What pages and programs see of a check: its results, windows of the sheet, and the media of its rows. */

import { unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { joinTime, scheduleParts } from '../../../manifest/cells/schedule.ts';
import { type ColumnName, listSeparator } from '../../../manifest/columns.ts';
import { captionMark } from '../../../manifest/headers/column-map.ts';
import { captionSeparator } from '../../../manifest/headers/header.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { describeReading } from '../../../sheets/format.ts';
import type { RowMark } from '../store/findings.ts';
import type { NumberedRow } from '../store/rows.ts';
import type {
  CheckedDraft,
  DraftColumn,
  DraftRow,
  DraftView,
  DraftWindow,
  EditedCell,
  WindowOf,
} from '../view.ts';
import type { CheckFacts, DraftCheck, EditedSheet, SheetColumn } from './draft-check.ts';

const firstNumbers = [1, 2, 3];

export async function describeCheck(
  { check: { facts, findings, rows: stored, update }, edits }: EditedSheet,
  isOutdated: boolean,
): Promise<CheckedDraft> {
  const first = (await stored.read(firstNumbers)).map((row) => edits.textsOf(row, row.number));
  const { sha256, format, headerLine, name, blocking, notices, plan, times, canary, sheets, timezone } =
    facts;
  const rows = findings.rows;
  const [refused, leftOut] = [findings.count('refused'), findings.count('leftOut')];
  return {
    sha256,
    format,
    sheets,
    name,
    timezone,
    update,
    blocking,
    notices,
    plan,
    times,
    canary,
    again: edits.again,
    isOutdated,
    accepted: findings.count('accepted'),
    refused,
    leftOut,
    headerLine,
    readAs: describeReading(format, headerLine),
    columns: facts.columns.map((column) => ({
      ...column,
      firstTexts: first.map((cells) => cells[column.position] ?? ''),
      proposal: proposalOf(facts, column),
    })),
    rows,
    groups: findings.groups('problem'),
    warnings: findings.groups('warning'),
    warned: findings.count('warned'),
  };
}

/** No proposal for a header of times that names another zone than theirs: it would be lost. */
function proposalOf({ proposals, timezone }: CheckFacts, { position }: SheetColumn): DraftColumn['proposal'] {
  const found = proposals.find((each) => each.position === position);
  const isLost = found?.zone !== undefined && timezone !== null;
  return found === undefined || isLost ? null : { column: found.column, evidence: found.evidence };
}

export function describeFailure(error: unknown): DraftView['failure'] {
  if (error instanceof UseCaseError) return { message: error.message, fix: error.fix };
  const message = error instanceof Error ? error.message : String(error);
  return { message: `the sheet could not be checked: ${message}`, fix: 'Check it again in a moment.' };
}

export interface Span {
  /** From 0. */
  readonly from: number;
  readonly count: number;
  /** Most text of all cells, in UTF-16 units. If there is more, fewer rows are returned, but at least one. */
  readonly mostCharacters?: number | undefined;
}

export async function readWindow(
  sheet: EditedSheet,
  of: WindowOf | 'accepted',
  { from, count, mostCharacters }: Span,
): Promise<DraftWindow> {
  const { numbers, total } = find(sheet.check, of, { from, count });
  const found = await sheet.check.rows.read(numbers, mostCharacters);
  return { from, total, rows: found.map((row) => showRow(sheet, row)) };
}

/** Most rows that one search reads. Whoever searches goes on from there. */
const mostSearched = 20_000;

/** Rows with a text in one of their cells, or of that line. @param after number of the row after which the search begins. */
export async function searchRows(
  sheet: EditedSheet,
  of: WindowOf,
  { text, after, count }: Sought,
): Promise<FoundRows> {
  const { check, edits } = sheet;
  const mark = marks.get(of);
  const numbers = new Set(of === 'all' || mark ? [] : check.findings.find(of)?.group.numbers);
  const isMeant = (number: number) =>
    mark === undefined ? of === 'all' || numbers.has(number) : check.findings.marksOf(number).has(mark);
  const sought = text.toLowerCase();
  const rows: DraftRow[] = [];
  for await (const chunk of check.rows.scan(after)) {
    for (const row of chunk) {
      if (row.number <= after) continue;
      if (rows.length === count || row.number > after + mostSearched) return { rows, next: row.number - 1 };
      const isFound = edits.textsOf(row, row.number).some((cell) => cell.toLowerCase().includes(sought));
      if ((isFound || String(row.line) === sought) && isMeant(row.number)) rows.push(showRow(sheet, row));
    }
  }
  return { rows, next: undefined };
}

/** Most rows that one press changes, and most that its search reads. */
const mostNumbers = 100_000;

/** Numbers of all rows of a window, or of those with a text. @throws {UseCaseError} `draft_refused` for too many. */
export async function readNumbers(
  sheet: EditedSheet,
  of: WindowOf,
  text: string,
): Promise<readonly number[]> {
  const { numbers, total } = find(sheet.check, of, { from: 0, count: text === '' ? mostNumbers : 0 });
  const found = [...numbers];
  let next: number | undefined = text === '' ? undefined : 0;
  while (next !== undefined && next < mostNumbers) {
    const rows = await searchRows(sheet, of, { text, after: next, count: 500 });
    found.push(...rows.rows.map(({ number }) => number));
    next = rows.next;
  }
  if (next === undefined && (text !== '' || total <= mostNumbers)) return found;
  throw new UseCaseError('draft_refused', 'that is more than 100,000 rows', {
    fix: 'Tick rows, or search for fewer of them.',
  });
}

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
  { findings, rows }: DraftCheck,
  of: WindowOf | 'accepted',
  { from, count }: Span,
): { readonly numbers: readonly number[]; readonly total: number } {
  if (of === 'all') {
    const total = rows.count;
    const length = Math.max(0, Math.min(count, total - from));
    return { numbers: Array.from({ length }, (_row, index) => from + index + 1), total };
  }
  const mark = of === 'accepted' ? of : marks.get(of);
  if (mark !== undefined) return { numbers: findings.list(mark, from, count), total: findings.count(mark) };
  const { numbers = [] } = findings.find(of)?.group ?? {};
  return { numbers: numbers.slice(from, from + count), total: numbers.length };
}

function showRow({ check: { findings, facts }, edits }: EditedSheet, row: NumberedRow): DraftRow {
  const { number, line, worksheet } = row;
  const cells = edits.textsOf(row, number);
  const edited = new Map<number, EditedCell>();
  for (const [position, { text, by, at }] of edits.of(number) ?? []) {
    const was = unguardFormula(row.cells[position] ?? '');
    if (was !== text) edited.set(position, { was, by, at });
  }
  const found = findings.marksOf(number);
  const problems = found.has('refused') ? findings.problemsOf(number, 'problem') : [];
  return {
    number,
    line,
    worksheet,
    cells,
    edited,
    region: facts.creators.get(creatorIn((cells[facts.indexes.creator] ?? '').trim()))?.oauthRegion,
    state: stateOf(found),
    isAgain: edits.postsAgain(number),
    problems: found.has('refused') && problems.length === 0 ? undefined : problems,
    warnings: found.has('warned') ? findings.problemsOf(number, 'warning') : [],
  };
}

function stateOf(found: ReadonlySet<RowMark>): DraftRow['state'] {
  if (found.has('leftOut')) return 'left out';
  if (found.has('refused')) return 'refused';
  return found.has('unchanged') ? 'unchanged' : 'accepted';
}

/** Without space around it; of several columns, as one text. Empty if the sheet does not have the column. */
export function textIn(
  { columns }: Pick<CheckedDraft, 'columns'>,
  { cells }: DraftRow,
  name: ColumnName,
): string {
  const of = (wanted: string) =>
    columns.flatMap(({ column, position }) => (column === wanted ? [cells[position]?.trim() ?? ''] : []));
  const texts = [...of(name), ...(name === 'caption' ? of(captionMark) : [])];
  return texts.filter((text) => text !== '').join(name === 'media' ? listSeparator : captionSeparator);
}

/** The time of a row, from its one or two cells; empty if it has none. */
export function timeIn(checked: Pick<CheckedDraft, 'columns'>, row: DraftRow): string {
  return joinTime(
    ...scheduleParts(textIn(checked, row, 'scheduled_at'), textIn(checked, row, 'scheduled_time')),
  );
}

export function mediaSources(checked: Pick<CheckedDraft, 'columns'>, row: DraftRow): readonly string[] {
  return textIn(checked, row, 'media')
    .split(listSeparator)
    .map((source) => source.trim())
    .filter((source) => source !== '');
}
