/** `campaigns users list`: users, roles and tokens. */
import type { Command } from 'commander';
import { listUsers } from '../../../access/users.ts';
import { table } from '../../print/output.ts';
import { type CommonOptions, openSession } from '../../session.ts';

export function define(command: Command): Command {
  return command.addHelpText('after', '\nExample:\n  campaigns users list --json').action(list);
}

async function list(flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const users = await listUsers(runtime);
  output.document('users list', { users });
  if (users.length === 0) {
    output.print('There is no user. Add one:\n  campaigns users add NAME --role operator');
    return;
  }
  const lines = users.map(({ name, role, createdAt, tokens }) => [
    name,
    role,
    createdAt.slice(0, 10),
    tokens.map(({ prefix }) => `${prefix}...`).join(' '),
  ]);
  for (const line of table(['NAME', 'ROLE', 'SINCE', 'TOKENS'], lines)) output.print(line);
}
