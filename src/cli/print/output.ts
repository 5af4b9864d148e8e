/**
 * What a command prints. Results go to standard output, everything else to standard error. With `--json`, standard output
 * is one JSON document. Times are in the zone of the sheet, whose name stands behind them.
 */
import type { VideoCommandDocument, VideoCommandName } from '../../app/videos/documents.ts';
import { printable } from '../../manifest/printable.ts';
import type { CommandDocument, CommandName } from '../documents.ts';
import { withFixes } from '../hints.ts';
import {
  paint,
  type StreamName,
  type Style,
  sheetStream,
  widthFor,
  write,
  writeJson,
  writeJsonList,
} from './terminal.ts';
import { fold, isPasted, padToWidth, widthOf, wrap } from './wrap.ts';

type Rows = readonly (readonly string[])[];

export interface Output {
  readonly json: boolean;
  /** Prints lines of the result, wrapped to the terminal; nothing with `--json`. */
  print(text?: string): void;
  /** Prints a text of the result, wrapped to the terminal; `lead` begins its first line, and the others stand below the text. */
  printText(lead: string, text: string): void;
  /** Prints a table of the result: columns are as wide as their widest cell. @param spare columns to leave out, in this order, until it fits. */
  table(header: readonly string[], rows: Rows, indent?: string, spare?: readonly string[]): void;
  /** Prints a table with a text below each row, if it has one. Where it does not fit, cells follow each other. */
  tableWithTexts(header: readonly string[], rows: Rows, texts: readonly string[]): void;
  /** Prints a text for other programs, such as CSV; nothing with `--json`. */
  sheet(text: string): void;
  /** Prints the answer of an operation as a JSON document; nothing without `--json`. */
  answer(value: unknown): void;
  /** Prints the result as a JSON document; nothing without `--json`. */
  document<Name extends CommandName>(command: Name, value: CommandDocument<Name>): void;
  document<Name extends VideoCommandName>(command: Name, value: VideoCommandDocument<Name>): void;
  /** Prints a document of one long list, `{ "name": [ ... ] }`, part by part. Only with `--json`. */
  documentOf(name: string, parts: AsyncIterable<readonly unknown[]>): Promise<void>;
  /** Prints lines for people on standard error, wrapped to the terminal. */
  say(text: string): void;
  /** Colours text if the terminal shows colours and `NO_COLOR` is not set. */
  paint(style: Style, text: string): string;
}

/** @param results stream for lines of the result: standard error when a sheet goes to standard output. */
export function createOutput(json: boolean, results: StreamName = 'stdout'): Output {
  const writeLine = (line: string) => {
    if (!json) write(results, `${line}\n`);
  };
  return {
    json,
    print: (text = '') => writeLine(fold(timesIn(text, null), widthFor(results))),
    printText(lead, text) {
      if (text !== '') writeLine(wrap(lead, timesIn(text, null), widthFor(results)).join('\n'));
    },
    table(header, rows, indent = '', spare = []) {
      for (const line of fittingTable(header, rows, widthFor(results) - indent.length, spare))
        writeLine(indent + line);
    },
    tableWithTexts(header, rows, texts) {
      const width = widthFor(results);
      const [titles = '', ...aligned] = table(header, rows);
      const isFit = [titles, ...aligned].every((line) => widthOf(line) < width);
      const loose = () =>
        rows.map((cells) => {
          const [first = '', ...others] = cells.filter(Boolean).map(printable);
          return wrap(`${first}  `, others.join('  '), width).join('\n');
        });
      if (isFit) writeLine(titles);
      for (const [index, line] of (isFit ? aligned : loose()).entries()) {
        writeLine(line);
        this.printText('      ', texts[index] ?? '');
      }
    },
    sheet(text) {
      if (!json) sheetStream().write(text);
    },
    answer(value) {
      if (json) writeJson(withFixes(value));
    },
    document(_command: string, value: unknown) {
      this.answer(value);
    },
    documentOf: writeJsonList,
    say: (text) => write('stderr', `${fold(timesIn(text, null), widthFor('stderr'))}\n`),
    paint: (style, text) => paint(style, text, json ? 'stderr' : results),
  };
}

/** `a, b, c, ...`: the first names, and whether there are more. @param total of all, when only the first are given. */
export function namesOf(names: readonly string[], most = names.length, total = names.length): string {
  const shown = names.slice(0, most);
  return `${shown.join(', ')}${total > shown.length ? ', ...' : ''}`;
}

/** Lines of a table, one for each row: columns are as wide as their widest cell. */
export function table(header: readonly string[], rows: Rows): readonly string[] {
  const lines = [header, ...rows].map((row) => row.map(printable));
  const widths = header.map((_name, column) =>
    lines.reduce((widest, line) => Math.max(widest, widthOf(line[column] ?? '')), 0),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => padToWidth(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The table without as many of the spare columns as it takes to fit. */
function fittingTable(
  header: readonly string[],
  rows: Rows,
  width: number,
  [next, ...others]: readonly string[],
): readonly string[] {
  const lines = table(header, rows);
  if (next === undefined || lines.every((line) => widthOf(line) <= width)) return lines;
  const without = (cells: readonly string[]) => cells.filter((_cell, column) => header[column] !== next);
  return fittingTable(without(header), rows.map(without), width, others);
}

/**
 * `Sat 28 Nov, 02:00 (Asia/Shanghai)`, with the year if it is not the present one.
 * @param at Unix epoch, milliseconds. @param zone of the sheet, or of the settings; null for UTC.
 */
export function timeText(at: number, zone: string | null, now: number = Date.now()): string {
  return `${shortTime(at, zone, now)} (${zone ?? 'UTC'})`;
}

const isoTimes = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** A text with its ISO times as `timeText` has them. Commands keep theirs. */
export function timesIn(text: string, zone: string | null): string {
  const read = (line: string) => line.replace(isoTimes, (time) => timeText(Date.parse(time), zone));
  return text
    .split('\n')
    .map((line) => (isPasted(line) ? line : read(line)))
    .join('\n');
}

/** As `timeText`, where the zone is said elsewhere. */
export function shortTime(
  at: number,
  zone: string | null,
  now: number = Date.now(),
  more: Intl.DateTimeFormatOptions = {},
): string {
  const format = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone ?? 'UTC', ...options }).format(time);
  const year = { year: 'numeric' } as const;
  const isThisYear = format(at, year) === format(now, year);
  const options = { weekday: 'short', day: 'numeric', month: 'short', ...(isThisYear ? {} : year) } as const;
  return format(at, { ...options, hour: '2-digit', minute: '2-digit', ...more }).replace(/^(\w+),/, '$1');
}
