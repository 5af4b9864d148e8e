/** Users and sign-in on a ledger of the test's own, with a clock to set. */
import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../src/access/passwords.ts';
import type { WithLedger } from '../../src/access/users.ts';
import type { Role, User } from '../../src/ledger/access/users.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { redisNamespace } from './redis.ts';

export const goodPassword = 'four words of a test';

export function openAccess() {
  const { redis, prefix } = redisNamespace();
  const clock = { now: Date.now() };
  const ledger = createLedger({ redis, prefix, now: () => clock.now });
  return { redis, prefix, clock, ledger };
}

/** Adds a user whose password, `goodPassword`, is hashed at little cost. */
export async function quickUser({ ledger }: WithLedger, name: string, role: Role): Promise<User> {
  const password = await hashPassword(goodPassword, { N: 2, r: 1, p: 1 });
  const random = randomBytes(8).toString('hex');
  await ledger.access.users.add({ name, id: random, stamp: random, role, password });
  const user = await ledger.access.users.find(name);
  if (user === undefined) throw new Error(`${name} was not added`);
  return user;
}
