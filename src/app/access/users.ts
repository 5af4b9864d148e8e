/** Users of the console, and their roles. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { mostUsers, type Role, roleSchema, type User, type UserVerdict } from '../../ledger/access/users.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { type Document, isoTimeOf } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';

export type WithLedger = Pick<Runtime, 'ledger'>;

const tokenSchema = z.strictObject({
  prefix: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});

export const userSchema = z.strictObject({
  name: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  tokens: z.array(tokenSchema),
});

export type UserDocument = Document<typeof userSchema>;

/** Letters and digits of any language. */
const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** The normalized name, the same for all ways of typing it. */
export function normalName(text: string): string {
  return text.slice(0, 200).normalize('NFKC').trim().toLowerCase();
}

/**
 * The first user is an admin, whatever the role says: nobody else could add the others.
 * @returns the name in lowercase. @throws {UseCaseError} `user_name_invalid`, `password_invalid`, `user_exists`, `users_full`.
 */
export async function addUser(
  { ledger }: WithLedger,
  given: { readonly name: string; readonly role: Role; readonly password: string },
): Promise<{ readonly name: string; readonly role: Role }> {
  const name = normalName(given.name);
  if (!nameForm.test(name)) {
    throw new UseCaseError('user_name_invalid', `"${given.name}" cannot be the name of a user`, {
      fix: 'Use 1 to 64 letters, digits and . _ @ -, the first one a letter or a digit.',
    });
  }
  requireGoodPassword(given.password, name);
  const password = await hashPassword(given.password);
  const user = { name, id: random(), stamp: random(), role: given.role, password };
  const added = await ledger.access.users.add(user);
  requireDone(added, name);
  return { name, role: added === 'first' ? 'admin' : given.role };
}

/** Adds the admin `admin`, unless there is a user. @returns the name; undefined if there is a user. */
export async function addFirstAdmin(context: WithLedger, password: string): Promise<string | undefined> {
  if ((await context.ledger.access.users.count()) > 0) return undefined;
  try {
    return (await addUser(context, { name: 'admin', role: 'admin', password })).name;
  } catch (error) {
    // Another console has made it at the same moment.
    if (error instanceof UseCaseError && error.code === 'user_exists') return undefined;
    throw error;
  }
}

export async function listUsers({ ledger }: WithLedger): Promise<readonly UserDocument[]> {
  const [users, tokens] = await Promise.all([ledger.access.users.list(), ledger.access.tokens.list()]);
  return users.map(({ name, id, role, createdAt }) => ({
    name,
    role,
    createdAt: isoTimeOf(createdAt),
    tokens: tokens
      .filter((token) => token.user === name && token.id === id)
      .map((token) => ({ prefix: token.prefix, createdAt: isoTimeOf(token.createdAt) })),
  }));
}

/** @throws {UseCaseError} `user_not_found`. */
export async function findUser(context: WithLedger, given: string): Promise<UserDocument> {
  const name = normalName(given);
  return (await listUsers(context)).find((user) => user.name === name) ?? requireDone('missing', name);
}

export interface StepDownOptions {
  /** For commands of the machine, which can make an admin at any time: the last one may go. */
  readonly canBeLast?: boolean;
}

/** With all tokens and sessions. @throws {UseCaseError} `user_not_found`, `last_admin`. */
export async function removeUser(
  { ledger }: WithLedger,
  given: string,
  { canBeLast = false }: StepDownOptions = {},
): Promise<string> {
  const name = normalName(given);
  requireDone(await ledger.access.users.remove(name, canBeLast), name);
  return name;
}

/** @throws {UseCaseError} `user_not_found`, `last_admin`. */
export async function setRole(
  { ledger }: WithLedger,
  given: string,
  role: Role,
  { canBeLast = false }: StepDownOptions = {},
): Promise<string> {
  const name = normalName(given);
  requireDone(await ledger.access.users.change(name, { role }, canBeLast), name);
  return name;
}

/** Sets a password and ends the user's sessions. Tokens stay. @throws {UseCaseError} `user_not_found`, `password_invalid`. */
export async function setPassword({ ledger }: WithLedger, given: string, password: string): Promise<string> {
  const name = normalName(given);
  await requireUser({ ledger }, name);
  requireGoodPassword(password, name);
  const change = { password: await hashPassword(password), stamp: random() };
  requireDone(await ledger.access.users.change(name, change), name);
  return name;
}

/** @param name as stored. @throws {UseCaseError} `user_not_found`. */
export async function requireUser({ ledger }: WithLedger, name: string): Promise<User> {
  return (await ledger.access.users.find(name)) ?? requireDone('missing', name);
}

/** @throws {UseCaseError} for any other verdict. */
export function requireDone(verdict: Exclude<UserVerdict, 'done' | 'first'>, name: string): never;
export function requireDone(verdict: UserVerdict, name: string): void;
export function requireDone(verdict: UserVerdict, name: string): void {
  switch (verdict) {
    case 'done':
    case 'first':
      return;
    case 'exists':
      throw new UseCaseError('user_exists', `there is a user ${name} already`, {
        fix: [hint('setPassword', { user: name })],
      });
    case 'missing':
      throw new UseCaseError('user_not_found', `there is no user ${name}`, {
        fix: [hint('list', { what: 'users' })],
      });
    case 'last':
      throw new UseCaseError('last_admin', `the user ${name} is the only admin`, {
        fix: ['Make another user an admin first.', hint('addUser')],
      });
    case 'full':
      throw new UseCaseError('users_full', `there are already ${mostUsers} users, the limit`, {
        fix: 'Remove users who have left.',
      });
  }
}

function random(): string {
  return randomBytes(12).toString('base64url');
}
