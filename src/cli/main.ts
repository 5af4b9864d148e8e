/** The command line: loads the named command, runs it, and turns its error into an exit code. */
import { type Command, CommanderError } from 'commander';
import { redisTroubleOf } from '../app/runtime/redis.ts';
import { UseCaseError } from '../manifest/problems/use-case-error.ts';
import { describeFileError } from '../platform/files/disk.ts';
import { CommandError, exitCodes } from './exit.ts';
import { cureHere } from './hints.ts';
import { gateConsole, surviveLostReaders, widthFor, write, writeJson } from './print/terminal.ts';
import { fold } from './print/wrap.ts';
import { createProgram } from './program.ts';

surviveLostReaders((error) => {
  write('stderr', `campaigns: standard output cannot be written: ${describeFileError(error)}\n`);
  process.on('exit', () => {
    process.exitCode ||= exitCodes.usage;
  });
});
gateConsole();
// Node would print the error past the gate, and end with 1: that means problems in the manifest.
if (!process.hasUncaughtExceptionCaptureCallback()) {
  process.setUncaughtExceptionCaptureCallback((error) => process.exit(report(error)));
}

const args = process.argv.slice(2);
let program: Command | undefined;
try {
  program = await createProgram(args);
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // It has printed the version, or the help.
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code === 'commander.help') return printError('no command is given', 'See --help.');
    const message = error.message.replace(/^error: /, '').replace('\n', ' ');
    return tell(message, `See all options:\n  ${commandOf(args)} --help`);
  }
  if (error instanceof CommandError || error instanceof UseCaseError) {
    const exitCode = error instanceof CommandError ? error.exitCode : exitCodes.usage;
    return tell(error.message, cureHere(error.cure), exitCode);
  }
  const trouble = redisTroubleOf(error);
  if (trouble) return tell(trouble.message, `${trouble.cure} Then run the same command again.`);
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  write('stderr', `campaigns: this is a defect of the runner. Please report it:\n${detail}\n`);
  return exitCodes.usage;
}

/** `campaigns videos scrape`: what was asked for, without its options. */
function commandOf([first, second]: readonly string[]): string {
  const command = program?.commands.find((each) => each.name() === first);
  const subcommand = command?.commands.find((each) => each.name() === second);
  return ['campaigns', command?.name(), subcommand?.name()].filter(Boolean).join(' ');
}

/** Prints what happened, what to do, and a command alone on its line. @returns the exit code. */
function tell(message: string, cure: string | undefined, exitCode: number = exitCodes.usage): number {
  // A person has said no, or pressed Ctrl-C at a question.
  const isError = exitCode !== exitCodes.ok && exitCode !== exitCodes.interrupted;
  write(
    'stderr',
    fold(`${isError ? 'campaigns: ' : ''}${message}\n${cure ? `${cure}\n` : ''}`, widthFor('stderr')),
  );
  return printError(message, cure, exitCode);
}

/** With `--json`, standard output is a document even after an error. @returns the exit code. */
function printError(message: string, cure: string | undefined, exitCode: number = exitCodes.usage): number {
  if (isJsonWanted()) writeJson({ error: { message, cure: cure ?? null, exitCode } });
  return exitCode;
}

/** Behind `--`, it would be the key of a row, or a file. */
function isJsonWanted(): boolean {
  const [end, json] = ['--', '--json'].map((word) => args.indexOf(word)) as [number, number];
  return json >= 0 && (end < 0 || json < end);
}
