/** `campaigns users ...`: who may sign in to the console, and what they may do there. */
import { open } from 'node:fs/promises';
import { Argument, Option } from 'commander';
import { roles, roleTexts, withArticle } from '../../app/access/roles.ts';
import {
  findUser,
  listUsers,
  normalName,
  removeUser,
  setRole,
  type WithLedger,
} from '../../app/access/users.ts';
import { accessOperations } from '../../app/operations/access.ts';
import type { Role } from '../../ledger/access/users.ts';
import { plural } from '../../manifest/wording.ts';
import { describeFileError } from '../../platform/files/disk.ts';
import { CommandError } from '../exit.ts';
import {
  type ConfirmFlags,
  confirm,
  type Define,
  defineAll,
  unlessInterrupted,
  yesOption,
} from '../flags/common.ts';
import { askSecret, isTerminal } from '../print/terminal.ts';
import { type CommonOptions, inSession, openSession, type Session } from '../session.ts';

interface PasswordFlags extends CommonOptions {
  readonly passwordFile?: string;
}

const passwordFileOption = () =>
  new Option('--password-file <file>', 'read the password from this file; - is stdin');

const roleLines = roles.map((role) => `  ${role.padEnd(9)} ${roleTexts[role]}`).join('\n');

const add: Define = (command) =>
  command
    .argument('<name>', 'letters, digits and . _ @ -')
    .addOption(new Option('--role <role>', 'what the user may do').choices(roles).makeOptionMandatory())
    .addOption(passwordFileOption())
    .notes(`
Asks for the password, which has at least 12 characters. The first user is always an admin.
${roleLines}

Example:
  campaigns users add lin.yue --role viewer`)
    .action(async (given: string, flags: PasswordFlags & { readonly role: Role }) => {
      const password = await readPassword(given, flags.passwordFile);
      await using session = await openSession(flags, { writes: true });
      const wanted = { name: given, role: flags.role, password };
      const { name, role } = await session.carryOut(accessOperations.addUser, wanted);
      session.output.print(`${name} may sign in now, as ${role}.`);
      if (role !== flags.role) session.output.print('The first user is always an admin.');
    });

const list: Define = (command) =>
  command.notes('\nExample:\n  campaigns users list --json').action(
    inSession({}, async ({ output, carryOut }) => {
      const { users: all } = await carryOut(accessOperations.listUsers, {});
      if (all.length === 0) {
        output.print('No users yet. Add one:\n  campaigns users add NAME --role admin');
        return;
      }
      const lines = all.map(({ name, role, createdAt, tokens }) => [
        name,
        role,
        createdAt.slice(0, 10),
        tokens.map(({ prefix }) => `${prefix}...`).join(' '),
      ]);
      output.table(['NAME', 'ROLE', 'SINCE', 'TOKENS'], lines);
    }),
  );

const withoutUsers = `No users left: anyone on this machine can use the console, and no one from elsewhere. To require a sign-in:
  campaigns users add NAME --role admin`;

/** As after an upgrade from roles without admins. */
export const withoutAdmin =
  'No user is an admin, so users can only be changed by commands here. To make one:\n  campaigns users role NAME admin';

const remove: Define = (command) =>
  command
    .argument('<name>', 'name of the user')
    .addOption(yesOption())
    .notes(`
Without any user, the console on this machine is open again.

Example:
  campaigns users remove lin.yue`)
    .action(
      inSession({ writes: true }, async ({ runtime, output, record }, given: string, flags: ConfirmFlags) => {
        const found = normalName(given);
        // A damaged record is not listed, and can be removed.
        const tokens = (await listUsers(runtime)).find((user) => user.name === found)?.tokens ?? [];
        const many = plural(tokens.length, 'token');
        await confirm(`Remove ${found}? All sessions end, and ${many} will be void.`, flags);
        const name = await removeUser(runtime, given, { canBeLast: true });
        const removed = { name, removed: true as const };
        await record(accessOperations.removeUser, { name }, removed);
        output.answer(removed);
        output.print(`${name} is removed and signed out everywhere. All tokens of ${name} are void.`);
        await warnOfNoAdmin(runtime, output);
      }),
    );

/** Only this machine can then change users. */
async function warnOfNoAdmin({ ledger }: WithLedger, { print }: Session['output']): Promise<void> {
  const left = await listUsers({ ledger });
  if (left.length === 0) print(withoutUsers);
  else if (!left.some(({ role }) => role === 'admin')) print(withoutAdmin);
}

