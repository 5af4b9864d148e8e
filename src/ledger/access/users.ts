/** Users of the console. */
import { z } from 'zod';
import { LedgerPart } from '../part.ts';
import { readAllStored, readStored } from '../stored-json.ts';

/** `viewer` reads, `operator` changes. */
export type Role = 'viewer' | 'operator';

export interface User {
  readonly name: string;
  /** Random. A user who is removed and added again gets a new id, so that old tokens stay invalid. */
  readonly id: string;
  /** Random, and new with each password, so that sessions with the old password end. */
  readonly stamp: string;
  readonly role: Role;
  /** Hash of the password, with its parameters. */
  readonly password: string;
  /** Unix epoch, milliseconds. */
  readonly createdAt: number;
}

export type UserChange = Partial<Pick<User, 'role' | 'password' | 'stamp'>>;

/** `last`: no operator would be left. `full`: there are too many users. */
export type UserVerdict = 'done' | 'exists' | 'missing' | 'last' | 'full';

export const mostUsers = 200;

const storedUser: z.ZodType<User> = z.looseObject({
  name: z.string(),
  id: z.string(),
  stamp: z.string(),
  role: z.enum(['viewer', 'operator']),
  password: z.string(),
  createdAt: z.number(),
});

export class UserLedger extends LedgerPart {
  add(user: Omit<User, 'createdAt'>): Promise<UserVerdict> {
    return this.#change('add', user.name, { ...user, createdAt: this.now() });
  }

  change(name: string, change: UserChange): Promise<UserVerdict> {
    return this.#change('change', name, change);
  }

  /** Also removes the user's tokens, and ends their sessions. @param canBeLast allows removing an operator who is the only user. */
  remove(name: string, canBeLast: boolean): Promise<UserVerdict> {
    return this.#change('remove', name, {}, canBeLast);
  }

  async find(name: string): Promise<User | undefined> {
    const text = await this.redis.hget(this.keys.users, name);
    return readStored(storedUser, text);
  }

  count(): Promise<number> {
    return this.redis.hlen(this.keys.users);
  }

  /** All users, by name. */
  async list(): Promise<readonly User[]> {
    const found = readAllStored(storedUser, Object.entries(await this.redis.hgetall(this.keys.users)));
    return found.map(([, user]) => user).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  #change(what: string, name: string, facts: object, canBeLast = false): Promise<UserVerdict> {
    return this.run('access/change-user', [
      what,
      name,
      JSON.stringify(facts),
      canBeLast ? '1' : '',
      mostUsers,
    ]);
  }
}
