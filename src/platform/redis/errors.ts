/**
 * Reasons why Redis cannot be used, one class each. No error contains a password: errors of the client have the arguments of
 * AUTH, so only their code and text are copied.
 */

export abstract class RedisError extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(`${message}\n${fix}`);
    this.name = new.target.name;
    this.fix = fix;
  }
}

/** `REDIS_URL` is invalid. The message leaves the URL out: it may hold a password. */
export class RedisUrlError extends RedisError {
  constructor(problem: string) {
    super(
      `REDIS_URL: ${problem}`,
      'It must look like redis://host:6379/0, rediss://..., unix:///path/to.sock, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379.',
    );
  }
}

const loginFaults = [
  {
    reply: /^(WRONGPASS|ERR invalid password)/,
    what: 'refuses the password or the user name.',
    fix: 'Fix them in REDIS_URL (redis://user:password@host). Special characters must be percent-encoded.',
  },
  {
    reply: /^NOAUTH/,
    what: 'asks for a password, and REDIS_URL has none.',
    fix: 'Put it into REDIS_URL: redis://:password@host, or redis://user:password@host.',
  },
] as const;

/** Nothing usable answered at the address before the deadline. */
export class RedisUnreachableError extends RedisError {
  readonly reason: string;

  constructor(description: string, reason: string) {
    const login = loginFaults.find(({ reply }) => reply.test(reason));
    if (login) super(`${description} ${login.what}`, login.fix);
    else
      super(
        `${description} cannot be used: ${reason}`,
        'Check that Redis is running, and that REDIS_URL points to it.',
      );
    this.reason = reason;
  }
}

/** The server would lose or evict what must not be lost. */
export class RedisUnfitError extends RedisError {}

export class RedisMissingError extends RedisError {
  constructor(platform: NodeJS.Platform) {
    const install = platform === 'darwin' ? 'brew install redis' : 'sudo apt-get install redis-server';
    super(
      'Neither redis-server nor valkey-server is installed on this machine.',
      `Name a server in REDIS_URL, or install one:\n  ${install}`,
    );
  }
}

/** The private server could not be started, ended or locked. */
export class PrivateRedisError extends RedisError {}

/** The text of a client error, without its arguments. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (error.message === '') return code ?? error.name;
  return code && !error.message.includes(code) ? `${code}: ${error.message}` : error.message;
}
