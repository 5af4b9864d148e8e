/** The private Redis of a data directory, opened in this process or held by another one. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openRedisServer, type RedisServer } from '../../../src/platform/redis/choose-redis.ts';
import { stopPrivateRedis } from '../../../src/platform/redis/private/server.ts';
import { temporaryFolder } from '../folder.ts';
import { spawnNode, type TestProcess } from '../processes/child.ts';

/** A program that opens the Redis of a folder, and closes it when it gets SIGTERM. */
export const holder = new URL('redis-holder.ts', import.meta.url);

export function dataFolder(): string {
  const dataDir = temporaryFolder();
  // Before the folder is removed: ends a server that the test left running.
  onTestFinished(async () => void (await stopPrivateRedis(dataDir)));
  return dataDir;
}

export function open(dataDir: string): Promise<RedisServer> {
  return openRedisServer({ dataDir, warn: () => {} });
}

/** A process that holds the Redis of `dataDir`, and the process id of its server. */
export async function hold(dataDir: string): Promise<{ process: TestProcess; server: number }> {
  const process = spawnNode(holder, [dataDir]);
  const [, server] = await process.line(/^ready (\d+)$/);
  return { process, server: Number(server) };
}

export async function close(process: TestProcess): Promise<void> {
  process.kill('SIGTERM');
  expect(await process.end()).toEqual({ code: 0, signal: null });
}

/** Whether the folder has the record of a server; it is a link to nothing. */
export function hasRecord(dataDir: string): boolean {
  return readdirSync(join(dataDir, 'redis')).includes('server.pid');
}
