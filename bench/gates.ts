/**
 * Rows at their gates: pages of a campaign whose rows are all ready, and the posts a second that the service gets when many rows are due
 * at once.
 *
 *     node bench/gates.ts [rows] [due]
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { listWaitingPosts } from '../src/app/approvals/waiting-posts.ts';
import { listRows } from '../src/app/campaigns/rows/list.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { openRunner } from './open-runner.ts';
import { callsOf, startService } from './pipeline.ts';
import { startRedis } from './redis-server.ts';
import { makeRows, writeFiles, writeRows } from './rows.ts';
import { median, printTable } from './table.ts';

const turns = 25;
const files = 200;
/** Posts a second, and at once after a pause. */
const limit = { rate: 250, burst: 50 };

/** As their jobs leave rows that wait: with their file. @param time at which each goes on, or is planned (Unix epoch, milliseconds). */
async function makeReady(
  { redis, ledger: { keys } }: { readonly redis: Redis; readonly ledger: Ledger },
  id: string,
  rows: number,
  { gate, time }: { readonly gate: 'ready' | 'unapproved'; readonly time: (row: number) => number },
): Promise<void> {
  for (let first = 0; first < rows; first += 1000) {
    const pipeline = redis.pipeline();
    for (let row = first; row < Math.min(rows, first + 1000); row += 1) {
      pipeline.setrange(keys.states(id), row * 2, 'y');
      pipeline.hset(keys.progress(id, row), 'file:0', String(row % files));
      pipeline.zadd(keys.index(id, gate), time(row), String(row));
    }
    await pipeline.exec();
  }
  const counted = { waiting: 0, ready: rows, cursor: rows, unapproved: gate === 'unapproved' ? rows : 0 };
  await redis.hset(keys.campaign(id), counted);
}

/** Milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return median(times);
}

async function importReady(
  runner: Awaited<ReturnType<typeof openRunner>>,
  folder: string,
  rows: number,
  gate: Parameters<typeof makeReady>[3] | undefined,
): Promise<string> {
  await writeRows(folder, makeRows({ rows, files, creators: 50, products: 20 }));
  const id = await runner.importManifest();
  if (gate) await makeReady(runner, id, rows, gate);
  return id;
}

async function benchPages(runner: Awaited<ReturnType<typeof openRunner>>, id: string, rows: number) {
  const { context } = runner;
  const state = 'ready' as const;
  const pages = {
    'a page of 50 ready rows': () => listRows(context, id, { filter: { state } }),
    'the last of these pages': () => listRows(context, id, { filter: { state }, cursor: String(rows - 50) }),
    '20 posts that wait for an approval': () => listWaitingPosts(context),
    'the last 20': () => listWaitingPosts(context, { from: `${id}.${rows - 20}` }),
    '20 of one creator': () => listWaitingPosts(context, { filter: { creator: 'creator_7' } }),
    'none of 5,000 (a filter that fits none)': () =>
      listWaitingPosts(context, { filter: { creator: 'nobody' } }),
  };
  const lines: (readonly [string, readonly string[]])[] = [];
  for (const [name, page] of Object.entries(pages)) lines.push([name, [(await timeOf(page)).toFixed(1)]]);
  printTable(`${rows.toLocaleString('en')} ready rows`, ['ms'], lines);
  process.stdout.write('\n');
}

/** The most that came within any second, and the mean from the first to the last. */
function ratesOf(times: readonly number[]): { readonly most: number; readonly mean: number } {
  let [from, most] = [0, 0];
  for (const [index, time] of times.entries()) {
    while ((times[from] ?? 0) <= time - 1000) from += 1;
    most = Math.max(most, index - from + 1);
  }
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  return { most, mean: times.length / seconds };
}

export async function benchGates(rows: number, due: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-gates-'));
  const data = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const { address, process: service } = await startService();
  await writeFiles(folder, files);
  const redisServer = await startRedis(data);
  process.env.BENCH_SETTINGS = JSON.stringify({
    rateLimits: { default: { rate: 1e6, per: '1s', burst: 1e6 }, createCreatorPost: { per: '1s', ...limit } },
  });
  const runner = await openRunner({
    address,
    socket: redisServer.socket,
    folder,
    manifest: join(folder, 'rows.csv'),
  });
  const { ledger, queues, workers } = runner;
  try {
    const planned = Date.now() + 86_400_000;
    const waiting = await importReady(runner, folder, rows, {
      gate: 'unapproved',
      time: (row) => planned + row,
    });
    await benchPages(runner, waiting, rows);
    await workers.start();
    const lines: (readonly [string, readonly string[]])[] = [];
    for (const name of ['just imported', 'due at once']) {
      const gate = name === 'due at once' ? ({ gate: 'ready', time: () => 1 } as const) : undefined;
      const id = await importReady(runner, folder, due, gate);
      await queues.wakeAdmission(id);
      while ((await ledger.campaigns.find(id))?.state !== 'ended') await sleep(100);
      const { '/v1/creator/post/create': posts = [] } = await callsOf(service);
      const { most, mean } = ratesOf(posts);
      lines.push([name, [String(posts.length), mean.toFixed(0), String(most)]]);
    }
    await workers.stop(5000);
    const limits = `${due.toLocaleString('en')} rows, at most ${limit.rate} a second, ${limit.burst} at once`;
    printTable(limits, ['posts', 'a second', 'most in one'], lines);
    process.stdout.write('\n');
  } finally {
    await runner.close();
    service.disconnect();
    redisServer.process.kill();
    await once(redisServer.process, 'exit');
    await rm(data, { recursive: true });
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const [rows = 100_000, due = 10_000] = process.argv.slice(2).map(Number);
  await benchGates(rows, due);
  process.exit(0);
}
