/** The Redis of the test run, with a namespace for each test. */
import { randomBytes } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { inject, onTestFinished, type TestContext } from 'vitest';

export interface RedisNamespace {
  /** Key prefix of this test, a hash tag: `{t-1f2e3d4c}`. */
  readonly prefix: string;
  /** For `REDIS_URL` of a child process, and `openRedisServer`. */
  readonly url: string;
  /** A connection for the test; it ends with the test. */
  readonly redis: Redis;
  /** Opens another connection; it ends with the test. */
  connect(overrides?: Omit<RedisOptions, 'replyMapping'>): Redis;
}

/**
 * A namespace in the Redis of the run, for one test. Its keys are deleted afterwards. If the test fails, they are printed and
 * kept until the run ends.
 * @param test required if tests run side by side.
 */
export function redisNamespace(
  test: Pick<TestContext, 'onTestFinished'> = { onTestFinished },
): RedisNamespace {
  const { end, ...namespace } = openNamespace();
  // Hooks for failed tests run later, so check for a failure here.
  test.onTestFinished(({ task }) => end(task.result?.state === 'fail'));
  return namespace;
}

/** As `redisNamespace`, for tests that share what they only read: `end` it after the last of them. */
export function openNamespace(): RedisNamespace & { end(hasFailed?: boolean): Promise<void> } {
  const path = inject('redisSocket');
  const prefix = `{t-${randomBytes(4).toString('hex')}}`;
  const connections: Redis[] = [];

  function connect(overrides: Omit<RedisOptions, 'replyMapping'> = {}): Redis {
    const connection = new Redis({ path, maxRetriesPerRequest: null, ...overrides });
    connection.on('error', () => {});
    connections.push(connection);
    return connection;
  }

  async function end(hasFailed = false): Promise<void> {
    if (hasFailed) await printKeys(path, prefix);
    else await deleteKeys(path, prefix);
    for (const connection of connections) connection.disconnect();
  }
  return { prefix, url: `unix://${path}`, redis: connect(), connect, end };
}

/** The keys of a namespace, in order. */
export async function keysOf(redis: Redis, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const batch of redis.scanStream({ match: `${prefix}*`, count: 1000 }))
    keys.push(...(batch as string[]));
  return [...new Set(keys)].sort();
}

async function deleteKeys(path: string, prefix: string): Promise<void> {
  await withConnection(path, async (redis) => {
    const keys = await keysOf(redis, prefix);
    for (let start = 0; start < keys.length; start += 500)
      await redis.unlink(...keys.slice(start, start + 500));
  });
}

async function printKeys(path: string, prefix: string): Promise<void> {
  await withConnection(path, async (redis) => {
    const lines = [`keys of the failed test (${prefix}):`];
    for (const key of (await keysOf(redis, prefix)).slice(0, 100))
      lines.push(`  ${await redis.type(key)} ${key}`);
    process.stderr.write(`${lines.join('\n')}\n`);
  });
}

/** Uses its own connection: the test may have closed the other. */
async function withConnection(path: string, work: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = new Redis({ path });
  try {
    await work(redis);
  } finally {
    redis.disconnect();
  }
}
