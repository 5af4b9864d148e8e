/** Tokens of programs. A token has the role of its user. */
import { z } from 'zod';
import { LedgerPart } from '../part.ts';
import { readAllStored } from '../stored-json.ts';
import type { User } from './users.ts';

export interface Token {
  /** Name of the user. */
  readonly user: string;
  /** Id of the user. */
  readonly id: string;
  /** First characters of the token, to tell it from others. */
  readonly prefix: string;
  /** Unix epoch, milliseconds. */
  readonly createdAt: number;
}

const storedToken: z.ZodType<Token> = z.looseObject({
  user: z.string(),
  id: z.string(),
  prefix: z.string(),
  createdAt: z.number(),
});

export class TokenLedger extends LedgerPart {
  /** @param digest SHA-256 of the token, in hex. */
  async add(digest: string, { name, id }: User, prefix: string): Promise<Token> {
    const token: Token = { user: name, id, prefix, createdAt: this.now() };
    await this.redis.hset(this.keys.tokens, digest, JSON.stringify(token));
    return token;
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
