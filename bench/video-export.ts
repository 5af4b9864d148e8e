/**
 * The export of samples against csv-stringify alone, which writes as many of the same lines to the same kind of file; and how its
 * memory grows with the number of samples. Each measurement has a process of its own.
 *
 *     node bench/video-export.ts [samples] [rounds]
 *
 * Memory in use is measured after collections. The peak also grows by garbage: V8 first makes room for some, and a short export ends
 * before that.
 */
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { Redis } from 'ioredis';
import { checkSettings } from '../config/load.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { exportVideos, linesOf } from '../src/videos/export.ts';
import { measureApart, measureHere } from './apart.ts';
import { prefix } from './open-runner.ts';
import { startRedis } from './redis-server.ts';
import { median, printTable } from './table.ts';
import { fillVideos } from './video-history.ts';

type Mode = 'alone' | 'export' | 'wide' | 'live';

interface Task {
  readonly mode: Mode;
  readonly socket: string;
  readonly folder: string;
  readonly samples: number;
  /** Of the last night: Unix epoch, milliseconds. */
  readonly last: number;
}

interface Measured {
  readonly seconds: number;
  /** Of the process, in seconds. */
  readonly cpu: number;
  /** Largest resident memory, in bytes. */
  readonly peak: number;
  /** Most memory in use after a collection, in bytes; only in mode `live`. */
  readonly live: number;
}

const nights = 100;
const linesAtOnce = 200;
const sampleLines = 10_000;

type Tools = Parameters<typeof exportVideos>[0];

async function writeAlone(tools: Tools, { folder, samples }: Task): Promise<() => Promise<void>> {
  const lines: (readonly string[])[] = [];
  for await (const some of linesOf(tools, { span: { since: undefined, until: undefined } })) {
    lines.push(...some);
    if (lines.length >= sampleLines) break;
  }
  return async () => {
    await using file = await open(join(folder, 'alone.csv'), 'w');
    for (let done = 0; done < samples; done += linesAtOnce) {
      const start = done % sampleLines;
      await file.write(stringify(lines.slice(start, start + linesAtOnce), { record_delimiter: 'windows' }));
    }
    await file.sync();
  };
}

/** Discards what it gets, and collects garbage now and then. */
function collecting(note: (live: number) => void): Writable {
  let pieces = 0;
  return new Writable({
    write(_piece, _encoding, done) {
      pieces += 1;
      if (pieces % 100 === 0) {
        globalThis.gc?.();
        const { heapUsed, external } = process.memoryUsage();
        note(heapUsed + external);
      }
      done();
    },
  });
}

/** Runs in a process of its own. */
async function measure(task: Task): Promise<Measured> {
  const { mode, socket, folder, last } = task;
  const redis = new Redis({ path: socket, maxRetriesPerRequest: null });
  const tools = { ledger: createLedger({ redis, prefix }), settings: checkSettings({}), now: () => last };
  let live = 0;
  const note = (bytes: number) => {
    live = Math.max(live, bytes);
  };
  const to = mode === 'live' ? collecting(note) : join(folder, `${mode}.csv`);
  const work =
    mode === 'alone'
      ? await writeAlone(tools, task)
      : () => exportVideos(tools, { to, wide: mode === 'wide' });
  const begun = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - begun) / 1000;
  redis.disconnect();
  return { seconds, cpu: (user + system) / 1e6, peak: process.resourceUsage().maxRSS * 1024, live };
}

export async function benchExport(samples: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-video-export-'));
  const { socket, process: server } = await startRedis(folder);
  const redis = new Redis({ path: socket, maxRetriesPerRequest: null });
  const fill = async (count: number) => {
    await redis.flushall();
    return fillVideos(redis, createLedger({ redis, prefix }), prefix, { count: count / nights, nights });
  };
  const run = (mode: Mode, count: number, last: number) =>
    measureApart<Measured>(
      import.meta.url,
      { mode, socket, folder, samples: count, last } satisfies Task,
      mode === 'live' ? ['--expose-gc'] : [],
    );
  const few = samples / 10;
  const small = await fill(few);
  const fewPeak = (await run('export', few, small)).peak;
  const fewLive = (await run('live', few, small)).live;
  const last = await fill(samples);
  const found: Record<Exclude<Mode, 'live'>, Measured[]> = { alone: [], export: [], wide: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of ['alone', 'export', 'wide'] as const) found[mode].push(await run(mode, samples, last));
  }
  const { live } = await run('live', samples, last);
  redis.disconnect();
  server.kill();
  await once(server, 'exit');
  await rm(folder, { recursive: true, force: true });
  const of = (mode: keyof typeof found, what: keyof Measured) =>
    median(found[mode].map((each) => each[what]));
  const line = (mode: keyof typeof found) => [
    of(mode, 'seconds').toFixed(1),
    of(mode, 'cpu').toFixed(2),
    (of(mode, 'peak') / 1e6).toFixed(0),
  ];
  printTable(
    `export of ${samples.toLocaleString('en')} samples`,
    ['s', 'CPU s', 'peak MB'],
    [
      ['csv-stringify alone', line('alone')],
      ['export', line('export')],
      ['export --wide', line('wide')],
    ],
  );
  const speed = (what: 'seconds' | 'cpu') => (of('alone', what) / of('export', what)).toFixed(2);
  process.stdout.write(
    `export: ${speed('seconds')} of csv-stringify alone, by CPU time ${speed('cpu')}; of its memory for ${few.toLocaleString('en')} samples ${(live / fewLive).toFixed(2)} in use, ${(of('export', 'peak') / fewPeak).toFixed(2)} at its peak\n\n`,
  );
}

if (!(await measureHere(measure)) && import.meta.main) {
  const [samples = 1_000_000, rounds = 3] = process.argv.slice(2).map(Number);
  await benchExport(samples, rounds);
}
