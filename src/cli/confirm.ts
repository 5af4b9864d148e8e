/** Asks before a change that cannot be undone. It asks on a terminal only, so that no script waits for an answer. */
import { CommandError, exitCodes } from './exit.ts';
import { ask, isTerminal } from './print/terminal.ts';

export interface ConfirmFlags {
  /** Do not ask. */
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Whether somebody is there to answer, and may be asked. */
export function canAsk({ json }: Pick<ConfirmFlags, 'json'>): boolean {
  return !json && process.stdin.isTTY === true && isTerminal('stderr');
}

/** @throws {CommandError} when the answer is not yes; with exit code 130 after Ctrl-C. */
export async function confirm(question: string, { yes, json }: ConfirmFlags): Promise<void> {
  if (yes || !canAsk({ json })) return;
  const answer = await ask(`${question} [y/N] `);
  if (answer === undefined)
    throw new CommandError('interrupted: nothing was done', { exitCode: exitCodes.interrupted });
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CommandError('nothing was done', { cure: 'Answer y, or give --yes.' });
}
