/** Turns the error that ended a command into text, its document, and an exit code. */
import { CommanderError } from 'commander';
import { redisTroubleOf } from '../app/runtime/redis.ts';
import { UseCaseError } from '../manifest/problems/use-case-error.ts';
import { CommandError, exitCodes } from './exit.ts';
import { fixHere } from './hints.ts';
import { widthFor, write, writeJson } from './print/terminal.ts';
import { fold } from './print/wrap.ts';

/** @param args what follows `campaigns`. @param command the words of the command that was named: `campaigns videos scrape`. @returns the exit code. */
export function reportError(error: unknown, args: readonly string[], command: string): number {
  const isJson = isJsonWanted(args);
  if (error instanceof CommanderError) {
    // It has printed the help.
    if (error.code === 'commander.help')
      return printError({ message: 'no command is given', fix: 'See --help.', isJson });
    const message = error.message.replace(/^error: /, '').replace('\n', ' ');
    return tell({ message, fix: `See all options:\n  ${command} --help`, isJson });
  }
  if (error instanceof CommandError || error instanceof UseCaseError) {
    const exitCode = error instanceof CommandError ? error.exitCode : exitCodes.usage;
    return tell({ message: error.message, fix: fixHere(error.fix), exitCode, isJson });
  }
  const trouble = redisTroubleOf(error);
  if (trouble) {
    const fix = `${trouble.fix} Then run the same command again.`;
    return tell({ message: trouble.message, fix, isJson });
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  write('stderr', `campaigns: this is a defect of the runner. Please report it:\n${detail}\n`);
  return exitCodes.usage;
}

interface Told {
  readonly message: string;
  readonly fix: string | undefined;
  readonly exitCode?: number;
  readonly isJson: boolean;
}

/** Prints what happened, what to do, and a command alone on its line. @returns the exit code. */
function tell(told: Told): number {
  const { message, fix, exitCode = exitCodes.usage } = told;
  // A person has said no, or pressed Ctrl-C at a question.
  const isError = exitCode !== exitCodes.ok && exitCode !== exitCodes.interrupted;
  const text = `${isError ? 'campaigns: ' : ''}${message}\n${fix ? `${fix}\n` : ''}`;
  write('stderr', fold(text, widthFor('stderr')));
  return printError(told);
}

/** With `--json`, standard output is a document even after an error. @returns the exit code. */
function printError({ message, fix, exitCode = exitCodes.usage, isJson }: Told): number {
  if (isJson) writeJson({ error: { message, fix: fix ?? null, exitCode } });
  return exitCode;
}

/** Behind `--`, it would be the key of a row, or a file. */
function isJsonWanted(args: readonly string[]): boolean {
  const [end, json] = ['--', '--json'].map((word) => args.indexOf(word)) as [number, number];
  return json >= 0 && (end < 0 || json < end);
}
