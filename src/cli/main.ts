/** The command line: one file per command; what a command needs is loaded only when it runs. */
import { Command, CommanderError } from 'commander';
import { readPackageFacts } from '../runtime/package-facts.ts';
import { budgetsCommand } from './commands/budgets.ts';
import { cancelCommand } from './commands/cancel.ts';
import { checkCommand } from './commands/check.ts';
import { creatorsCommand } from './commands/creators.ts';
import { deleteCommand } from './commands/delete.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { importCommand } from './commands/import.ts';
import { journalCommand } from './commands/journal.ts';
import { listCommand } from './commands/list.ts';
import { musicCommand } from './commands/music.ts';
import { pauseCommand } from './commands/pause.ts';
import { productsCommand } from './commands/products.ts';
import { refreshCommand } from './commands/refresh.ts';
import { reportCommand } from './commands/report.ts';
import { resumeCommand } from './commands/resume.ts';
import { retryCommand } from './commands/retry.ts';
import { runCommand } from './commands/run.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { serveCommand } from './commands/serve.ts';
import { settleCommand } from './commands/settle.ts';
import { showCommand } from './commands/show.ts';
import { stopCommand } from './commands/stop.ts';
import { templateCommand } from './commands/template.ts';
import { watchCommand } from './commands/watch.ts';
import { workerCommand } from './commands/worker.ts';
import { CommandError, exitCodes } from './exit.ts';

// Whoever reads the output may leave (`| head`, a terminal that is closed): what is printed is lost, and nothing else.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

const program = new Command('campaigns')
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
  .showHelpAfterError('(see --help)')
  .exitOverride();

for (const command of [
  runCommand(),
  importCommand(),
  checkCommand(),
  templateCommand(),
  listCommand(),
  showCommand(),
  watchCommand(),
  reportCommand(),
  refreshCommand(),
  retryCommand(),
  settleCommand(),
  pauseCommand(),
  resumeCommand(),
  cancelCommand(),
  deleteCommand(),
  budgetsCommand(),
  journalCommand(),
  creatorsCommand(),
  productsCommand(),
  musicCommand(),
  workerCommand(),
  serveCommand(),
  doctorCommand(),
  sandboxCommand(),
  demoCommand(),
  stopCommand(),
]) {
  program.addCommand(command.copyInheritedSettings(program));
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Whoever reads standard output as JSON gets a document in any case. */
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
  if (error instanceof CommandError) {
    process.stderr.write(`campaigns: ${error.message}\n${error.cure ? `${error.cure}\n` : ''}`);
    if (process.argv.includes('--json')) printError(error);
    return error.exitCode;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`campaigns: this is a defect of the runner, please report it:\n${detail}\n`);
  return exitCodes.usage;
}
