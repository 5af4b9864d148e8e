/**
 * The console while workers run a large campaign: pages beside the bare reading of the same keys, its memory over many requests, and
 * what open event streams cost the workers.
 *
 *     node bench/console.ts [rows] [requests] [streams]
 *
 * The bare reading sends the commands of one page again, in one pipeline. Page and reading take turns, and so do the times with streams
 * and without.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Ledger } from '../src/ledger/ledger.ts';
import { launcherFlags } from './apart.ts';
import { type Given, openRunner } from './open-runner.ts';
import { startRedis } from './redis-server.ts';
import { makeRows, writeFiles, writeRows } from './rows.ts';
import { median, printTable } from './table.ts';

const turns = 25;
const streamTurns = 6;
const streamTurnMs = 5000;
/** So many requests are under way at once. */
const atOnce = 4;

interface Memory {
  readonly heap: number;
  readonly rss: number;
  /** Longest time for which the event loop did nothing else, since the message before. */
  readonly longestMs: number;
}

interface Bench {
  readonly id: string;
  readonly url: string;
  readonly server: ChildProcess;
  readonly redis: Redis;
  readonly ledger: Ledger;
}

function start(file: string, given: Given, flags: readonly string[] = []): ChildProcess {
  return fork(new URL(`./${file}.ts`, import.meta.url).pathname, [], {
    env: { ...process.env, BENCH: JSON.stringify(given) },
    execArgv: [...launcherFlags, ...flags],
  });
}

async function memoryOf(server: ChildProcess): Promise<Memory> {
  server.send('memory');
  const [memory] = (await once(server, 'message')) as [Memory];
  return memory;
}

/** Every hundredth row of the second half has failed, for seven causes in turn. */
async function failSome(
  { redis, ledger: { keys } }: Pick<Bench, 'redis' | 'ledger'>,
  id: string,
  rows: number,
) {
  const pipeline = redis.pipeline();
  let failed = 0;
  for (let row = Math.floor(rows / 2); row < rows; row += 100) {
    const error = { step: 'upload', code: `http_${400 + (failed % 7)}`, message: 'It was refused.', at: 0 };
    pipeline.hset(keys.errors(id), row, JSON.stringify(error));
    pipeline.zadd(keys.index(id, 'failed'), row, String(row));
    pipeline.setrange(keys.states(id), row * 2, 'f');
    failed += 1;
  }
  pipeline.hincrby(keys.campaign(id), 'failed', failed);
  pipeline.hincrby(keys.campaign(id), 'waiting', -failed);
  await pipeline.exec();
}

const kept = new Agent({ keepAlive: true });
/** As browsers ask: the frame of a page is then read beside it. */
const headers = { accept: 'text/html' };

/** Until the last byte is here. By `node:http`: `fetch` would take as long again for small pages. */
async function load(url: string): Promise<number> {
  const begun = performance.now();
  const [response] = (await once(get(url, { agent: kept, headers }), 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return performance.now() - begun;
}

/** The console reads a large sheet once, in the background: its commands are not those of a page. */
async function sheetRead(url: string): Promise<void> {
  while ((await (await fetch(url)).text()).includes('being counted')) await sleep(500);
}

type Command = readonly [name: string, ...args: (string | Buffer)[]];

/** The commands that a page sends, without those of scripts. */
async function commandsOf({ redis }: Bench, url: string): Promise<readonly Command[]> {
  // Nothing else may be sent while it begins.
  await sleep(300);
  const monitor = await redis.monitor();
  const commands: Command[] = [];
  monitor.on('monitor', (_time: string, args: readonly string[], source: string) => {
    const [name = '', ...rest] = args;
    if (source !== 'lua') commands.push([name, ...rest]);
  });
  // What pages keep for a second is not read again while they take turns.
  await load(url);
  await sleep(20);
  commands.length = 0;
  await load(url);
  await sleep(100);
  monitor.disconnect();
  return commands.filter(([name]) => !['client', 'ping', 'info', 'monitor'].includes(name.toLowerCase()));
}

async function readBare({ redis }: Bench, commands: readonly Command[]): Promise<number> {
  const begun = performance.now();
  const pipeline = redis.pipeline();
  for (const [name, ...args] of commands) pipeline.callBuffer(name, ...args);
  await pipeline.exec();
  return performance.now() - begun;
}

interface PageTimes {
  readonly name: string;
  readonly commands: readonly Command[];
  readonly url: string;
}

async function benchPages(bench: Bench, pages: readonly PageTimes[]): Promise<void> {
  const lines: (readonly [string, readonly string[]])[] = [];
  for (const { name, commands, url } of pages) {
    const [bare, page]: [number[], number[]] = [[], []];
    await memoryOf(bench.server);
    for (let turn = 0; turn < turns; turn += 1) {
      bare.push(await readBare(bench, commands));
      page.push(await load(url));
    }
    const { longestMs } = await memoryOf(bench.server);
    const ratio = median(page.map((ms, index) => ms / (bare[index] ?? Number.NaN)));
    const cells = [median(bare).toFixed(1), median(page).toFixed(1), ratio.toFixed(1), longestMs.toFixed(0)];
    lines.push([`${name} (${commands.length} commands)`, cells]);
  }
  printTable('pages', ['bare ms', 'page ms', 'ratio', 'loop ms'], lines);
  process.stdout.write('\n');
}

async function benchMemory({ url, id, server }: Bench, requests: number): Promise<void> {
  const paths = [`/campaigns/${id}`, `/campaigns/${id}?state=failed`, '/campaigns', '/queues', '/review'];
  const request = (index: number) => load(`${url}${paths[index % paths.length]}`);
  const lines: (readonly [string, readonly string[]])[] = [];
  for (let done = 0; done < requests; ) {
    const end = Math.min(requests, done + Math.ceil(requests / 5));
    for (; done < end; done += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, index) => request(done + index)));
    }
    const { heap, rss } = await memoryOf(server);
    lines.push([
      `after ${done.toLocaleString('en')} requests`,
      [(heap / 1e6).toFixed(1), (rss / 1e6).toFixed(0)],
    ]);
  }
  printTable('memory of the console', ['heap MB', 'resident MB'], lines);
  process.stdout.write('\n');
}

