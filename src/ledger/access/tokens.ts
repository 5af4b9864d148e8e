/** Tokens of programs. A token has the role of its user. */
import { z } from 'zod';
import { LedgerPart } from '../part.ts';
import { readAllStored } from '../stored-json.ts';
import type { User } from './users.ts';

export interface Token {
  readonly user: string;
  readonly id: string;
  /** First characters of the token, to tell it from others. */
  readonly prefix: string;
  /** Unix epoch, milliseconds. */
  readonly createdAt: number;
}

/** `full`: the user has as many as possible. `changed`: another number than expected. `missing`: the user is gone. */
export type TokenVerdict = 'done' | 'full' | 'changed' | 'missing';

export interface NewTokenFacts {
  readonly prefix: string;
  readonly most: number;
  readonly has?: number | undefined;
}

const storedToken: z.ZodType<Token> = z.looseObject({
  user: z.string(),
  id: z.string(),
  prefix: z.string(),
  createdAt: z.number(),
});

export class TokenLedger extends LedgerPart {
  /** @param digest SHA-256 of the token, in hex. @param has number of tokens that the user should have now; default: any. */
  add(digest: string, { name, id }: User, { prefix, most, has = -1 }: NewTokenFacts): Promise<TokenVerdict> {
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
