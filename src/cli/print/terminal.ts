/**
 * The gate: the only file that writes to standard output and standard error (`scripts/arrows.ts` checks it). Sheets, the service and
 * file names bring text from outside. Here it loses what a terminal would obey, and what would hide its true value.
 */
import { Console } from 'node:console';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { usualColumns } from '../../app/runtime/machine.ts';
import { printableJson, printableLines } from '../../manifest/printable.ts';
import { writeJson as toJson } from '../../service/contract/json.ts';

export type StreamName = 'stdout' | 'stderr';
export type Style = Parameters<typeof styleText>[0];

const esc = '\u001b';
/** Begins our own colours up to the gate. Random, so that no text from outside can have it. */
const mark = `${esc}${randomBytes(16).toString('hex')}`;

/** Colours text if the stream shows colours and `NO_COLOR` is not set. */
export function paint(style: Style, text: string, stream: StreamName): string {
  return styleText(style, gated(text), { stream: process[stream] }).replaceAll(esc, mark);
}

/** Text as it may be written: only our own colours are left of its control characters, and TAB and line feed. */
export function gated(text: string): string {
  return text.split(mark).map(printableLines).join(esc);
}

export function write(stream: StreamName, text: string): void {
  process[stream].write(gated(text));
}

/** Writes JSON in which all texts keep their meaning. @param indent spaces; 0 for one line. */
export function writeJson(value: unknown, indent = 2): void {
  process.stdout.write(`${printableJson(toJson(value, indent))}\n`);
}

/** Writes `{ "name": [ ... ] }` as `writeJson` would, part by part: the whole may be longer than a string can be. */
export async function writeJsonList(name: string, parts: AsyncIterable<readonly unknown[]>): Promise<void> {
  let before = '\n    ';
  process.stdout.write(`{\n  ${JSON.stringify(name)}: [`);
  for await (const items of parts) {
    for (const item of items) {
      // Texts in JSON have no line breaks of their own.
      process.stdout.write(before + printableJson(toJson(item, 2)).replaceAll('\n', '\n    '));
      before = ',\n    ';
    }
    if (process.stdout.destroyed) return;
    // What a slow reader has not taken would pile up. One that leaves is no error.
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain').catch(() => undefined);
  }
  process.stdout.write(before.startsWith(',') ? '\n  ]\n}\n' : ']\n}\n');
}

/** Writes lines over those written last. @param above number of lines to go up. */
export function redraw(lines: readonly string[], above: number): void {
  const start = above > 0 ? `${esc}[${above}A` : '\n';
  // Clear what is left of longer lines, and of more lines, before.
  process.stderr.write(`${start}${lines.map((line) => `${gated(line)}${esc}[K\n`).join('')}${esc}[J`);
}

/** Columns of a terminal; undefined without a terminal. */
export function columnsOf(stream: StreamName): number | undefined {
  // Some terminals tell 0, because they do not know.
  return (isTerminal(stream) && process[stream].columns) || undefined;
}

/** Columns that text is wrapped to: those of the terminal, else the usual ones. */
export function widthFor(stream: StreamName): number {
  return columnsOf(stream) ?? usualColumns();
}

export function isTerminal(stream: StreamName): boolean {
  return process[stream].isTTY === true;
}

/** Standard output for a sheet. A file or another program gets its bytes as they are; a terminal gets gated text. */
export function sheetStream(): Writable {
  if (!isTerminal('stdout')) return process.stdout;
  const decoder = new TextDecoder();
  const show = (text: string) => write('stdout', text.replaceAll('\r', ''));
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      show(decoder.decode(chunk, { stream: true }));
      done();
    },
    final(done) {
      show(decoder.decode());
      done();
    },
  });
}

/** Asks on the terminal. @returns the answer; empty after the end of the input, undefined after Ctrl-C. */
export async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await answerOf(terminal, gated(question));
  if (answer === undefined) write('stderr', '\n');
  return answer;
}

/** Asks for a secret on the terminal, which does not show what is typed. @returns as `ask`. */
export async function askSecret(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // As a terminal of its own it takes the keys one by one, so that the real one shows none of them.
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  write('stderr', question);
  const answer = await answerOf(terminal, '');
  write('stderr', '\n');
  return answer;
}

/** Ends the terminal. @returns as `ask`. */
async function answerOf(terminal: Interface, question: string): Promise<string | undefined> {
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const interrupted = new Promise<undefined>((resolve) => terminal.once('SIGINT', () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(question), closed, interrupted]);
  } finally {
    terminal.close();
  }
}

/**
 * The reader of the output may leave (`| head`, a closed terminal), and the disk that it goes to may be full. Only the printed text is
 * lost: a console or a worker goes on.
 * @param onUnwritten receives why standard output was not written, unless its reader has left.
 */
export function surviveLostReaders(onUnwritten: (error: NodeJS.ErrnoException) => void): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') onUnwritten(error);
  });
}

/** Libraries warn with `console`: leads that through the gate, to standard error. */
export function gateConsole(): void {
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      write('stderr', chunk.toString());
      done();
    },
  });
  globalThis.console = new Console(stderr);
}
