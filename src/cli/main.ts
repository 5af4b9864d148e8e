/** The command line: loads the named command, runs it, and turns its error into an exit code. */
import { CommanderError } from 'commander';
import { redisTroubleOf } from '../app/runtime/redis.ts';
import { UseCaseError } from '../manifest/problems/use-case-error.ts';
import { describeFileError } from '../platform/files/disk.ts';
import { CommandError, exitCodes } from './exit.ts';
import { cureHere } from './hints.ts';
import { gateConsole, surviveLostReaders, write, writeJson } from './print/terminal.ts';
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

try {
  const program = await createProgram(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Commander has already printed the error, or the help.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok;
    return printError(error.message.replace(/^error: /, ''), 'See --help.', exitCodes.usage);
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

/** @returns the exit code. */
function tell(message: string, cure: string | undefined, exitCode: number = exitCodes.usage): number {
  write('stderr', `campaigns: ${message}\n${cure ? `${cure}\n` : ''}`);
  return printError(message, cure, exitCode);
}

/** With `--json`, standard output is a document even after an error. @returns the exit code. */
function printError(message: string, cure: string | undefined, exitCode: number): number {
  if (isJsonWanted()) writeJson({ error: { message, cure: cure ?? null, exitCode } });
  return exitCode;
}

/** Behind `--`, it would be the key of a row, or a file. */
function isJsonWanted(): boolean {
  const [end, json] = ['--', '--json'].map((word) => process.argv.indexOf(word)) as [number, number];
  return json >= 0 && (end < 0 || json < end);
}
