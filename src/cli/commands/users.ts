/** `campaigns users ...`: who may sign in to the console, and what they may do there. */
import type { Command } from 'commander';
import * as addCommand from './users/add.ts';
import * as listCommand from './users/list.ts';
import * as passwordCommand from './users/password.ts';
import * as removeCommand from './users/remove.ts';
import * as tokenCommand from './users/token.ts';

const subcommands = [
  ['add', 'add a user who may sign in', addCommand],
  ['list', 'list users, roles and tokens', listCommand],
  ['remove', 'remove a user, with all sessions and tokens', removeCommand],
  ['password', 'set a new password, and end all sessions', passwordCommand],
  ['token', 'make a token for a program, or remove one', tokenCommand],
] as const;

export function define(command: Command): Command {
  for (const [name, summary, { define: defineOne }] of subcommands) {
    defineOne(command.command(name).description(summary));
  }
  return command.addHelpText(
    'after',
    `
While there is no user, the console on this machine is open. With the first one everybody signs in.

Examples:
  campaigns users add anna --role operator       asks for the password
  campaigns users token anna                     for Authorization: Bearer TOKEN`,
  );
}
