/**
 * The same rows by a plain script, by one BullMQ job a row, by a BullMQ flow, and by `campaigns run`: from the start of the program to
 * its end, in turn. The tables of docs/performance.md come from here.
 *
 *     node bench/peers.ts [rounds] [rows:thinkMs:bytesOfFile ...]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launcherFlags } from './apart.ts';
import type { Costs } from './costs.ts';
import { callsOf, startService } from './pipeline.ts';
import { redisCpuSeconds, startRedis } from './redis-server.ts';
import { makeRows, writeFiles, writeRows } from './rows.ts';
import { median, printTable } from './table.ts';

const names = {
  script: 'plain script, 50 at once',
  job: 'one BullMQ job a row, 50 at once',
  flow: 'BullMQ flow, 50 of each step',
  runner: 'campaigns run, default settings',
} as const;
type Peer = keyof typeof names;
const peers = Object.keys(names) as Peer[];
const atOnce = 50;
const chosen = peers.filter((peer) => (process.env.BENCH_PEERS ?? peer).split(',').includes(peer));

interface Measured extends Costs {
  readonly seconds: number;
  readonly redisSeconds: number;
  /** When the calls came, in milliseconds since the start of the program, by path. */
  readonly calls: Readonly<Record<string, readonly number[]>>;
}

const pathOf = (place: string) => fileURLToPath(new URL(place, import.meta.url));

/** Only what the stand-in needs, and rate limits that never limit: concurrency has its default. */
const settings = {
  api: { confirmUpload: { method: 'POST', path: '/v1/file/confirm', body: { fileId: '{fileId}' } } },
  rateLimits: { default: { rate: 1_000_000, per: '1s', burst: 1_000_000 } },
};

function commandOf(peer: Peer, folder: string): readonly [string, readonly string[]] {
  if (peer === 'runner') return [pathOf('../bin/campaigns'), ['run', join(folder, 'rows.csv'), '--again']];
  return [process.execPath, [...launcherFlags, pathOf('./bare-pipeline.ts')]];
}

