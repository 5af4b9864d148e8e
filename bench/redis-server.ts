/** A Redis of a benchmark's own, on a socket in a folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The same for all. `BENCH_FSYNC=always` is what the private Redis uses: then the disk decides, and noise with it. */
const redisArguments = [
  '--port',
  '0',
  '--save',
  '',
  '--appendonly',
  'yes',
  '--appendfsync',
  process.env.BENCH_FSYNC ?? 'everysec',
];

export async function startRedis(folder: string): Promise<{ socket: string; process: ChildProcess }> {
  const socket = join(folder, 'redis.sock');
  const server = spawn('redis-server', [...redisArguments, '--unixsocket', socket, '--dir', folder], {
    stdio: 'ignore',
  });
  while (!existsSync(socket)) await sleep(20);
  return { socket, process: server };
}
