/**
 * The index of planned posts: its bytes a row in Redis, and how long a check takes with it and without it.
 *
 *     node bench/repeats.ts [rows] [rounds]
 *
 * Three sheets of as many rows: the first is imported, "other" has none of its posts, "same" has all of them, in another order. Media and
 * creators are not looked up. Every measurement runs in its own process; ratios compare within a round.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { loadSettings } from '../config/load.ts';
import { checkManifest } from '../src/importers/check/check.ts';
import { Repeats } from '../src/importers/repeats/repeats.ts';
import { createLedger, type Ledger } from '../src/ledger/ledger.ts';
import { fileSource } from '../src/sheets/sheet.ts';
import { measureApart, measureHere } from './apart.ts';
import { manifestCells, manifestHeader } from './manifest-rows.ts';
import { startRedis } from './redis-server.ts';
import { median, printTable } from './table.ts';

const prefix = '{repeats}';

interface Task {
  readonly socket: string;
  readonly path: string;
  /** `plain`: posts are not compared. */
  readonly mode: 'plain' | 'check' | 'import';
}

interface Measurement {
  readonly rowsPerSecond: number;
  readonly accepted: number;
  /** Of the script that makes the campaign. */
  readonly commitMs: number;
  readonly peakBytes: number;
}

/** @param numbers of the rows. */
async function writeManifest(path: string, numbers: Iterable<number>): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${manifestHeader.join(',')}\n`);
  for (const number of numbers) {
    const line = manifestCells(number).map((cell) => (cell.includes(',') ? `"${cell}"` : cell));
    if (!file.write(`${line.join(',')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

function* range(first: number, count: number): Generator<number> {
  for (let number = first; number < first + count; number += 1) yield number;
}

/** Every number once, far from its neighbours. */
function* shuffled(count: number): Generator<number> {
  const step = 7919;
  for (let index = 0; index < count; index += 1) yield 1 + ((index * step) % count);
}

/** Runs in a process of its own. */
async function measure({ socket, path, mode }: Task): Promise<Measurement> {
  const redis = new Redis({ path: socket, maxRetriesPerRequest: null });
  const ledger = createLedger({ redis, prefix });
  const before = process.memoryUsage.rss();
  const begun = performance.now();
  const staged = ledger.newImport();
  const find = { account: 'default', own: undefined, contentAt: async () => undefined };
  const options = {
    settings: loadSettings(undefined),
    now: Date.now(),
    creators: null,
    media: null,
    posts: mode === 'plain' ? null : new Repeats(ledger, find),
  };
  const check = await checkManifest(fileSource(path), options, async (rows) => {
    if (mode === 'import') await staged.add(rows);
  });
  const seconds = (performance.now() - begun) / 1000;
  const commitMs = mode === 'import' ? await commit(staged, check) : 0;
  redis.disconnect();
  const peakBytes = process.resourceUsage().maxRSS * 1024 - before;
  return { rowsPerSecond: check.rows / seconds, accepted: check.accepted, commitMs, peakBytes };
}

async function commit(
  staged: ReturnType<Ledger['newImport']>,
  { header, sha256 }: { readonly header: readonly string[]; readonly sha256: string | null },
): Promise<number> {
  const begun = performance.now();
  await staged.commit({
    name: 'bench',
    sha256: sha256 ?? '',
    header,
    account: 'default',
    mediaRoot: '/media',
    timezone: null,
    source: 'bench.csv',
    window: 1000,
    leftOut: 0,
    creators: new Map(),
    again: true,
  });
  return performance.now() - begun;
}

async function bytesOfIndex(redis: Redis): Promise<number> {
  let bytes = 0;
  for await (const keys of redis.scanStream({ match: `${prefix}:planned:*`, count: 1000 })) {
    for (const key of keys as string[]) bytes += Number(await redis.memory('USAGE', key));
  }
  return bytes;
}

export async function benchRepeats(rows: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-repeats-'));
  const { socket, process: server } = await startRedis(folder);
  const redis = new Redis({ path: socket, maxRetriesPerRequest: null });
  const paths = { first: join(folder, 'a.csv'), other: join(folder, 'b.csv'), same: join(folder, 'c.csv') };
  const apart = (mode: Task['mode'], path: string) =>
    measureApart<Measurement>(import.meta.url, { socket, path, mode } satisfies Task);
  try {
    await writeManifest(paths.first, range(1, rows));
    await writeManifest(paths.other, range(rows + 1, rows));
    await writeManifest(paths.same, shuffled(rows));
    const found: Record<string, Measurement[]> = { plain: [], empty: [], import: [], other: [], same: [] };
    const note = (name: string, measurement: Measurement) => found[name]?.push(measurement);
    let bytes = 0;
    for (let round = 0; round < rounds; round += 1) {
      await redis.flushall();
      note('plain', await apart('plain', paths.first));
      note('empty', await apart('check', paths.first));
      note('import', await apart('import', paths.first));
      bytes = await bytesOfIndex(redis);
      note('other', await apart('check', paths.other));
      note('same', await apart('check', paths.same));
    }
    report(rows, found, bytes);
  } finally {
    redis.disconnect();
    server.kill();
    await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

function report(rows: number, found: Readonly<Record<string, Measurement[]>>, bytes: number): void {
  const line = (title: string, name: string) => {
    const all = found[name] ?? [];
    const plain = found.plain ?? [];
    const ratios = all.map((each, round) => each.rowsPerSecond / (plain[round]?.rowsPerSecond ?? Number.NaN));
    const of = (read: (each: Measurement) => number) => median(all.map(read));
    return [
      title,
      [
        Math.round(of((each) => each.rowsPerSecond)).toLocaleString('en'),
        median(ratios).toFixed(2),
        (of((each) => each.peakBytes) / 1e6).toFixed(0),
        of((each) => each.accepted).toLocaleString('en'),
      ],
    ] as const;
  };
  printTable(
    `${rows.toLocaleString('en')} rows`,
    ['rows/s', 'ratio', 'peak MB', 'accepted'],
    [
      line('check, posts not compared', 'plain'),
      line('check, no campaign yet', 'empty'),
      line('check and store, no campaign yet', 'import'),
      line('check, all posts new', 'other'),
      line('check, all posts known, shuffled', 'same'),
    ],
  );
  const commitMs = median((found.import ?? []).map((each) => each.commitMs));
  process.stdout.write(
    `index: ${(bytes / rows).toFixed(1)} bytes a row; the script that adds them all: ${commitMs.toFixed(0)} ms\n\n`,
  );
}

if (!(await measureHere(measure)) && import.meta.main) {
  await benchRepeats(Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 3));
}
