/**
 * Videos: scrapes beside the bare calls, the memory of a worker, the size of the history, the export beside csv-stringify alone, and
 * the report beside reading the same keys.
 *
 *     node bench/videos.ts [size | report | export | scrape | think ...] [videos] [samples of the export]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { checkSettings } from '../config/load.ts';
import { createLedger, type Ledger } from '../src/ledger/ledger.ts';
import { videoFields } from '../src/ledger/videos/video.ts';
import { readOverview } from '../src/videos/overview.ts';
import { reportVideos } from '../src/videos/report.ts';
import { launcherFlags } from './apart.ts';
import { prefix } from './open-runner.ts';
import { startRedis } from './redis-server.ts';
import { median, printTable } from './table.ts';
import { benchExport } from './video-export.ts';
import { fillVideos } from './video-history.ts';

const concurrency = 16;

interface Bench extends AsyncDisposable {
  readonly folder: string;
  readonly socket: string;
  readonly redis: Redis;
  readonly ledger: Ledger;
}

async function openBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-videos-'));
  const server = await startRedis(folder);
  const redis = new Redis({ path: server.socket, maxRetriesPerRequest: null });
  return {
    folder,
    redis,
    socket: server.socket,
    ledger: createLedger({ redis, prefix }),
    async [Symbol.asyncDispose]() {
      redis.disconnect();
      server.process.kill();
      await once(server.process, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Measured {
  readonly seconds: number;
  /** Seconds of the process. */
  readonly cpu: number;
  /** Seconds of Redis meanwhile. */
  readonly redisCpu: number;
  /** Largest resident memory. */
  readonly peak: number;
  /** Heap in use at the end. */
  readonly live: number;
}

async function measure(
  { socket, folder, redis }: Bench,
  address: string,
  kind: 'bare' | 'scrape',
  count: number,
): Promise<Measured> {
  const given = { address, socket, folder, manifest: '', kind, count, concurrency };
  const before = await redisCpu(redis);
  const child = fork(new URL('./video-scrape.ts', import.meta.url).pathname, [], {
    env: { ...process.env, BENCH: JSON.stringify(given) },
    execArgv: [...launcherFlags, '--expose-gc'],
  });
  const [measured] = (await once(child, 'message')) as [Omit<Measured, 'redisCpu'>];
  const after = await redisCpu(redis);
  child.disconnect();
  await once(child, 'exit');
  return { ...measured, redisCpu: after - before };
}

/** Seconds of the processor that Redis has used. */
async function redisCpu(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const [system = 0, user = 0] = ['sys', 'user'].map((of) =>
    Number(new RegExp(`^used_cpu_${of}:([\\d.]+)`, 'm').exec(info)?.[1]),
  );
  return system + user;
}

function startService(thinkMs: number): ChildProcess {
  return fork(new URL('./stand-in.ts', import.meta.url).pathname, [], {
    env: { ...process.env, THINK_MS: String(thinkMs) },
  });
}

async function benchScrape(
  count: number,
  thinkMs: number,
  nights: number,
): Promise<Readonly<Record<'bare' | 'scrape', Measured>>> {
  const service = startService(thinkMs);
  const [{ address }] = (await once(service, 'message')) as [{ address: string }];
  await using bench = await openBench();
  await fillVideos(bench.redis, bench.ledger, prefix, { count, nights });
  const bare = await measure(bench, address, 'bare', count);
  const scrape = await measure(bench, address, 'scrape', count);
  service.disconnect();
  const cells = ({ seconds, cpu, redisCpu, peak, live }: Measured) => [
    (count / seconds).toFixed(0),
    cpu.toFixed(2),
    redisCpu.toFixed(2),
    (peak / 1e6).toFixed(0),
    (live / 1e6).toFixed(0),
  ];
  printTable(
    `${count.toLocaleString('en')} videos, ${thinkMs} ms in the service, ${nights} nights before`,
    ['videos/s', 'CPU s', 'of Redis', 'peak MB', 'in use MB'],
    [
      ['bare calls', cells(bare)],
      ['scrape', cells(scrape)],
    ],
  );
  process.stdout.write(
    `scrape: ${(bare.seconds / scrape.seconds).toFixed(2)} of the bare calls, by CPU time ${(bare.cpu / scrape.cpu).toFixed(2)}, with that of Redis ${(bare.cpu / (scrape.cpu + scrape.redisCpu)).toFixed(2)}\n\n`,
  );
  return { bare, scrape };
}