const role: Define = (command) =>
  command
    .argument('<name>', 'name of the user')
    .addArgument(new Argument('<role>', 'what the user may do from now on').choices(roles))
    .notes(`
The new role applies right away, also to the user's tokens.
${roleLines}

Example:
  campaigns users role lin.yue editor`)
    .action(
      inSession({ writes: true }, async ({ runtime, output, record }, given: string, role: Role) => {
        const name = await setRole(runtime, given, role, { canBeLast: true });
        await record(accessOperations.setRole, { name }, { name, role });
        output.answer({ name, role });
        output.print(`${name} is ${withArticle(role)} now.`);
        await warnOfNoAdmin(runtime, output);
      }),
    );

const password: Define = (command) =>
  command
    .argument('<name>', 'name of the user')
    .addOption(passwordFileOption())
    .notes(`
All sessions of the user end. Tokens stay: remove them with campaigns users token NAME --remove PREFIX.

Example:
  campaigns users password lin.yue`)
    .action(
      inSession({ writes: true }, async (session, given: string, { passwordFile }: PasswordFlags) => {
        const { runtime, output } = session;
        // Before anybody types a password twice for nothing.
        await findUser(runtime, given);
        const password = await readPassword(given, passwordFile);
        const { name } = await session.carryOut(accessOperations.setPassword, { name: given, password });
        output.print(`${name} has a new password. All earlier sessions have ended.`);
      }),
    );

const token: Define = (command) =>
  command
    .argument('<name>', 'the token may do what this user may')
    .option('--remove <prefix>', 'remove the token that begins like this (see users list)')
    .addOption(yesOption())
    .notes(`
A program sends it as Authorization: Bearer TOKEN. It is shown once: only a hash of it is kept.

Examples:
  campaigns users token anna
  campaigns users token anna --remove cr_8vJx3Qa`)
    .action(inSession({ writes: true }, makeOrRemove));

async function makeOrRemove(
  { output, carryOut }: Session,
  given: string,
  { remove: prefix, ...flags }: ConfirmFlags & { readonly remove?: string },
): Promise<void> {
  if (prefix !== undefined) {
    const found = normalName(given);
    await confirm(`Remove the token ${prefix}... of ${found}? Programs that use it will be refused.`, flags);
    await carryOut(accessOperations.removeToken, { name: found, prefix });
    output.print(`Programs that use ${prefix}... are refused from now on.`);
    return;
  }
  const made = await carryOut(accessOperations.makeToken, { name: given });
  output.say('Copy the token now. It is not shown again.');
  output.print(made.token);
}

export const users: Define = (command) =>
  defineAll(command, [
    ['add', 'add a user who may sign in', add],
    ['list', 'list users, roles and tokens', list],
    ['remove', 'remove a user, with all sessions and tokens', remove],
    ['role', 'set the role of a user', role],
    ['password', 'set a new password, and end all sessions', password],
    ['token', 'make a token for a program, or remove one', token],
  ]).notes(`
Without users, anyone on this machine can use the console. After you add the first user, everyone must sign in.

Examples:
  campaigns users add anna --role admin          asks for the password
  campaigns users token anna                     for Authorization: Bearer TOKEN`);

const mostBytes = 4096;

/**
 * Reads a password from a file, a pipe or the terminal. Never from an argument, which others on the machine can see.
 * @throws {CommandError} when there is no password.
 */
async function readPassword(name: string, file: string | undefined): Promise<string> {
  const given = file === undefined ? await askTwice(name) : await readFromFile(file);
  if (given === '') throw new CommandError('there is no password', { fix: 'Nothing was changed.' });
  return given;
}

async function askTwice(name: string): Promise<string> {
  if (!process.stdin.isTTY || !isTerminal('stderr')) {
    throw new CommandError('there is no terminal to ask for the password', {
      fix: 'Give a file with it, or `-` for standard input:\n  --password-file FILE',
    });
  }
  const ask = async (question: string) => unlessInterrupted(await askSecret(question));
  const typed = await ask(`Password for ${name} (at least 12 characters): `);
  if (typed === '' || (await ask('Once more: ')) === typed) return typed;
  throw new CommandError('the two passwords differ', { fix: 'Nothing was changed. Try again.' });
}

/** The whole text, without the end of its line. */
async function readFromFile(file: string): Promise<string> {
  const text = await readStart(file).catch((error: unknown) => {
    throw unfit(file, describeFileError(error));
  });
  if (text.length >= mostBytes) throw unfit(file, 'it is too long for a password');
  return text.replace(/\r?\n$/, '');
}

function unfit(file: string, why: string): CommandError {
  return new CommandError(`--password-file ${file}: ${why}`, {
    fix: 'Name a file that holds only the password.',
  });
}

async function readStart(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await using handle = file === '-' ? undefined : await open(file);
  // Ends a device or a pipe that never does.
  const source = handle?.createReadStream({ end: mostBytes, autoClose: false }) ?? process.stdin;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= mostBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
