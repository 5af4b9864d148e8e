/**
 * What a command prints. Results go to standard output, everything else to standard error. With `--json`, standard output
 * is one JSON document.
 */
import { stripVTControlCharacters } from 'node:util';
import type { VideoCommandDocument, VideoCommandName } from '../../app/videos/documents.ts';
import { presentable } from '../../manifest/presentable.ts';
import type { CommandDocument, CommandName } from '../documents.ts';
import { withCures } from '../hints.ts';
import {
  columnsOf,
  gated,
  paint,
  type StreamName,
  type Style,
  sheetStream,
  write,
  writeJson,
  writeJsonList,
} from './terminal.ts';

export interface Output {
  readonly json: boolean;
  /** Prints a line of the result; nothing with `--json`. */
  print(line?: string): void;
  /** Prints a text of the result, wrapped to the terminal; `lead` begins its first line. */
  printText(lead: string, text: string): void;
  /** Prints a table of the result: columns are as wide as their widest cell. */
  table(header: readonly string[], rows: readonly (readonly string[])[], indent?: string): void;
  /** Prints a text for other programs, such as CSV; nothing with `--json`. */
  sheet(text: string): void;
  /** Prints the answer of an operation as a JSON document; nothing without `--json`. */
  answer(value: unknown): void;
  /** Prints the result as a JSON document; nothing without `--json`. */
  document<Name extends CommandName>(command: Name, value: CommandDocument<Name>): void;
  document<Name extends VideoCommandName>(command: Name, value: VideoCommandDocument<Name>): void;
  /** Prints a document of one long list, `{ "name": [ ... ] }`, part by part. Only with `--json`. */
  documentOf(name: string, parts: AsyncIterable<readonly unknown[]>): Promise<void>;
  /** Prints a line for people on standard error. */
  say(line: string): void;
  /** Colours text if the terminal shows colours and `NO_COLOR` is not set. */
  paint(style: Style, text: string): string;
}

/** @param results stream for lines of the result: standard error when a sheet goes to standard output. */
export function createOutput(json: boolean, results: StreamName = 'stdout'): Output {
  const print = (line = '') => {
    if (!json) write(results, `${line}\n`);
  };
  return {
    json,
    print,
    printText(lead, text) {
      for (const line of wrap(lead, text, columnsOf(results))) {
        print(line);
      }
    },
    table(header, rows, indent = '') {
      for (const line of table(header, rows)) print(indent + line);
    },
    sheet(text) {
      if (!json) sheetStream().write(text);
    },
    answer(value) {
      if (json) writeJson(withCures(value));
    },
    document(_command: string, value: unknown) {
      this.answer(value);
    },
    documentOf: writeJsonList,
    say(line) {
      write('stderr', `${line}\n`);
    },
    paint: (style, text) => paint(style, text, json ? 'stderr' : results),
  };
}

/** `a, b, c, ...`: the first names, and whether there are more. @param total of all, when only the first are given. */
export function namesOf(names: readonly string[], most = names.length, total = names.length): string {
  const shown = names.slice(0, most);
  return `${shown.join(', ')}${total > shown.length ? ', ...' : ''}`;
}

/** Lines of a table, one for each row: columns are as wide as their widest cell. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const lines = [header, ...rows].map((row) => row.map(presentable));
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

/**
 * Breaks between words, and indents all lines but the first.
 * @param lead beginning of the first line; the other lines are indented by its width, unless that leaves too little of the terminal.
 * @param width columns of the terminal; undefined without a terminal: the text stays one line.
 */
export function wrap(lead: string, text: string, width: number | undefined): readonly string[] {
  if (width === undefined) return [lead + text];
  const hanging = widthOf(lead);
  const isNarrow = hanging > width / 2;
  const indent = ' '.repeat(isNarrow ? lead.length - lead.trimStart().length + 4 : hanging);
  const lines: string[] = [];
  let line = lead;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && widthOf(line) + 1 + widthOf(word) >= width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Width of a text: East Asian characters and emoji take two columns, marks above letters and colour codes none. */
export function widthOf(text: string): number {
  let columns = 0;
  for (const character of stripVTControlCharacters(gated(text))) {
    if (wide.test(character)) columns += 2;
    else if (!combining.test(character)) columns += 1;
  }
  return columns;
}

/** As `padEnd`, by the columns that a terminal takes. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const combining = /\p{Mn}/u;
