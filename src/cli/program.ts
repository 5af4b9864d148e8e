/** The commander program: all commands, of which only the named one is loaded. */
import { Command } from 'commander';
import { readBuild } from '../app/runtime/configuration.ts';
import { commands, withoutSettings } from './commands.ts';
import { configOption, jsonOption } from './flags/common.ts';
import { write } from './print/terminal.ts';

/** The command line with all commands. Only the module of the named one is loaded. @param args what follows `campaigns`. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = emptyProgram();
  await addCommands(program, args);
  return program;
}

function emptyProgram(): Command {
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
