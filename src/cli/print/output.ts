/**
 * What a command prints. Results go to standard output, everything else to standard error. With `--json`, standard output
 * is one JSON document.
 */
import { styleText } from 'node:util';
import { writeJson } from '../../api/contract/json.ts';
import type { CommandDocument, CommandName } from '../../campaigns/documents/commands.ts';
import type { VideoCommandDocument, VideoCommandName } from '../../videos/documents.ts';
import { wrap } from './wrap.ts';

type Style = Parameters<typeof styleText>[0];

export interface Output {
  readonly json: boolean;
  /** Prints a line of the result; nothing with `--json`. */
  print(line?: string): void;
  /** Prints a text of the result, wrapped to the terminal; `lead` begins its first line. */
  printText(lead: string, text: string): void;
  /** Prints the result as a JSON document; nothing without `--json`. */
  document<Name extends CommandName>(command: Name, value: CommandDocument<Name>): void;
  document<Name extends VideoCommandName>(command: Name, value: VideoCommandDocument<Name>): void;
  /** Prints a line for people on standard error. */
  say(line: string): void;
  /** Colours text if the terminal shows colours and `NO_COLOR` is not set. */
  paint(style: Style, text: string): string;
}

/** @param results stream for lines of the result: standard error when a sheet goes to standard output. */
export function createOutput(json: boolean, results: NodeJS.WriteStream = process.stdout): Output {
  const print = (line = '') => {
    if (!json) results.write(`${line}\n`);
  };
  return {
    json,
    print,
    printText(lead, text) {
      for (const line of wrap(lead, text, results.isTTY ? results.columns : undefined)) {
        print(line);
      }
    },
    document(_command: string, value: unknown) {
      if (json) process.stdout.write(`${writeJson(value, 2)}\n`);
    },
    say(line) {
      process.stderr.write(`${line}\n`);
    },
    paint: (style, text) => styleText(style, text, { stream: json ? process.stderr : results }),
  };
}

/** Lines of a table: columns are as wide as their longest cell. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
