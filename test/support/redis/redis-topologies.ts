/** Groups of real redis-servers on loopback: replicas under Sentinel, and a cluster. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { TestContext } from 'vitest';
import { waitUntil } from '../events.ts';
import { freePort } from '../ports.ts';
import { needsRedisWith } from './redis-features.ts';
import { startRedisServer, type TestRedisServer } from './redis-server.ts';

type Owner = Pick<TestContext, 'onTestFinished'>;

export interface RedisNode extends TestRedisServer {
  readonly port: number;
  readonly folder: string;
  /** Restarts it in its folder after a stop. */
  restart(): Promise<void>;
}

/** Settings of every server of a topology. */
export const durable = {
  appendonly: 'yes',
  appendfsync: 'always',
  'repl-diskless-sync-delay': '0',
  'maxmemory-policy': 'noeviction',
} as const;

/** A server in its own folder under `folder`, until the test ends. */
export async function redisNode(
  folder: string,
  test: Owner,
  settings: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  port?: number,
): Promise<RedisNode> {
  const own = port ?? (await freePort());
  const home = join(folder, `redis-${own}`);
  mkdirSync(home);
  const all = { port: String(own), ...settings };
  let server = await startRedisServer(home, all, flags);
  test.onTestFinished(() => server.stop('SIGKILL'));
  return {
    port: own,
    folder: home,
    get child() {
      return server.child;
    },
    get pid() {
      return server.pid;
    },
    stop: (signal) => server.stop(signal),
    async restart() {
      server = await startRedisServer(home, all, flags);
    },
  };
}

/** The part of the append-only file that a server writes to. */
export function incrementalFile({ folder }: RedisNode): string {
  const manifest = readFileSync(join(folder, 'appendonlydir/appendonly.aof.manifest'), 'utf8');
  const name = /file (\S+) seq \d+ type i/.exec(manifest)?.[1];
  if (!name) throw new Error(`no incremental file in ${manifest}`);
  return join(folder, 'appendonlydir', name);
}

export interface SentinelGroup {
  readonly url: string;
  readonly master: RedisNode;
  readonly replicas: readonly RedisNode[];
  /** Waits until a replica has taken over. */
  failedOver(): Promise<void>;
}

/** A master with replicas, watched by three sentinels that agree. */
export async function sentinelGroup(
  folder: string,
  test: Owner,
  replicaCount: number,
): Promise<SentinelGroup> {
  const master = await redisNode(folder, test, durable);
  const following = { ...durable, replicaof: `127.0.0.1 ${master.port}` };
  const replicas = await Promise.all(
    Array.from({ length: replicaCount }, () => redisNode(folder, test, following)),
  );
  const watching = {
    'sentinel monitor': `main 127.0.0.1 ${master.port} 2`,
    'sentinel down-after-milliseconds': 'main 1500',
    'sentinel failover-timeout': 'main 5000',
  };
  const sentinels = await Promise.all([1, 2, 3].map(() => redisNode(folder, test, watching, ['--sentinel'])));
  const [first] = sentinels;
  if (!first) throw new Error('no sentinel');
  const observer = observe(first.port, test);
  const info = async () => (await observer.info('sentinel')) as string;
  await waitUntil(
    async () => new RegExp(`slaves=${replicaCount},sentinels=3`).test(await info()),
    'the sentinels to know each other',
  );
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/main`,
    master,
    replicas,
    failedOver: async () => {
      await waitUntil(
        async () => !(await info()).includes(`address=127.0.0.1:${master.port}`),
        'a replica to take over',
      );
    },
  };
}

export interface RedisCluster {
  readonly url: string;
  /** The master that holds a key. */
  holderOf(key: string): Promise<RedisNode>;
}

/** Three masters with a replica each. Skips the test where the redis-server of this machine has no cluster. */
export async function redisCluster(folder: string, test: TestContext): Promise<RedisCluster> {
  needsRedisWith('cluster', test);
  const settings = { ...durable, 'cluster-enabled': 'yes', 'cluster-node-timeout': '5000' };
  const nodes: RedisNode[] = [];
  for (let count = 0; count < 6; count++) {
    nodes.push(await redisNode(folder, test, settings, [], await clusterPort()));
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await promisify(execFile)('redis-cli', [
    ...['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'],
  ]);
  const observers = nodes.map(({ port }) => observe(port, test));
  await waitUntil(async () => {
    const states = await Promise.all(observers.map((node) => node.cluster('INFO') as Promise<string>));
    const replication = await Promise.all(observers.map((node) => node.info('replication')));
    return (
      states.every((state) => /cluster_state:ok/.test(state)) &&
      replication.filter((text) => /master_link_status:up/.test(text)).length === 3
    );
  }, 'the cluster to be up');
  return {
    url: `redis+cluster://${addresses.join(',')}`,
    async holderOf(key) {
      const [observer] = observers;
      const slot = (await observer?.cluster('KEYSLOT', key)) as number;
      const ranges = (await observer?.cluster('SLOTS')) ?? [];
      const [, , master] = ranges.find(([first, last]) => first <= slot && slot <= last) ?? [];
      const node = nodes.find(({ port }) => port === master?.[1]);
      if (!node) throw new Error(`no node holds ${key}`);
      return node;
    },
  };
}

function observe(port: number, test: Owner): Redis {
  const connection = new Redis({ host: '127.0.0.1', port });
  connection.on('error', () => undefined);
  test.onTestFinished(() => connection.disconnect());
  return connection;
}

/** A free port whose cluster bus port (10,000 higher) is also free. */
async function clusterPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port + 10_000 <= 65_535 && (await isFree(port + 10_000))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
