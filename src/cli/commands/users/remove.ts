/** `campaigns users remove NAME`: removes a user, with all sessions and tokens. */
import type { Command } from 'commander';
import { listUsers, removeUser } from '../../../access/users.ts';
import { type CommonOptions, openSession } from '../../session.ts';

const withoutUsers = `There is no user now: the console on this machine is open to anybody here, and at any other address it is closed. To close it here:
  campaigns users add NAME --role operator`;

export function define(command: Command): Command {
  return command
    .argument('<name>', 'name of the user')
    .addHelpText(
      'after',
      `
The only operator goes last: other users would be left without one. Without any user, the console on this machine is open again.

Example:
  campaigns users remove lin.yue`,
    )
    .action(remove);
}

async function remove(given: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const name = await removeUser(runtime, given, { canBeLast: true });
  await session.record(`Removed the user ${name}.`);
  output.document('users remove', { name, removed: true });
  output.print(`${name} is removed and signed out everywhere. All tokens of ${name} are void.`);
  if ((await listUsers(runtime)).length === 0) output.print(withoutUsers);
}
