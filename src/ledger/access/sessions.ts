/** Sessions of browsers, and who is behind the credential of a request. */
import { LedgerPart } from '../ledger-part.ts';
import { type Role, roleSchema, type User } from './users.ts';

/** The credential of a request: the SHA-256 of the secret, in hex. */
interface Credential {
  readonly kind: 'session' | 'token';
  readonly digest: string;
}

export interface Who {
  readonly hasUsers: boolean;
  /** Undefined if the credential is missing, void or has ended. */
  readonly user: { readonly name: string; readonly role: Role } | undefined;
}

const minuteMs = 60_000;

/** A session ends after a working day without use, and after a week in any case. */
export const sessionTimes = { idleMs: 8 * 60 * minuteMs, longestMs: 7 * 24 * 60 * minuteMs } as const;

/** Use is recorded at most once in this time, so that not every request writes. */
const noteMs = minuteMs;

export class SessionLedger extends LedgerPart {
  async start(digest: string, { name, stamp }: User): Promise<void> {
    const now = this.now();
    const key = this.keys.session(digest);
    const facts = { user: name, stamp, created: now, seen: now };
    await this.exec(this.redis.pipeline().hset(key, facts).pexpire(key, sessionTimes.idleMs));
  }

  async end(digest: string): Promise<void> {
    await this.redis.del(this.keys.session(digest));
  }

  /** @param isUse false if the look-up must not keep the session alive. */
  async who(credential: Credential | undefined, isUse = true): Promise<Who> {
    const { idleMs, longestMs } = sessionTimes;
    const [users, name, role] = await this.run<[number, string?, string?]>('access/who', [
      credential?.kind ?? '',
      credential?.digest ?? '',
      this.now(),
      idleMs,
      longestMs,
      isUse ? noteMs : longestMs,
    ]);
    // A damaged record is nobody.
    const known = roleSchema.safeParse(role).data;
    return {
      hasUsers: users > 0,
      user: name !== undefined && known !== undefined ? { name, role: known } : undefined,
    };
  }
}
