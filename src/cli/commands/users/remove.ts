/** `campaigns users remove NAME`: removes a user, with all sessions and tokens. */
import type { Command } from 'commander';
import { removeUser } from '../../../access/users.ts';
import { type CommonOptions, openSession } from '../../session.ts';

export function define(command: Command): Command {
  return command
    .argument('<name>', 'name of the user')
    .addHelpText(
      'after',
      `
Without any user, the console on this machine is open again.

Example:
  campaigns users remove lin.yue`,
    )
    .action(remove);
}

async function remove(given: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const name = await removeUser(runtime, given);
  await session.record(`Removed the user ${name}.`);
  output.document('users remove', { name, removed: true });
  output.print(`${name} is removed and signed out everywhere. All tokens of ${name} are void.`);
}
