/** Keys of users, their sessions and tokens, attempts to sign in, and the audit. All begin with the hash tag of `LedgerKeys`. */

export class AccessKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Hash: name to the JSON of a user. */
  get users(): string {
    return `${this.#prefix}:users`;
  }
  /** Hash: SHA-256 of a token to the JSON of its facts. */
  get tokens(): string {
    return `${this.#prefix}:tokens`;
  }
  /** Hash: user, stamp, times of a session. `digest` is the SHA-256 of the cookie's value. */
  session(digest: string): string {
    return `${this.#prefix}:session:${digest}`;
  }
  /** Stream: changes, oldest first. */
  get audit(): string {
    return `${this.#prefix}:audit`;
  }
  /** Stream: who signed in and out, oldest first. */
  get signIns(): string {
    return `${this.#prefix}:audit:sign-ins`;
  }
}
