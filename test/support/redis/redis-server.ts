/** Starts real redis-servers for tests: each in its own folder, on loopback or a Unix socket. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { TestContext } from 'vitest';

export interface TestRedisServer {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Ends it by its id, and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts one in `folder` and waits until it answers.
 * @param settings lines of redis.conf by name; must have `port` or `unixsocket`.
 * @param flags of the command line, such as `--sentinel`.
 */
export async function startRedisServer(
  folder: string,
  settings: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<TestRedisServer> {
  const isStore = !flags.includes('--sentinel');
  const all: Record<string, string> = {
    port: '0',
    dir: folder,
    bind: '127.0.0.1',
    ...(isStore ? { save: '""' } : {}),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} ${value}\n`);
  writeFileSync(join(folder, 'redis.conf'), lines.join(''));
  const child = spawn('redis-server', ['redis.conf', ...flags], { cwd: folder, stdio: 'ignore' });
  const exit = once(child, 'exit');
  await untilItAnswers(all, exit);
  return {
    child,
    pid: child.pid ?? 0,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await exit;
    },
  };
}

async function untilItAnswers(settings: Record<string, string>, exit: Promise<unknown>): Promise<void> {
  const probe = new Redis({
    ...(settings.unixsocket
      ? { path: settings.unixsocket }
      : { host: '127.0.0.1', port: Number(settings.port) }),
    ...(settings.requirepass ? { password: settings.requirepass } : {}),
    retryStrategy: () => 20,
    lazyConnect: true,
  });
  probe.on('error', () => {});
  const failed = exit.then(() => {
    throw new Error(`redis-server ended at once: ${JSON.stringify(settings)}`);
  });
  try {
    // Not `once`, which rejects at the first error: each try before the socket exists is one.
    const ready = new Promise((resolve) => probe.on('ready', resolve));
    void probe.connect().catch(() => {});
    await Promise.race([ready, failed]);
  } finally {
    probe.disconnect();
  }
}

/** The socket of a server; the path of its folder must be short enough. */
export function socketIn(folder: string): string {
  return join(folder, 'r.sock');
}

/** Starts one that suits the ledger, on a socket in `folder`, until the test ends. @returns its URL for `REDIS_URL`. */
export async function startLedgerRedis(
  test: Pick<TestContext, 'onTestFinished'>,
  folder: string,
): Promise<{ readonly url: string; readonly server: TestRedisServer }> {
  const server = await startRedisServer(folder, {
    unixsocket: socketIn(folder),
    appendonly: 'yes',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
  });
  // If it is frozen, no other signal reaches it.
  test.onTestFinished(() => server.stop('SIGKILL'));
  return { url: `unix://${socketIn(folder)}`, server };
}
