/** Prints the result of a check: the first problems, and the plan. */

import { optionWords } from '../../app/runtime/command-line.ts';
import type { CheckResult } from '../../importers/check/check-sheet.ts';
import { roundedLead, writeLead } from '../../manifest/campaign-options.ts';
import type { ColumnName } from '../../manifest/columns.ts';
import { captionMark, noteMark } from '../../manifest/headers/column-map.ts';
import { matchHeader, nearestColumn } from '../../manifest/headers/header.ts';
import type { ColumnProposal } from '../../manifest/headers/proposals.ts';
import { aboutCost } from '../../manifest/money.ts';
import { describeSize, shortened } from '../../manifest/printable.ts';
import { isShownWhole, type Problem, type RowPlace, showValue } from '../../manifest/problems/problem.ts';
import type { ProblemLog } from '../../manifest/problems/problem-log.ts';
import { capitalized, describeDuration, plural, sentence } from '../../manifest/wording.ts';
import { operationsFor } from '../../service/contract/operations.ts';
import { describeReading } from '../../sheets/format.ts';
import { fixHere } from '../hints.ts';
import { namesOf, type Output, timeText } from './output.ts';
import { unbroken } from './wrap.ts';

/** Prints how the file was read, if that is unusual, and what may surprise about it. */
export function printFormat(
  output: Output,
  { format, headerLine, notices = [] }: Pick<CheckResult, 'format' | 'headerLine'> & Partial<CheckResult>,
): void {
  const description = describeReading(format, headerLine);
  if (description !== null) output.print(description);
  for (const { problem, fix } of notices) {
    output.print(`Note: ${sentence(problem)} ${fixHere(fix)}`.trimEnd());
  }
}

export function printProblems(
  output: Output,
  { problems, header = [], proposals = [] }: Pick<CheckResult, 'problems'> & Partial<CheckResult>,
): void {
  printProblemLog(output, problems, { shown: 20, rest: 'write them all with --problems FILE', header });
  const unknown = problems.kept.filter(({ code }) => isUnknownColumn(code)).map(({ value }) => value);
  if (unknown.length === 0) return;
  const map = suggestMap(unknown, header, proposals);
  output.print(
    `To map unknown headers, edit these options and add them to your command (_ keeps a column as a note):\n  ${map}`,
  );
  for (const { position, column, evidence, zone } of proposals) {
    if (column !== noteMark && zone === undefined)
      output.print(`  ${showValue(header[position] ?? '')}: ${column}, because ${evidence}`);
  }
}

function isUnknownColumn(code: string): boolean {
  return code === 'unknown_column' || code === 'doubtful_column';
}

/** Prints a few warnings: they stop no post. */
export function printWarnings(output: Output, { warnings, header }: CheckResult): void {
  if (warnings.total > 0)
    output.print(
      `${plural(warnings.total, 'warning')}; ${warnings.total === 1 ? 'it does' : 'they do'} not stop the rows:`,
    );
  printProblemLog(output, warnings, { shown: 5, rest: 'list them with check --json', header });
}

/** Prints the first kinds of problems: where each is, and below that what is wrong. @param header without a column of keys, rows have none. */
export function printProblemLog(
  output: Output,
  log: ProblemLog,
  {
    shown,
    rest,
    header,
  }: { readonly shown: number; readonly rest: string; readonly header?: readonly string[] },
): void {
  if (log.total === 0) return;
  const lines = problemLines(log.kept, log.kept.length === log.total);
  const first = lines.slice(0, shown);
  const isNumbered = log.kept.every(({ key }) => key === null || /^\d+$/.test(key));
  const isKeyless = isNumbered && header !== undefined && matchHeader(header).indexes.key < 0;
  const columns = isKeyless ? [0, 2, 3] : [0, 1, 2, 3];
  const cells = first.map((line) => columns.map((column) => line[column] ?? ''));
  const texts = first.map((line) => capitalized(line[4]));
  const titles = ['LINE', 'KEY', 'COLUMN', 'VALUE'];
  output.tableWithTexts(
    columns.map((column) => titles[column] ?? ''),
    cells,
    texts,
  );
  if (lines.length > shown) output.print(`... and ${lines.length - shown} more kinds; ${rest}`);
  output.print();
}

