/** A Redis for one benchmark, on a socket in a folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** `BENCH_FSYNC=always` is the setting of the private Redis; the speed and the noise of the disk then decide. */
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

/** Processor time of the server so far. */
export async function redisCpuSeconds(socket: string): Promise<number> {
  const redis = new Redis({ path: socket });
  const info = await redis.info('cpu');
  redis.disconnect();
  const seconds = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return seconds('used_cpu_user') + seconds('used_cpu_sys');
}