/** Bytes of Redis that each sample takes, with everything that a video has. */
async function benchSize(count: number, nights: number): Promise<void> {
  await using bench = await openBench();
  const used = async () => Number(/^used_memory:(\d+)/m.exec(await bench.redis.info('memory'))?.[1]);
  const before = await used();
  await fillVideos(bench.redis, bench.ledger, prefix, { count, nights });
  const bytes = ((await used()) - before) / (count * nights);
  process.stdout.write(
    `${count.toLocaleString('en')} videos, ${nights} nights: ${bytes.toFixed(1)} bytes a sample\n\n`,
  );
}

interface Times {
  readonly seconds: number;
  /** Of this process: it says more on a machine that others use, too. */
  readonly cpu: number;
}

async function timed(work: () => Promise<unknown>): Promise<Times> {
  const begun = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 };
}

async function benchReport(count: number, rounds: number): Promise<void> {
  await using bench = await openBench();
  const nights = 40;
  const last = await fillVideos(bench.redis, bench.ledger, prefix, { count, nights });
  const runtime = { ledger: bench.ledger, settings: checkSettings({}), now: () => last };
  const since = new Date(last - 14 * 86_400_000).toISOString();
  const names = ['bare', 'kept', 'other', 'overview'] as const;
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    (typeof names)[number],
    Times[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(await timed(() => readBare(bench)));
    times.kept.push(await timed(() => reportVideos(runtime, { by: 'creator' })));
    times.other.push(await timed(() => reportVideos(runtime, { by: 'creator', since })));
    times.overview.push(await timed(() => readOverview(runtime, { span: 14, zone: 'UTC' })));
  }
  const of = (name: keyof typeof times, what: keyof Times) => median(times[name].map((each) => each[what]));
  printTable(
    `report by creator over ${count.toLocaleString('en')} videos`,
    ['s', 'of bare', 'CPU s', 'of bare'],
    (
      [
        ['the same keys, bare', 'bare'],
        ['1, 7 and 30 days', 'kept'],
        ['another span', 'other'],
        ['overview of the console, one pass', 'overview'],
      ] as const
    ).map(([title, name]) => {
      const cells = (['seconds', 'cpu'] as const).flatMap((what) => {
        const value = of(name, what);
        return [value.toFixed(2), (value / of('bare', what)).toFixed(2)];
      });
      return [title, cells];
    }),
  );
  process.stdout.write('\n');
}

/** Reads what a report reads, and makes nothing of it. */
async function readBare({ redis }: Bench): Promise<void> {
  let after = 0;
  for (;;) {
    const flat = await redis.zrangebyscore(
      `${prefix}:videos`,
      `(${after}`,
      '+inf',
      'WITHSCORES',
      'LIMIT',
      0,
      1000,
    );
    if (flat.length === 0) return;
    after = Number(flat.at(-1));
    const pipeline = redis.pipeline();
    for (let index = 0; index < flat.length; index += 2) {
      pipeline.hmgetBuffer(`${prefix}:v:${flat[index]}`, ...videoFields);
    }
    await pipeline.exec();
  }
}

const parts: Readonly<Record<string, (videos: number, samples: number) => Promise<void>>> = {
  size: () => benchSize(1000, 365),
  report: (videos) => benchReport(videos, 3),
  export: (_videos, samples) => benchExport(samples, 3),
  scrape: benchScrapes,
  think: async () => {
    await benchScrape(5000, 150, 40);
  },
};

/** The cost of a video should not grow with their number, nor the memory. */
async function benchScrapes(videos: number): Promise<void> {
  const few = await benchScrape(10_000, 0, 0);
  await benchScrape(30_000, 0, 0);
  const many = await benchScrape(videos, 0, 0);
  const ratio = (kind: 'bare' | 'scrape', what: 'peak' | 'live') =>
    (many[kind][what] / few[kind][what]).toFixed(2);
  process.stdout.write(
    `memory of the worker: ${ratio('scrape', 'live')} of that for 10,000 videos in use, ${ratio('scrape', 'peak')} at its peak; bare calls: ${ratio('bare', 'live')} and ${ratio('bare', 'peak')}\n\n`,
  );
}

export async function benchVideos(
  videos: number,
  samples: number,
  wanted: readonly string[] = Object.keys(parts),
): Promise<void> {
  for (const name of wanted) await parts[name]?.(videos, samples);
}

if (import.meta.main) {
  const given = process.argv.slice(2);
  const [videos = 100_000, samples = 1_000_000] = given.filter((each) => !(each in parts)).map(Number);
  const wanted = given.filter((each) => each in parts);
  await benchVideos(videos, samples, wanted.length > 0 ? wanted : undefined);
  process.exit(0);
}
