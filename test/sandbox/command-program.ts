/** Runs the command as the launcher would. */
import { sandboxCommand } from '../../src/cli/commands/sandbox.ts';

await sandboxCommand().parseAsync(process.argv.slice(2), { from: 'user' });
