/** Runs the command as the launcher would. */
import { sandbox } from '../../src/cli/commands/sandbox.ts';
import { CommandError } from '../../src/cli/exit.ts';
import { CliCommand, jsonOption } from '../../src/cli/flags/common.ts';

try {
  await sandbox(new CliCommand('sandbox'))
    .addOption(jsonOption())
    .parseAsync(process.argv.slice(2), { from: 'user' });
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