/** Prints one line: how many rows and problems. @param earlier id of the campaign that the same sheet became before. */
export function printVerdict(output: Output, { problems, rows }: CheckResult, earlier?: string): void {
  const found =
    problems.total === 0 ? 'no problems' : `${plural(problems.total, 'problem')}; nothing was sent`;
  const before = earlier === undefined ? '' : `, but this sheet was imported before, as campaign ${earlier}`;
  output.print(`${plural(rows, 'row')}, ${found}${before}.`);
}

/** Prints what a run would do. @param zone of the sheet. */
export function printPlan(output: Output, { plan, problems }: CheckResult, zone: string | null): void {
  const posts = [
    ...(plan.videos > 0 ? [plural(plan.videos, 'video')] : []),
    ...(plan.photos > 0 ? [plural(plan.photos, 'photo post')] : []),
  ];
  // An update may change no row.
  const none = problems.total === 0 ? 'nothing to post' : 'no row can be posted';
  output.print(`Plan: ${posts.join(', ') || none}`);
  const calls = Object.entries(plan.calls).filter(([, count]) => count > 0);
  const polls: readonly string[] = operationsFor(['poll']);
  for (const [operation, count] of calls) {
    const least = polls.includes(operation) ? 'at least ' : '';
    output.print(`  ${operation.padEnd(28)} ${least}${plural(count, 'call')}`);
  }
  if (plan.aiOutputs.total > 0) {
    const models = Object.entries(plan.aiOutputs.byModel).map(([model, count]) =>
      unbroken(`${count} ${model}`),
    );
    const made = `${models.join(', ')}${aboutCost(plan.cost)}`;
    output.printText(`  AI outputs: ${plan.aiOutputs.total}  `, made);
  }
  if (plan.bytes > 0) output.print(`  media: ${describeSize(plan.bytes)}`);
  if (plan.decidedBy) {
    output.print(
      `  at least ${describeDuration(plan.shortestMs)}, because of the rate limit of ${plan.decidedBy}`,
    );
  }
  printLater(output, plan, zone);
  if (plan.approvals > 0) {
    const wait = plan.approvals === 1 ? 'post waits' : 'posts wait';
    output.print(`  ${plan.approvals} ${wait} for an approval`);
  }
  if (plan.unlabelled > 0) {
    output.print(
      `  ${plural(plan.unlabelled, 'generated photo post')} without AI label: label ${plan.unlabelled === 1 ? 'it' : 'them'} in the social app`,
    );
  }
  if (plan.missed > 0) output.print(`  ${plural(plan.missed, 'row')} would miss the scheduled time`);
}

function printLater(
  output: Output,
  { rows: all, later: { rows, firstAt, crowd } }: CheckResult['plan'],
  zone: string | null,
): void {
  if (firstAt === null) return;
  output.print(
    `  sent to the service: ${all - rows} now, ${rows} later, from ${timeText(firstAt, zone)} on (lead)`,
  );
  if (crowd === null) return;
  const { at, rows: due, takesMs } = crowd;
  output.printText(
    '  warning: ',
    `with this rate limit, ${plural(due, 'post')} due at ${timeText(at, zone)} ${due === 1 ? 'takes' : 'take'} ${describeDuration(takesMs)}, longer than the lead. Give a lead of ${writeLead(roundedLead(takesMs))}.`,
  );
}

/**
 * The `--map` options for unknown headers, ready for a shell: the column that is proposed or nearest and that the sheet does not have
 * yet, else a note.
 * @param header all headers of the sheet.
 */
