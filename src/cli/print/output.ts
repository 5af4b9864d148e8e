/**
 * What a command prints. Results go to standard output, everything said on the way to standard error; with `--json` standard
 * output is one JSON document.
 */
import { styleText } from 'node:util';
import { wrap } from './wrap.ts';

type Style = Parameters<typeof styleText>[0];

export interface Output {
  readonly json: boolean;
  /** A line of the result; nothing with `--json`. */
  print(line?: string): void;
  /** A text of the result, broken between words where it is wider than the terminal; `lead` begins its first line. */
  printText(lead: string, text: string): void;
  /** The result as a JSON document; nothing without `--json`. */
  document(value: unknown): void;
  /** A line for people on standard error. */
  say(line: string): void;
  /** Colours text where the terminal shows colours and `NO_COLOR` is not set. */
  paint(style: Style, text: string): string;
}

/** @param results where lines of the result go: standard error when a sheet goes to standard output. */
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
    document(value) {
      if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    say(line) {
      process.stderr.write(`${line}\n`);
    },
    paint: (style, text) => styleText(style, text, { stream: json ? process.stderr : results }),
  };
}

/** A table of text: columns as wide as their longest cell, the last one as it is. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [header, ...rows].map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  '),
  );
}

/** A count with its noun: `1 row`, `12 rows`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A duration for people: `350 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function describeDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** Text with a full stop, where it has no end of its own: what the service says often has none. */
export function sentence(text: string): string {
  return /[.!?。！？]$/.test(text) ? text : `${text}.`;
}
