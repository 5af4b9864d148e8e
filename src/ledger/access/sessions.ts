/** Sessions of browsers, and the look-up of the person behind a session or a token. */
import { type LedgerContext, LedgerPart } from '../part.ts';
import type { AccessKeys } from './keys.ts';
import type { Role, User } from './users.ts';

/** The credential of a request: the SHA-256 of the secret, in hex. */
export interface Credential {
  readonly kind: 'session' | 'token';
  readonly digest: string;
}

export interface Who {
  /** Whether there is any user. */
  readonly hasUsers: boolean;
  /** Undefined if the credential is missing, void or has ended. */
  readonly user: { readonly name: string; readonly role: Role } | undefined;
}

export interface SessionTimes {
  /** A session ends when it was not used for this long, in milliseconds. */
  readonly idleMs: number;
  /** It ends after this long in any case, in milliseconds. */
  readonly longestMs: number;
}

/** Use is recorded at most once in this time, so that not every request writes. */
const noteMs = 60_000;

export class SessionLedger extends LedgerPart {
  readonly #keys: AccessKeys;

  constructor(context: LedgerContext, keys: AccessKeys) {
    super(context);
    this.#keys = keys;
  }

  async start(digest: string, { name, stamp }: User, { idleMs }: SessionTimes): Promise<void> {
    const now = this.now();
    const key = this.#keys.session(digest);
    await this.exec(
      this.redis.pipeline().hset(key, { user: name, stamp, created: now, seen: now }).pexpire(key, idleMs),
    );
  }

  async end(digest: string): Promise<void> {
    await this.redis.del(this.#keys.session(digest));
  }

  /** @param isUse false if the look-up must not keep the session alive. */
  async who(
    credential: Credential | undefined,
    { idleMs, longestMs }: SessionTimes,
    isUse = true,
  ): Promise<Who> {
    const [users, name, role] = await this.run<[number, string?, Role?]>('access/who', [
      credential?.kind ?? '',
      credential?.digest ?? '',
      this.now(),
      idleMs,
      longestMs,
      isUse ? noteMs : longestMs,
    ]);
    return {
      hasUsers: users > 0,
      user: name !== undefined && role !== undefined ? { name, role } : undefined,
    };
  }
}
