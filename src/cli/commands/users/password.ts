/** `campaigns users password NAME`: sets a new password. */
import type { Command } from 'commander';
import { findUser, setPassword } from '../../../access/users.ts';
import { type CommonOptions, openSession } from '../../session.ts';
import { passwordFileOption, readPassword } from './password-input.ts';

interface PasswordFlags extends CommonOptions {
  readonly passwordFile?: string;
}

export function define(command: Command): Command {
  return command
    .argument('<name>', 'name of the user')
    .addOption(passwordFileOption())
    .addHelpText(
      'after',
      `
All sessions of the user end. Tokens stay: remove them with campaigns users token NAME --remove PREFIX.

Example:
  campaigns users password lin.yue`,
    )
    .action(password);
}

async function password(given: string, { passwordFile, ...flags }: PasswordFlags): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  // Before anybody types a password twice for nothing.
  await findUser(runtime, given);
  const name = await setPassword(runtime, given, await readPassword(given, passwordFile));
  await session.record(`Set a new password for ${name}.`);
  output.document('users password', { name, changed: true });
  output.print(`${name} has a new password. All sessions of before have ended.`);
}
