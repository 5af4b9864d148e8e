/** The commander program: all commands, of which only the named one is loaded. */
import type { Option } from 'commander';
import { readBuild } from '../app/runtime/package.ts';
import { commandGroups, withoutSettings } from './commands.ts';
import { CliCommand, configOption, type Define, jsonOption } from './flags/common.ts';
import { type StreamName, widthFor, write } from './print/terminal.ts';
import { fold } from './print/wrap.ts';

/** The command line with all commands. Only the module of the named one is loaded. @param args what follows `campaigns`. */
export async function createProgram(args: readonly string[]): Promise<CliCommand> {
  const program = new CliCommand('campaigns')
    .description('Posts a sheet of shoppable videos and photos through a creator publishing service.')
    .version(readBuild(), '--version', 'print the version and the commit')
    .notes(`
Examples:
  campaigns demo                      see it work in a sandbox
  campaigns check posts.csv           show all problems of a sheet; post nothing
  campaigns run posts.csv             post every row; writes posts.results.csv
  campaigns run                       resume unfinished campaigns

Exit codes: 0 all posted, 1 problems in the sheet, 2 wrong usage or settings, 3 ended but not all posted,
4 paused, 130 interrupted.`)
    .configureOutput({
      writeOut: (text) => writeHelp('stdout', text),
      writeErr: (text) => writeHelp('stderr', text),
      // `main.ts` prints errors, in one form.
      outputError: () => undefined,
      // As `fold`, it leaves the last column free.
      getOutHelpWidth: () => widthFor('stdout') - 1,
      getErrHelpWidth: () => widthFor('stderr') - 1,
    })
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ optionDescription })
    .exitOverride();
  await addCommands(program, args);
  return program;
}

/** On one line: `skip or post rows ...`, `write this format: csv, json (default: csv)`. */
function optionDescription(option: Option): string {
  const { description, argChoices, defaultValue, defaultValueDescription } = option;
  const choices =
    argChoices && !description.includes(argChoices[0] ?? '') ? `: ${argChoices.join(', ')}` : '';
  const usual = defaultValueDescription ?? defaultValue;
  return `${description}${choices}${usual === undefined ? '' : ` (default: ${String(usual)})`}`;
}

/** Paragraphs are joined before they are wrapped. */
function writeHelp(stream: StreamName, text: string): void {
  write(stream, fold(text.replace(/^(\S.*)\n(?=\S)/gm, '$1 '), widthFor(stream)));
}

/** Loads the named command; all others are only listed. */
async function addCommands(program: CliCommand, [first = '', second = '']: readonly string[]): Promise<void> {
  const named = first === 'help' ? second : first;
  for (const [heading, group] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const [usage, summary, load] of group) {
      const [name = ''] = usage.split(' ');
      if (name === named) addNamed(program, name, summary, await load());
      else program.command(usage).description(summary);
    }
  }
  program.helpCommand('help [command]', 'show the help of a command');
}

function addNamed(program: CliCommand, name: string, summary: string, define: Define): void {
  const command = define(program.command(name).description(summary));
  // Options of a command with subcommands would hide those of the subcommands.
  for (const runnable of command.commands.length > 0 ? command.commands : [command]) {
    if (!withoutSettings.has(name)) runnable.addOption(configOption());
    runnable.addOption(jsonOption());
  }
}
