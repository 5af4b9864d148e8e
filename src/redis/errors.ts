/**
 * Why Redis cannot be used, one class per meaning. None of them ever holds a password: the errors of the client carry
 * the arguments of AUTH, so only their code and text are taken over, never the objects themselves.
 */

export abstract class RedisError extends Error {
  /** What a person can do about it. */
  readonly cure: string;

  constructor(message: string, cure: string) {
    super(`${message}\n${cure}`);
    this.name = new.target.name;
    this.cure = cure;
  }
}

/** `REDIS_URL` cannot be read. The text of the URL is left out: it may hold a password. */
export class RedisUrlError extends RedisError {
  constructor(problem: string) {
    super(
      `REDIS_URL: ${problem}`,
      'It must look like redis://host:6379/0, rediss://..., unix:///path/to.sock, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379.',
    );
  }
}

/** Nothing usable answered at the address before the deadline. */
export class RedisUnreachableError extends RedisError {
  readonly reason: string;

  constructor(description: string, reason: string, cure = 'Check that it runs and REDIS_URL names it.') {
    super(`${description} cannot be used: ${reason}`, cure);
    this.reason = reason;
  }
}

/** The server would lose or evict what must not be lost. */
export class RedisUnfitError extends RedisError {
  readonly problem: 'eviction' | 'version';

  constructor(problem: RedisUnfitError['problem'], message: string, cure: string) {
    super(message, cure);
    this.problem = problem;
  }
}

/** Neither redis-server nor valkey-server is on this machine. */
export class RedisMissingError extends RedisError {
  constructor(platform: NodeJS.Platform) {
    super(
      'Neither redis-server nor valkey-server is on this machine.',
      platform === 'darwin'
        ? 'Install one with: brew install redis   (or name a server in REDIS_URL)'
        : 'Install one with: sudo apt-get install redis-server   (or name a server in REDIS_URL)',
    );
  }
}

/** The private server did not start, or the one that holds the directory does not answer. */
export class PrivateRedisError extends RedisError {}

/** The text of an error of the client, without its arguments. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (error.message === '') return code ?? error.name;
  return code && !error.message.includes(code) ? `${code}: ${error.message}` : error.message;
}
