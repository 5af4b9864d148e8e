/** The command line: loads the named command, runs it, and turns its error into an exit code. */
import { type Command, CommanderError } from 'commander';
import { describeFileError } from '../platform/files/disk.ts';
import { exitCodes, isEnding } from './exit.ts';
import { gateConsole, surviveLostReaders, write } from './print/terminal.ts';
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
let reportError: typeof import('./report-error.ts').reportError | undefined;
try {
  program = await createProgram(args);
  // The version and the list of commands need none of what it loads.
  if (commandOf(args) !== 'campaigns') await loadReport();
  await program.parseAsync();
} catch (error) {
  // It has printed the version, or the help.
  const isAnswered = error instanceof CommanderError && error.exitCode === 0;
  if (!isAnswered) await loadReport();
  process.exitCode = isAnswered ? exitCodes.ok : report(error);
}

async function loadReport(): Promise<void> {
  ({ reportError } = await import('./report-error.ts'));
}

function report(error: unknown): number {
  if (isEnding()) return exitCodes.interrupted;
  if (reportError === undefined) throw error;
  return reportError(error, args, commandOf(args));
}

/** `campaigns videos scrape`: what was asked for, without its options. */
function commandOf([first, second]: readonly string[]): string {
  const command = program?.commands.find((each) => each.name() === first);
  const subcommand = command?.commands.find((each) => each.name() === second);
  return ['campaigns', command?.name(), subcommand?.name()].filter(Boolean).join(' ');
}
