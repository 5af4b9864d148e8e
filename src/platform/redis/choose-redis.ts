/** Chooses and opens the Redis of this process: that of `REDIS_URL`, else a private one under the data directory. */
import { type Redis, ReplyError } from 'ioredis';
import { describeRedisAddress, keyTag, parseRedisAddress, usualPrefix } from './address.ts';
import { RedisConnections, waitUntilReady } from './connections.ts';
import { checkDurability, type RedisDurability } from './durability.ts';
import { RedisUnreachableError, reasonOf } from './errors.ts';
import type { ConnectionOverrides } from './open-connection.ts';
import { openPrivateRedis } from './private/server.ts';
import { onceADay } from './warnings.ts';

/** Default time for a given Redis to answer. Milliseconds. */
const longestAnswerMs = 10_000;

export interface RedisServerOptions {
  /** One of the forms in `address.ts`; without it, a private server is shared or started. */
  readonly url?: string | undefined;
  /** Absolute path; the private server keeps its data in the folder `redis` there. */
  readonly dataDir: string;
  /** As `CAMPAIGNS_PREFIX`. */
  readonly prefix?: string | undefined;
  /** Receives messages for people: what may be lost, and when Redis stops and resumes answering. */
  readonly warn: (message: string) => void;
  /** How long a given server may take to answer at the start, in milliseconds; 10 seconds by default. */
  readonly answerMs?: number;
}

export interface RedisServer extends AsyncDisposable {
  /** Names the server, and a prefix that is not the usual one, for people; never holds a password. */
  readonly description: string;
  /** The hash tag that all our keys begin with, braces included. */
  readonly keyTag: string;
  readonly isPrivate: boolean;
  readonly durability: RedisDurability;
  readonly hasFailover: boolean;
  /** Aborted when a private server was stopped for good. Never aborted for a given server, which is waited for without limit. */
  readonly gone: AbortSignal;
  /** A new connection named `campaigns:<pid>:<purpose>`; commands wait while Redis is away. `close()` ends it. */
  connect(purpose: string, overrides?: ConnectionOverrides): Redis;
  /** As `findRefusal` in `refusal.ts`, on a connection of its own. */
  findRefusal(): Promise<Error | undefined>;
  /** Ends all connections made here, and a private server that nobody else uses. May be called again. */
  close(): Promise<void>;
}

/**
 * Opens the Redis of this process, and checks that it does not lose data.
 * @throws {RedisUrlError} for an invalid URL.
 * @throws {RedisUnreachableError} when nothing answers, or the password is refused.
 * @throws {RedisUnfitError} for a server that evicts keys or is too old.
 * @throws {RedisMissingError | PrivateRedisError} when no private server can be started.
 */
export async function openRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  return options.url === undefined ? await openPrivate(options) : await openGiven(options.url, options);
}

async function openPrivate({ dataDir, prefix, warn }: RedisServerOptions): Promise<RedisServer> {
  const tag = keyTag(prefix);
  const { anchor, connections, description, gone, close } = await openPrivateRedis(dataDir, warn, tag);
  try {
    const durability = await checkDurability(anchor, warn);
    return serverOf(connections, {
      description: withPrefix(description, prefix),
      keyTag: tag,
      isPrivate: true,
      durability,
      hasFailover: false,
      gone,
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function withPrefix(description: string, prefix = usualPrefix): string {
  return prefix === usualPrefix ? description : `${description}, prefix ${prefix}`;
}

function serverOf(
  connections: RedisConnections,
  facts: Omit<RedisServer, 'connect' | 'findRefusal' | typeof Symbol.asyncDispose>,
): RedisServer {
  return {
    ...facts,
    connect: (purpose, overrides) => connections.connect(purpose, overrides),
    findRefusal: () => connections.findRefusal(),
    [Symbol.asyncDispose]: facts.close,
  };
}

async function openGiven(
  url: string,
  { dataDir, prefix, warn, answerMs = longestAnswerMs }: RedisServerOptions,
): Promise<RedisServer> {
  const address = parseRedisAddress(url);
  const description = describeRedisAddress(address);
  const tag = keyTag(prefix);
  const connections = new RedisConnections(address, warn, tag);
  try {
    const connection = connections.connect('check');
    await waitUntilReady(connection, answerMs, description);
    const durability = await checkDurability(connection, warn, onceADay(dataDir, warn));
    connection.disconnect();
    return serverOf(connections, {
      description: withPrefix(description, prefix),
      keyTag: tag,
      isPrivate: false,
      durability,
      hasFailover: address.kind === 'sentinel' || address.kind === 'cluster',
      gone: new AbortController().signal,
      close: async () => connections.close(),
    });
  } catch (error) {
    connections.close();
    // Without the password, a server accepts the connection, then refuses every command.
    if (error instanceof ReplyError) throw new RedisUnreachableError(description, reasonOf(error));
    throw error;
  }
}