export function suggestMap(
  unknown: readonly string[],
  header: readonly string[],
  proposals: readonly ColumnProposal[] = [],
): string {
  const { indexes } = matchHeader(header);
  const taken = new Set(Object.keys(indexes).filter((name) => indexes[name as ColumnName] >= 0));
  const map = unknown.flatMap((name) => {
    const proposed = proposals.find(({ position }) => showValue(header[position] ?? '') === name);
    const written = header.find((each) => showValue(each) === name) ?? name;
    if (!isShownWhole(written) || proposed?.zone !== undefined) return [];
    const column = proposed === undefined ? nearestColumn(name) : proposed.column;
    const isFree = column === captionMark || (column !== undefined && !taken.has(column));
    if (isFree) taken.add(column);
    return [`${written}=${isFree ? column : noteMark}`];
  });
  return optionWords({ map });
}

const namesShown = 3;

/** Cells of a line: lines of the file, keys, column, values, and what is wrong. */
type ProblemLine = readonly [lines: string, keys: string, column: string, value: string, text: string];

/**
 * Groups problems in the order of the first of each kind.
 * @param isComplete whether these are all problems: else there may be more rows of each kind.
 */
export function problemLines(problems: readonly Problem[], isComplete = true): readonly ProblemLine[] {
  const groups = Map.groupBy(problems, ({ code, column }) =>
    // Each unknown header is a column of its own.
    isUnknownColumn(code) ? 'unknown_column' : `${code}\0${column ?? ''}`,
  );
  return [...groups.values()].map((group) => describeGroup(group, isComplete));
}

function describeGroup(group: readonly Problem[], isComplete: boolean): ProblemLine {
  const [first, ...others] = group;
  if (first === undefined) throw new RangeError('a group has a problem');
  const text = `${sentence(first.problem)} ${fixHere(first.fix)}`;
  const { key, column, value, code } = first;
  if (others.length === 0) return [placesOf(group), key ?? '', column ?? '', shortened(value, longest), text];
  const of = (read: (problem: Problem) => string | null) =>
    namesOf([...new Set(group.map(read).filter((name): name is string => Boolean(name)))], namesShown);
  const isUnknown = isUnknownColumn(code);
  return [
    placesOf(group),
    of((problem) => problem.key),
    isUnknown ? of((problem) => problem.column) : (column ?? ''),
    shortened(
      of((problem) => problem.value),
      longest,
    ),
    isUnknown
      ? 'there are no such columns. Rename or remove them, or map them as below.'
      : `${isComplete ? '' : 'at least '}${countOf(group)}${isSame(group) ? ':' : '. The first:'} ${text}`,
  ];
}

function countOf(group: readonly Problem[]): string {
  const rows = new Set(group.map(({ line, worksheet = '' }) => `${line} ${worksheet}`)).size;
  return rows === 1 ? `${group.length} times` : plural(rows, 'row');
}

function isSame([first, ...others]: readonly Problem[]): boolean {
  const fix = fixHere(first?.fix);
  return others.every((other) => other.problem === first?.problem && fixHere(other.fix) === fix);
}

/** `2-301, 305`; of several worksheets `Week 1, line 4; Week 2, lines 2-301`. */
function placesOf(places: readonly RowPlace[]): string {
  const groups = Map.groupBy(places, ({ worksheet }) => worksheet);
  const texts = [...groups].map(([worksheet, group]) => {
    const ranges = rangesOf(group.map(({ line }) => line));
    if (worksheet === undefined) return ranges;
    return `${worksheet}, ${/^\d+$/.test(ranges) ? 'line' : 'lines'} ${ranges}`;
  });
  return [...texts.slice(0, namesShown), ...(texts.length > namesShown ? ['...'] : [])].join('; ');
}

/** `2-301, 305`. */
function rangesOf(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of lines) {
    const range = ranges.at(-1);
    if (range !== undefined && line >= range[1] && line <= range[1] + 1) range[1] = line;
    else ranges.push([line, line]);
  }
  const texts = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  return namesOf(texts, namesShown);
}

/** Longest value, in UTF-16 units. */
const longest = 29;
