/** The command line: finds the command that is named, loads it, runs it, and turns its error into an exit code. */
import { Command, CommanderError } from 'commander';
import { readPackageFacts } from '../runtime/package-facts.ts';
import { commands } from './commands.ts';
import { asCommandError, CommandError, exitCodes } from './exit.ts';

// The reader of the output may leave (`| head`, a terminal that is closed): what is printed is lost, and nothing else.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

try {
  const program = createProgram();
  await addCommands(program, process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function createProgram(): Command {
  return new Command('campaigns')
    .description('Carries a spreadsheet of shoppable posts through a creator publishing service.')
    .version(readPackageFacts().version, '--version', 'print the version')
    .addHelpText(
      'after',
      `
Examples:
  campaigns demo                      see it work, against a service of its own
  campaigns check posts.csv           all problems of a manifest; nothing is sent
  campaigns run posts.csv             carry every row to its post, and write posts.results.csv
  campaigns run                       go on with what is unfinished

Exit codes: 0 all posted, 1 the manifest has problems, 2 wrong usage or settings, 3 ended with rows that
were not posted, 4 paused, 130 interrupted.`,
    )
    .configureHelp({ subcommandTerm: (command) => termOf(command) })
    .showHelpAfterError('(see --help)')
    .exitOverride();
}

/** The commands that are not named are only listed: their modules stay unloaded. */
async function addCommands(program: Command, [first = '', second = '']: readonly string[]): Promise<void> {
  const named = first === 'help' ? second : first;
  for (const { usage, summary, load } of commands) {
    const [name = ''] = usage.split(' ');
    if (name !== named) program.command(usage).description(summary);
    else (await load()).define(program.command(name).description(summary));
  }
}

/** `check [options] <file>`: every command has options. */
function termOf(command: Command): string {
  const operands = command.registeredArguments.map((operand) =>
    operand.required ? ` <${operand.name()}>` : ` [${operand.name()}]`,
  );
  return `${command.name()} [options]${operands.join('')}`;
}

/** With `--json` standard output is a document in any case. */
function printError({ message, cure, exitCode }: CommandError): void {
  const document = { error: { message, cure: cure ?? null, exitCode } };
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

function report(error: unknown): number {
  // Commander has said what is wrong (or shown the help that was asked for).
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok;
    if (process.argv.includes('--json')) {
      printError(new CommandError(error.message.replace(/^error: /, ''), { cure: 'See --help.' }));
    }
    return exitCodes.usage;
  }
  const known = asCommandError(error);
  if (known) {
    process.stderr.write(`campaigns: ${known.message}\n${known.cure ? `${known.cure}\n` : ''}`);
    if (process.argv.includes('--json')) printError(known);
    return known.exitCode;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`campaigns: this is a defect of the runner, please report it:\n${detail}\n`);
  return exitCodes.usage;
}
