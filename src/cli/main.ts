/** The command line: loads the named command, runs it, and turns its error into an exit code. */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { describeFileError } from '../fs/disk.ts';
import { readBuild } from '../runtime/configuration.ts';
import { redisTroubleOf } from '../runtime/redis.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { commands, withoutSettings } from './commands.ts';
import { CommandError, exitCodes } from './exit.ts';
import { configOption, jsonOption } from './flags/common.ts';
import { cureHere } from './hints.ts';
import { gateConsole, surviveLostReaders, write, writeJson } from './print/terminal.ts';

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

/** A command that takes longer works on many rows. Milliseconds. */
const shortMs = 400;
setTimeout(holdMemory, shortMs).unref();

try {
  const program = createProgram();
  await addCommands(program, process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/**
 * Long imports, campaigns and scrapes take a quarter less memory: V8 would learn to put short-lived objects where only a full garbage
 * collection finds them, and let the heap grow to four times what is in use. After a change of flags it refuses code that was compiled
 * before, also that of Node: short commands would start later.
 */
function holdMemory(): void {
  flushCompileCache();
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--heap-growing-percent=75');
}

function createProgram(): Command {
  return new Command('campaigns')
    .description('Posts a sheet of shoppable videos and photos through a creator publishing service.')
    .version(readBuild(), '--version', 'print the version and the commit')
    .addHelpText(
      'after',
      `
Examples:
  campaigns demo                      see it work in a sandbox
  campaigns check posts.csv           show all problems of a sheet; post nothing
  campaigns run posts.csv             post every row, and write posts.results.csv
  campaigns run                       resume unfinished campaigns

Exit codes: 0 all posted, 1 problems in the sheet, 2 wrong usage or settings, 3 ended but not all posted,
4 paused, 130 interrupted.`,
    )
    .configureOutput({
      writeOut: (text) => write('stdout', text),
      writeErr: (text) => write('stderr', text),
    })
    .configureHelp({ subcommandTerm: (command) => termOf(command) })
    .showHelpAfterError('(see --help)')
    .exitOverride();
}

/** Loads the named command; all others are only listed. */
async function addCommands(program: Command, [first = '', second = '']: readonly string[]): Promise<void> {
  const named = first === 'help' ? second : first;
  for (const [usage, summary, load] of commands) {
    const [name = ''] = usage.split(' ');
    if (name !== named) {
      program.command(usage).description(summary);
      continue;
    }
    const define = (await load()).commands[name];
    if (define === undefined) throw new Error(`no module defines ${name}`);
    const command = define(program.command(name).description(summary));
    // Options of a command with subcommands would hide those of the subcommands.
    for (const runnable of command.commands.length > 0 ? command.commands : [command]) {
      if (!withoutSettings.has(name)) runnable.addOption(configOption());
      runnable.addOption(jsonOption());
    }
  }
}

/** `check [options] <file>` */
function termOf(command: Command): string {
  const operands = command.registeredArguments.map((operand) =>
    operand.required ? ` <${operand.name()}>` : ` [${operand.name()}]`,
  );
  return `${command.name()} [options]${operands.join('')}`;
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
  if (process.argv.includes('--json')) writeJson({ error: { message, cure: cure ?? null, exitCode } });
  return exitCode;
}