async function benchStreams({ url, id, ledger }: Bench, streams: number): Promise<void> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const posted = async () => (await ledger.campaigns.find(id))?.counts.posted ?? 0;
  const rateFor = async (): Promise<number> => {
    const [before, begun] = [await posted(), performance.now()];
    await sleep(streamTurnMs);
    return ((await posted()) - before) / ((performance.now() - begun) / 1000);
  };
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`${url}/campaigns/${id}/events`, { agent }, (response) => resolve(response.resume())).on(
        'error',
        reject,
      );
    });
  const [without, held]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < streamTurns; turn += 1) {
    const rate = await rateFor();
    const opened = await Promise.all(Array.from({ length: streams }, open));
    const heldRate = await rateFor();
    for (const response of opened) response.destroy();
    // A turn in which the rows ran out would count against the streams.
    if ((await ledger.campaigns.find(id))?.counts.waiting === 0) break;
    without.push(rate);
    held.push(heldRate);
    await sleep(500);
  }
  if (held.length === 0)
    throw new Error('all rows were posted before the streams were measured: take more rows');
  const ratio = median(held.map((rate, index) => rate / (without[index] ?? Number.NaN)));
  printTable(
    'workers',
    ['rows/s'],
    [
      ['no stream', [median(without).toFixed(0)]],
      [`${streams} streams`, [median(held).toFixed(0)]],
    ],
  );
  process.stdout.write(`with ${streams} streams: ${ratio.toFixed(3)} of the rows\n\n`);
}

export async function benchConsole(rows: number, requests: number, streams: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-console-'));
  const data = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const service = fork(new URL('./stand-in.ts', import.meta.url).pathname);
  const [{ address }] = (await once(service, 'message')) as [{ address: string }];
  await writeFiles(folder, 200);
  await writeRows(folder, makeRows({ rows, files: 200, creators: 50, products: 20 }));
  const redisServer = await startRedis(data);
  const given = { address, socket: redisServer.socket, folder, manifest: join(folder, 'rows.csv') };
  const { ledger, queues, redis, importManifest, close } = await openRunner(given);
  const id = await importManifest();
  await failSome({ redis, ledger }, id, rows);
  const server = start('console-server', given, ['--expose-gc']);
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  const bench: Bench = { id, url, server, redis, ledger };
  const page = `${url}/campaigns/${id}`;
  const addresses = {
    'the campaign': page,
    'rows that failed': `${page}?state=failed`,
    'rows of one cause': `${page}?code=http_403`,
    'rows that wait': `${page}?state=waiting`,
    'rows that changed last': `${page}?sort=changed`,
    'text in 20,000 rows': `${page}?text=no+row+has+this`,
  };
  await sheetRead(page);
  const pages: PageTimes[] = [];
  for (const [name, address] of Object.entries(addresses)) {
    // The first one compiles the code.
    for (let turn = 0; turn < 3; turn += 1) await load(address);
    pages.push({ name, url: address, commands: await commandsOf(bench, address) });
  }
  const worker = start('runner-worker', given);
  await once(worker, 'message');
  await queues.wakeAdmission(id);
  try {
    process.stdout.write(`${rows.toLocaleString('en')} rows, while a worker runs\n`);
    await benchPages(bench, pages);
    await benchStreams(bench, streams);
    await benchMemory(bench, requests);
    const { counts } = (await ledger.campaigns.find(id)) ?? {};
    process.stdout.write(`rows at the end: ${JSON.stringify(counts)}\n`);
  } finally {
    for (const child of [worker, server]) child.disconnect();
    await Promise.all([worker, server].map((child) => once(child, 'exit')));
    await close();
    service.disconnect();
    redisServer.process.kill();
    await once(redisServer.process, 'exit');
    await rm(data, { recursive: true });
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const [rows = 100_000, requests = 10_000, streams = 200] = process.argv.slice(2).map(Number);
  await benchConsole(rows, requests, streams);
  process.exit(0);
}
