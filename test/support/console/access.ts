/** Users and sign-in on a ledger of the test's own, with a clock to set. */
import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../../src/app/access/passwords.ts';
import type { WithLedger } from '../../../src/app/access/users.ts';
import type { Role, User } from '../../../src/ledger/access/users.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { redisNamespace } from '../redis/redis.ts';

export const goodPassword = 'four words of a test';

export function openAccess() {
  const { redis, prefix } = redisNamespace();
  const clock = { now: Date.now() };
  const ledger = createLedger({ redis, prefix, now: () => clock.now });
  return { redis, prefix, clock, ledger };
}

/** Hashed once, at little cost: nobody compares the hashes of two users. */
let quickHash: Promise<string> | undefined;

/** Adds a user whose password is `goodPassword`. */
export async function quickUser({ ledger }: WithLedger, name: string, role: Role): Promise<User> {
  quickHash ??= hashPassword(goodPassword, { N: 2, r: 1, p: 1 });
  const password = await quickHash;
  const random = randomBytes(8).toString('hex');
  await ledger.access.users.add({ name, id: random, stamp: random, role, password });
  // The first one has become an admin.
  await ledger.access.users.change(name, { role }, true);
  const user = await ledger.access.users.find(name);
  if (user === undefined) throw new Error(`${name} was not added`);
  return user;
}
