/** Tokens of programs. A token has the role of its user. */
import { type LedgerContext, LedgerPart } from '../part.ts';
import type { AccessKeys } from './keys.ts';
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

export class TokenLedger extends LedgerPart {
  readonly #tokens: string;

  constructor(context: LedgerContext, keys: AccessKeys) {
    super(context);
    this.#tokens = keys.tokens;
  }

  /** @param digest SHA-256 of the token, in hex. */
  async add(digest: string, { name, id }: User, prefix: string): Promise<Token> {
    const token: Token = { user: name, id, prefix, createdAt: this.now() };
    await this.redis.hset(this.#tokens, digest, JSON.stringify(token));
    return token;
  }

  /** All tokens, oldest first. */
  async list(): Promise<readonly Token[]> {
    const tokens = (await this.redis.hvals(this.#tokens)).map((text) => JSON.parse(text) as Token);
    return tokens.sort((one, other) => one.createdAt - other.createdAt);
  }

  /** @returns whether the user had such a token. */
  async remove(user: string, prefix: string): Promise<boolean> {
    for (const [digest, text] of Object.entries(await this.redis.hgetall(this.#tokens))) {
      const token = JSON.parse(text) as Token;
      if (token.user !== user || token.prefix !== prefix) continue;
      return (await this.redis.hdel(this.#tokens, digest)) === 1;
    }
    return false;
  }
}
