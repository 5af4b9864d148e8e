/** `campaigns users add NAME --role viewer|operator`: adds a user. */
import { type Command, Option } from 'commander';
import { addUser } from '../../../access/users.ts';
import { type CommonOptions, openSession } from '../../session.ts';
import { passwordFileOption, readPassword } from './password-input.ts';

interface AddFlags extends CommonOptions {
  readonly role: 'viewer' | 'operator';
  readonly passwordFile?: string;
}

export function define(command: Command): Command {
  return command
    .argument('<name>', 'letters, digits and . _ @ -')
    .addOption(
      new Option('--role <role>', 'viewer: reads; operator: changes')
        .choices(['viewer', 'operator'])
        .makeOptionMandatory(),
    )
    .addOption(passwordFileOption())
    .addHelpText(
      'after',
      `
Asks for the password, which has at least 12 characters.

Example:
  campaigns users add lin.yue --role viewer`,
    )
    .action(add);
}

async function add(given: string, { role, passwordFile, ...flags }: AddFlags): Promise<void> {
  const password = await readPassword(given, passwordFile);
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const name = await addUser(runtime, { name: given, role, password });
  await session.record(`Added the ${role} ${name}.`);
  output.document('users add', { name, role });
  output.print(`${name} may sign in now, as ${role}.`);
}
