/**
 * Rows a second of the runner against the bare pipeline, on the same rows, service and Redis settings.
 *
 *     node bench/pipeline.ts [rows] [rounds]
 *
 * The machine drifts, so the two take turns, and ratios are taken within a round.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRows, type Shape, writeFiles, writeRows } from './rows.ts';
import { median, printTable } from './table.ts';

interface Measured {
  readonly seconds: number;
  readonly waitingBytes?: number;
  readonly endedBytes?: number;
  readonly cpuSeconds?: number;
  readonly counts?: Readonly<Record<string, number>>;
}

const shapes = (rows: number): Readonly<Record<string, Shape>> => ({
  'distinct files and products': { rows, files: rows, creators: 50, products: rows },
  'rows that share 200 files, 50 creators, 20 products': { rows, files: 200, creators: 50, products: 20 },
});

/** The settings of the private Redis: every change is on disk before it is answered. */
const redisArguments = ['--port', '0', '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];

async function startRedis(folder: string): Promise<{ socket: string; process: ChildProcess }> {
  const socket = join(folder, 'redis.sock');
  const server = spawn('redis-server', [...redisArguments, '--unixsocket', socket, '--dir', folder], {
    stdio: 'ignore',
  });
  while (!existsSync(socket)) await sleep(20);
  return { socket, process: server };
}

async function startService(): Promise<{ address: string; process: ChildProcess }> {
  const service = fork(new URL('./stand-in.ts', import.meta.url).pathname);
  const [{ address }] = (await once(service, 'message')) as [{ address: string }];
  return { address, process: service };
}

/** One measurement: a service, a Redis and a process of their own. */
async function measure(program: 'bare-pipeline' | 'runner-pipeline', folder: string): Promise<Measured> {
  const data = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const service = await startService();
  const redis = await startRedis(data);
  try {
    const { socket } = redis;
    const { address } = service;
    const manifest = join(folder, 'rows.csv');
    const given = { address, socket, folder, manifest };
    const child = fork(new URL(`./${program}.ts`, import.meta.url).pathname, [], {
      env: { ...process.env, BENCH: JSON.stringify(given) },
    });
    const [measured] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`))),
    ])) as [Measured];
    return measured;
  } finally {
    service.process.disconnect();
    redis.process.kill();
    await once(redis.process, 'exit');
    await rm(data, { recursive: true });
  }
}

export async function benchPipeline(rows: number, rounds: number): Promise<void> {
  for (const [name, shape] of Object.entries(shapes(rows))) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-rows-'));
    try {
      await writeFiles(folder, shape.files);
      await writeRows(folder, makeRows(shape));
      await compare(
        name,
        rounds,
        () => measure('bare-pipeline', folder),
        () => measure('runner-pipeline', folder),
        rows,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  }
}

async function compare(
  name: string,
  rounds: number,
  bare: () => Promise<Measured>,
  runner: () => Promise<Measured>,
  rows: number,
): Promise<void> {
  const pairs: { bare: Measured; runner: Measured }[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push({ bare: await bare(), runner: await runner() });
  const rate = (each: Measured) => rows / each.seconds;
  const last = pairs.at(-1)?.runner;
  if (last?.counts?.posted !== rows)
    throw new Error(`not all rows were posted: ${JSON.stringify(last?.counts)}`);
  printTable(
    `${rows.toLocaleString('en')} ${name}`,
    ['rows/s', 'ratio'],
    [
      ['bare pipeline', [median(pairs.map((pair) => rate(pair.bare))).toFixed(0), '1.00']],
      [
        'runner',
        [
          median(pairs.map((pair) => rate(pair.runner))).toFixed(0),
          median(pairs.map((pair) => rate(pair.runner) / rate(pair.bare))).toFixed(2),
        ],
      ],
    ],
  );
  const bytes = (pick: (each: Measured) => number | undefined) =>
    median(pairs.map(({ runner }) => pick(runner) ?? 0)).toFixed(0);
  process.stdout.write(
    `Redis: ${bytes((each) => each.waitingBytes)} bytes a waiting row, ${bytes((each) => each.endedBytes)} an ended row\n\n`,
  );
}

if (import.meta.main) await benchPipeline(Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 3));
