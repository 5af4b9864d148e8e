/** Asks before a change that cannot be undone. It asks on a terminal only, so that no script waits for an answer. */
import { createInterface } from 'node:readline/promises';
import { CommandError } from './exit.ts';

export interface ConfirmFlags {
  /** Do not ask. */
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** @throws {CommandError} when the answer is not yes. */
export async function confirm(question: string, { yes, json }: ConfirmFlags): Promise<void> {
  if (yes || json || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and the end of the input mean no.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw new CommandError('nothing was done', { cure: 'Answer y, or give --yes.' });
}
