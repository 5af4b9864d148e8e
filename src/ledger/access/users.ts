/** Users of the console, and tokens of programs, which have the role of their user. */
import { z } from 'zod';
import { LedgerPart } from '../ledger-part.ts';
import { readAllStored, readStored } from '../stored-json.ts';

/** What each may do: `app/access/roles.ts`. */
export const roleSchema = z.enum(['viewer', 'editor', 'approver', 'operator', 'admin']);
export type Role = z.output<typeof roleSchema>;

const storedUser = z.object({
  name: z.string(),
  /** Random. A user who is removed and added again gets a new id, so that old tokens stay invalid. */
  id: z.string(),
  /** Random, and new with each password, so that sessions with the old password end. */
  stamp: z.string(),
  role: roleSchema,
  /** Hash of the password, with its parameters. */
  password: z.string(),
  /** Unix epoch, milliseconds. */
  createdAt: z.number(),
});
export type User = Readonly<z.infer<typeof storedUser>>;

/** `first`: done, as an admin. `last`: no admin would be left. `full`: there are too many users. */
export type UserVerdict = 'done' | 'first' | 'exists' | 'missing' | 'last' | 'full';

export const mostUsers = 200;

export class UserLedger extends LedgerPart {
  /** The first one becomes an admin. */
  add(user: Omit<User, 'createdAt'>): Promise<UserVerdict> {
    return this.#change('add', user.name, { ...user, createdAt: this.now() });
  }

  /** @param canBeLast allows another role for the only admin. */
  change(
    name: string,
    change: Partial<Pick<User, 'role' | 'password' | 'stamp'>>,
    canBeLast = false,
  ): Promise<UserVerdict> {
    return this.#change('change', name, change, canBeLast);
  }

  /** Removes a user with all tokens, and ends their sessions. @param canBeLast allows removing the only admin. */
  remove(name: string, canBeLast: boolean): Promise<UserVerdict> {
    return this.#change('remove', name, {}, canBeLast);
  }

  async find(name: string): Promise<User | undefined> {
    return readStored(storedUser, await this.redis.hget(this.keys.users, name));
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
    const args = [what, name, JSON.stringify(facts), canBeLast ? '1' : '', mostUsers];
    return this.run('access/change-user', args);
  }
}

const storedToken = z.object({
  user: z.string(),
  id: z.string(),
  /** First characters of the token, to tell it from others. */
  prefix: z.string(),
  /** Unix epoch, milliseconds. */
  createdAt: z.number(),
});
type Token = Readonly<z.infer<typeof storedToken>>;

/** `full`: the user has as many as possible. `changed`: another number than expected. `missing`: the user is gone. */
export type TokenVerdict = 'done' | 'full' | 'changed' | 'missing';

export class TokenLedger extends LedgerPart {
  /** @param digest SHA-256 of the token, in hex. @param has number of tokens that the user should have now; default: any. */
  add(
    digest: string,
    { name, id }: User,
    { prefix, most, has = -1 }: { prefix: string; most: number; has?: number | undefined },
  ): Promise<TokenVerdict> {
    const token: Token = { user: name, id, prefix, createdAt: this.now() };
    return this.run('access/add-token', [digest, JSON.stringify(token), most, has]);
  }

  /** All tokens, oldest first. */
  async list(): Promise<readonly Token[]> {
    const tokens = (await this.#all()).map(([, token]) => token);
    return tokens.sort((one, other) => one.createdAt - other.createdAt);
  }

  /** @returns whether the user had such a token. */
  async remove(user: string, prefix: string): Promise<boolean> {
    for (const [digest, token] of await this.#all()) {
      if (token.user !== user || token.prefix !== prefix) continue;
      return (await this.redis.hdel(this.keys.tokens, digest)) === 1;
    }
    return false;
  }

  /** By digest. */
  async #all(): Promise<readonly (readonly [string, Token])[]> {
    return readAllStored(storedToken, Object.entries(await this.redis.hgetall(this.keys.tokens)));
  }
}
