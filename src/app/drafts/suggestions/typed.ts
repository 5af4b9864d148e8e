/** Reads what people type as the sheet's other cells are read, so that nobody is asked again what is decided: dates in their order, names of creators by what is known of them, names of files in the folder that has them. */
import { isMediaColumn } from '../../../importers/check/media-check.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { type DateReading, readWritten } from '../../../manifest/cells/written-time.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import type { CellEdit } from '../../campaigns/import/edit.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { EditedSheet } from '../check/draft-check.ts';
import { suggestForGroup } from './suggest.ts';
import type { Suggestion } from './suggestion.ts';

/** More cells are not typed one by one. */
const mostTyped = 100;
const mostGroups = 20;
const mostChosen = 500;
const mostCharacters = 4_000_000;

const others: ReadonlySet<string> = new Set(['creator', 'scheduled_at', 'scheduled_time']);

/** Names of files, without their folders. */
function namesIn(text: string): string {
  const items = text.normalize('NFC').toLowerCase().replaceAll('\\', '/').split(listSeparator);
  return items.map((item) => item.slice(item.lastIndexOf('/') + 1).trim()).join(listSeparator);
}

function placeOf(of: (text: string) => string): (edit: CellEdit) => string {
  return ({ row, position, text }) => `${row} ${position} ${of(text)}`;
}

/** @param cells that were just edited. @returns edits of those that the check refuses, and that can mean only one thing. */
export async function readTyped(
  runtime: Runtime,
  sheet: EditedSheet,
  cells: readonly CellEdit[],
): Promise<readonly CellEdit[]> {
  const { check } = sheet;
  const columns = new Map(check.facts.columns.map(({ position, column }) => [position, column ?? '']));
  const isOfFile = ({ position }: CellEdit) => isMediaColumn(columns.get(position));
  const isRead = (cell: CellEdit) => isOfFile(cell) || others.has(columns.get(cell.position) ?? '');
  const typed = cells.slice(0, mostTyped).filter((cell) => cell.text !== '' && isRead(cell));
  const problems = typed.flatMap(({ row, position }) =>
    check.findings.problemsOf(row, 'problem').filter((problem) => problem.position === position),
  );
  if (problems.length === 0) return [];
  const groups = [...new Set(problems.map(({ group }) => group))].slice(0, mostGroups);
  const order = await decidedOrder(sheet);
  const rows = new Set(typed.map(({ row }) => row));
  const names = new Set(typed.map(placeOf(namesIn)));
  const found = new Map<string, CellEdit>();
  for (const group of groups) {
    const suggestions = await suggestForGroup(runtime, sheet, group);
    for (const edit of meantOf(suggestions, order).flatMap((each) => each.edits)) {
      const place = placeOf(() => '')(edit);
      // Another version or format of a file is not what was typed.
      const isMeant = !isOfFile(edit) || names.has(placeOf(namesIn)(edit));
      if (rows.has(edit.row) && isMeant && !found.has(place)) found.set(place, edit);
    }
  }
  return [...found.values()];
}

function meantOf(suggestions: readonly Suggestion[], order: DateReading | undefined): readonly Suggestion[] {
  const years = suggestions.filter(({ id }) => /^year-\d+-(?:only|day-first|month-first)$/.test(id));
  const ofOrder = years.filter(({ id }) => id.endsWith('-only') || id.endsWith(`-${order}`));
  return [
    ...suggestions.filter(({ id, confidence }) => confidence === 'sure' || id === order),
    ...(ofOrder.length === 1 ? ofOrder : []),
  ];
}

/** The order of day and month in all dates that tell it, as written or by what people chose for them; undefined if they differ. */
async function decidedOrder({ check, edits }: EditedSheet): Promise<DateReading | undefined> {
  const { rows, facts, knowledge } = check;
  const { dayFirst, monthFirst } = knowledge.evidence;
  const orders = new Set<DateReading>([
    ...(dayFirst.rows > 0 ? ['day-first' as const] : []),
    ...(monthFirst.rows > 0 ? ['month-first' as const] : []),
  ]);
  const position = facts.indexes.scheduled_at;
  for (const row of await rows.read(edits.rowsWith(position).slice(0, mostChosen), mostCharacters)) {
    const [is, ...others] = readWritten(edits.textsOf(row, row.number)[position] ?? '');
    if (is === undefined || others.length > 0) continue;
    for (const was of readWritten(textOfCell(row.cells, position)))
      if (was.order !== 'only' && was.month === is.month && was.day === is.day) orders.add(was.order);
  }
  const [order, ...more] = orders;
  return more.length === 0 ? order : undefined;
}
