/** `campaigns users token NAME`: makes a token for a program, or removes one. */
import type { Command } from 'commander';
import { makeToken, removeToken } from '../../../access/tokens.ts';
import { normalName } from '../../../access/users.ts';
import { type CommonOptions, openSession } from '../../session.ts';

interface TokenFlags extends CommonOptions {
  readonly remove?: string;
}

export function define(command: Command): Command {
  return command
    .argument('<name>', 'the token may do what this user may')
    .option('--remove <prefix>', 'remove the token that begins so (see users list)')
    .addHelpText(
      'after',
      `
A program sends it as Authorization: Bearer TOKEN. It is shown once: only a hash of it is kept.

Examples:
  campaigns users token anna
  campaigns users token anna --remove cr_8vJx3Qa`,
    )
    .action(token);
}

async function token(given: string, { remove: prefix, ...flags }: TokenFlags): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  if (prefix !== undefined) {
    await removeToken(runtime, given, prefix);
    const name = normalName(given);
    await session.record(`Removed the token ${prefix}... of ${name}.`);
    output.document('users token', { name, prefix, removed: true });
    output.print(`Programs that use ${prefix}... are refused from now on.`);
    return;
  }
  const made = await makeToken(runtime, given);
  await session.record(`Made the token ${made.prefix}... for ${made.name}.`);
  output.document('users token', made);
  output.say('Copy the token now. It is not shown again.');
  output.print(made.token);
}
