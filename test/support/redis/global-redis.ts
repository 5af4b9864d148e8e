/** One real Redis for the whole run: append-only, in its own folder, on a Unix socket. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { socketIn, startRedisServer } from './redis-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    redisSocket: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'campaigns-redis-'));
  const server = await startRedisServer(folder, {
    unixsocket: socketIn(folder),
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
  });
  project.provide('redisSocket', socketIn(folder));
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