/** One measurement, with its own service, Redis and process. @throws if the program did not end well. */
async function measure(peer: Peer, folder: string, thinkMs: number): Promise<Measured> {
  const data = await mkdtemp(join(tmpdir(), 'bench-peers-'));
  const service = await startService(thinkMs);
  const redis = await startRedis(data);
  try {
    const { address } = service;
    const { socket } = redis;
    const costs = join(data, 'costs');
    const config = join(data, 'settings.json');
    await writeFile(
      config,
      JSON.stringify({ ...settings, ...JSON.parse(process.env.BENCH_SETTINGS ?? '{}') }),
    );
    const [program, args] = commandOf(peer, folder);
    const begun = Date.now();
    const child = spawn(program, args, {
      env: {
        ...process.env,
        BENCH: JSON.stringify({ address, socket, folder, kind: peer, atOnce }),
        BENCH_COSTS: costs,
        NODE_OPTIONS: `--import=${pathOf('./costs.ts')}`,
        CREATOR_API_URL: address,
        CREATOR_API_KEY: 'key',
        REDIS_URL: `unix://${socket}`,
        DATA_DIR: join(data, 'data'),
        CAMPAIGNS_CONFIG: config,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    const [code] = await once(child, 'close');
    const seconds = (Date.now() - begun) / 1000;
    if (code !== 0) throw new Error(`${names[peer]} ended with ${code}:\n${said.slice(-2000)}`);
    const lines = (await readFile(costs, 'utf8')).trim().split('\n');
    const all = lines.map((line) => JSON.parse(line) as Costs);
    const calls = Object.entries(await callsOf(service.process));
    return {
      seconds,
      calls: Object.fromEntries(calls.map(([path, times]) => [path, times.map((time) => time - begun)])),
      cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      megabytes: Math.max(...all.map(({ megabytes }) => megabytes)),
      redisSeconds: await redisCpuSeconds(socket),
    };
  } finally {
    service.process.disconnect();
    redis.process.kill();
    await once(redis.process, 'exit');
    await rm(data, { recursive: true });
  }
}

interface Work {
  readonly rows: number;
  /** How long the service thinks before each answer. */
  readonly thinkMs: number;
  /** Of each file. Small by default. */
  readonly bytes?: number | undefined;
}

export async function benchPeers(rounds: number, works: readonly Work[]): Promise<void> {
  const done: (Done & Pick<Work, 'thinkMs'>)[] = [];
  for (const { rows, thinkMs, bytes } of works) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-rows-'));
    try {
      const shape = { rows, files: rows, creators: 50, products: rows };
      await writeFiles(folder, shape.files, bytes);
      await writeRows(folder, makeRows(shape));
      const measured = Object.fromEntries(peers.map((peer) => [peer, [] as Measured[]])) as Record<
        Peer,
        Measured[]
      >;
      for (let round = 0; round < rounds; round += 1) {
        for (const peer of chosen) measured[peer].push(await measure(peer, folder, thinkMs));
      }
      print(measured, rows, thinkMs);
      done.push({ rows, thinkMs, measured });
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  for (const [thinkMs, [few, ...others]] of Map.groupBy(done, (work) => work.thinkMs)) {
    const many = others.at(-1);
    if (few && many && many.rows > few.rows) printMarginal(thinkMs, few, many);
  }
  const [cpu] = cpus();
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpu?.model}, Node ${process.versions.node}; ${rounds} rounds in turn\n\n`,
  );
}

function print(measured: Readonly<Record<Peer, readonly Measured[]>>, rows: number, thinkMs: number): void {
  const line = (peer: Peer): [string, string[]] => {
    const all = measured[peer];
    const perRow = (pick: (each: Measured) => number) =>
      median(all.map((each) => (pick(each) * 1e3) / rows)).toFixed(2);
    // The speed of the machine drifts: ratios compare within a round.
    const ratios = all.map(({ seconds }, round) => (measured.script[round]?.seconds ?? Number.NaN) / seconds);
    return [
      names[peer],
      [
        median(all.map(({ seconds }) => rows / seconds)).toFixed(0),
        median(ratios).toFixed(2),
        perRow(({ cpuSeconds }) => cpuSeconds),
        perRow(({ redisSeconds }) => redisSeconds),
        median(all.map(({ megabytes }) => megabytes)).toFixed(0),
      ],
    ];
  };
  printTable(
    `${rows.toLocaleString('en')} rows, ${thinkMs} ms a call`,
    ['rows/s', 'ratio', 'ms/row', 'Redis ms', 'MB'],
    chosen.map(line),
  );
  process.stdout.write('\n');
  if (chosen.includes('runner')) printTimeLine(measured.runner);
}

type Done = Pick<Work, 'rows'> & { readonly measured: Readonly<Record<Peer, readonly Measured[]>> };

/** What a row costs once a program runs: the difference of two numbers of rows, without start and warming up. */
function printMarginal(thinkMs: number, few: Done, many: Done): void {
  const line = (peer: Peer): [string, string[]] => {
    const perRow = (pick: (each: Measured) => number) => {
      const all = ({ measured }: Done) => median(measured[peer].map(pick));
      return ((all(many) - all(few)) * 1e3) / (many.rows - few.rows);
    };
    const own = perRow(({ cpuSeconds }) => cpuSeconds);
    const redis = perRow(({ redisSeconds }) => redisSeconds);
    return [names[peer], [own, redis, own + redis].map((ms) => ms.toFixed(2))];
  };
  const title = `A further row, ${thinkMs} ms a call: ${many.rows} against ${few.rows} rows`;
  printTable(title, ['ms/row', 'Redis ms', 'both'], chosen.map(line));
  process.stdout.write('\n');
}

/** When the calls of the runner begin and end. */
function printTimeLine(all: readonly Measured[]): void {
  const at = (pick: (times: readonly number[]) => number | undefined, path: string) =>
    (median(all.map(({ calls }) => pick(calls[path] ?? []) ?? Number.NaN)) / 1e3).toFixed(2);
  const paths = Object.keys(all[0]?.calls ?? {});
  const lines = paths.map((path): [string, string[]] => [
    path,
    [
      String(median(all.map(({ calls }) => calls[path]?.length ?? 0))),
      at((times) => times[0], path),
      at((times) => times[Math.floor(times.length / 2)], path),
      at((times) => times.at(-1), path),
    ],
  ]);
  lines.push(['the program ends', ['', '', '', median(all.map(({ seconds }) => seconds)).toFixed(2)]]);
  printTable('campaigns run, seconds from its start', ['calls', 'first', 'half', 'last'], lines);
  process.stdout.write('\n');
}

/** What `npm run bench -- peers` compares them on. */
export const peersWorks: readonly Work[] = [
  { rows: 2000, thinkMs: 0 },
  { rows: 6000, thinkMs: 0 },
  { rows: 1500, thinkMs: 150 },
];

if (import.meta.main) {
  const [rounds = '3', ...works] = process.argv.slice(2);
  const given = works.map((work) => {
    const [rows = 0, thinkMs = 0, bytes] = work.split(':').map(Number);
    return { rows, thinkMs, bytes };
  });
  await benchPeers(Number(rounds), given);
}
