/**
 * Rows a second of the runner against the bare pipeline, on the same rows, service and Redis settings.
 *
 *     node bench/pipeline.ts [rows] [rounds] [part of the name]
 *
 * The speed of the machine drifts, so the two take turns, and ratios compare within a round.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launcherFlags } from './apart.ts';
import { redisCpuSeconds, startRedis } from './redis-server.ts';
import { makeRows, type Shape, writeFiles, writeRows } from './rows.ts';
import { median, printTable } from './table.ts';

interface Measured {
  readonly seconds: number;
  readonly waitingBytes?: number;
  readonly endedBytes?: number;
  /** State and result, of `endedBytes`. */
  readonly resultBytes?: number;
  /** Bytes that the queues keep at the end, for any number of rows. */
  readonly queueBytes?: number;
  /** CPU time of the process and of Redis: steadier than the wall clock on a busy machine. */
  readonly cpuSeconds: number;
  readonly redisSeconds: number;
  readonly counts?: Readonly<Record<string, number>>;
}

const shapes = (rows: number): Readonly<Record<string, Shape>> => ({
  'distinct files and products': { rows, files: rows, creators: 50, products: rows },
  'rows that share 200 files, 50 creators, 20 products': { rows, files: 200, creators: 50, products: 20 },
});

/** Starts a stand-in for the service, which ends when its IPC channel is closed. */
export async function startService(thinkMs = 0): Promise<{ address: string; process: ChildProcess }> {
  const service = fork(new URL('./stand-in.ts', import.meta.url).pathname, [], {
    env: { ...process.env, THINK_MS: String(thinkMs) },
  });
  const [{ address }] = (await once(service, 'message')) as [{ address: string }];
  return { address, process: service };
}

/** When the calls of a stand-in came since it was asked last: Unix milliseconds, by path. */
export async function callsOf(service: ChildProcess): Promise<Readonly<Record<string, readonly number[]>>> {
  service.send('calls');
  const [{ calls }] = (await once(service, 'message')) as [{ calls: Record<string, number[]> }];
  return calls;
}

/** One measurement, with its own service, Redis and process. */
async function measure(program: 'bare-pipeline' | 'runner-pipeline', folder: string): Promise<Measured> {
  const data = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const service = await startService(Number(process.env.THINK_MS ?? 0));
  const redis = await startRedis(data);
  try {
    const { socket } = redis;
    const { address } = service;
    const manifest = join(folder, 'rows.csv');
    const given = { address, socket, folder, manifest };
    const child = fork(new URL(`./${program}.ts`, import.meta.url).pathname, [], {
      env: { ...process.env, BENCH: JSON.stringify(given) },
      execArgv: [
        ...launcherFlags,
        ...(process.env.BENCH_PROFILE ? ['--cpu-prof', '--cpu-prof-dir', process.env.BENCH_PROFILE] : []),
      ],
    });
    const [measured] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`))),
    ])) as [Measured];
    return { ...measured, redisSeconds: await redisCpuSeconds(socket) };
  } finally {
    service.process.disconnect();
    redis.process.kill();
    await once(redis.process, 'exit');
    await rm(data, { recursive: true });
  }
}

export async function benchPipeline(rows: number, rounds: number, only = ''): Promise<void> {
  for (const [name, shape] of Object.entries(shapes(rows)).filter(([each]) => each.includes(only))) {
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
  const last = pairs.at(-1)?.runner;
  if (last?.counts?.posted !== rows)
    throw new Error(`not all rows were posted: ${JSON.stringify(last?.counts)}`);
  printTable(
    `${rows.toLocaleString('en')} ${name}`,
    ['rows/s', 'ratio', 'Node us/row', 'Redis us/row'],
    [
      line(
        'bare pipeline',
        pairs.map((pair) => pair.bare),
        pairs.map(() => 1),
        rows,
      ),
      line(
        'runner',
        pairs.map((pair) => pair.runner),
        pairs.map((pair) => pair.bare.seconds / pair.runner.seconds),
        rows,
      ),
    ],
  );
  const bytes = (pick: (each: Measured) => number | undefined) =>
    median(pairs.map(({ runner }) => pick(runner) ?? 0));
  const [waiting, ended, result, queues] = [
    bytes((each) => each.waitingBytes).toFixed(0),
    bytes((each) => each.endedBytes).toFixed(0),
    bytes((each) => each.resultBytes).toFixed(0),
    (bytes((each) => each.queueBytes) / 1e6).toFixed(1),
  ];
  process.stdout.write(
    `Redis: ${waiting} bytes a waiting row, ${ended} an ended row (${result} for its state and result); the queues keep ${queues} MB of ended jobs\n\n`,
  );
}

function line(
  name: string,
  measured: readonly Measured[],
  ratios: readonly number[],
  rows: number,
): readonly [string, readonly string[]] {
  const perRow = (pick: (each: Measured) => number) =>
    median(measured.map((each) => (pick(each) * 1e6) / rows)).toFixed(0);
  const rate = median(measured.map((each) => rows / each.seconds)).toFixed(0);
  const cpu = perRow((each) => each.cpuSeconds);
  const redis = perRow((each) => each.redisSeconds);
  return [name, [rate, median(ratios).toFixed(2), cpu, redis]];
}

if (import.meta.main)
  await benchPipeline(Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 3), process.argv[4]);
