/**
 * A large campaign from its first row to its last: the cost of a row in each tenth of it, the memory of Redis, and the gain of
 * a second worker process.
 *
 *     node bench/scale.ts [rows] [workers ...]
 *
 * It compares CPU time, because the speed of the machine drifts over the minutes of a run; the wall clock stands beside it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { launcherFlags } from './apart.ts';
import { type Given, openRunner } from './open-runner.ts';
import { startRedis } from './redis-server.ts';
import { makeRows, writeFiles, writeRows } from './rows.ts';
import { printTable } from './table.ts';

const parts = 10;

interface Sample {
  readonly ended: number;
  readonly seconds: number;
  /** CPU time of all workers, and of Redis. */
  readonly workerSeconds: number;
  readonly redisSeconds: number;
  readonly redisBytes: number;
}

function startWorker(given: Given): ChildProcess {
  return fork(new URL('./runner-worker.ts', import.meta.url).pathname, [], {
    env: { ...process.env, BENCH: JSON.stringify(given) },
    execArgv: [...launcherFlags],
  });
}

async function cpuOf(workers: readonly ChildProcess[]): Promise<number> {
  const seconds = workers.map(async (worker) => {
    worker.send('cpu');
    const [{ cpuSeconds }] = (await once(worker, 'message')) as [{ cpuSeconds: number }];
    return cpuSeconds;
  });
  return (await Promise.all(seconds)).reduce((sum, each) => sum + each, 0);
}

async function infoOf(redis: Redis): Promise<Pick<Sample, 'redisSeconds' | 'redisBytes'>> {
  const info = `${await redis.info('cpu')}${await redis.info('memory')}`;
  const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return {
    redisSeconds: number('used_cpu_user') + number('used_cpu_sys'),
    redisBytes: number('used_memory'),
  };
}

/** Runs a campaign. @returns a sample at its start and at the end of each part. */
async function measure(rows: number, workerCount: number, folder: string): Promise<readonly Sample[]> {
  const data = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const service = fork(new URL('./stand-in.ts', import.meta.url).pathname);
  const [{ address }] = (await once(service, 'message')) as [{ address: string }];
  const server = await startRedis(data);
  const given = { address, socket: server.socket, folder, manifest: join(folder, 'rows.csv') };
  const { ledger, queues, redis, importManifest, close } = await openRunner(given);
  const workers: ChildProcess[] = [];
  try {
    const id = await importManifest();
    for (let count = 0; count < workerCount; count += 1) workers.push(startWorker(given));
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    const begun = performance.now();
    const sample = async (ended: number): Promise<Sample> => ({
      ended,
      seconds: (performance.now() - begun) / 1000,
      workerSeconds: await cpuOf(workers),
      ...(await infoOf(redis)),
    });
    const samples = [await sample(0)];
    await queues.wakeAdmission(id);
    while (samples.length <= parts) {
      await sleep(50);
      const posted = (await ledger.campaigns.find(id))?.counts.posted ?? 0;
      if (posted >= (rows * samples.length) / parts) samples.push(await sample(posted));
    }
    return samples;
  } finally {
    for (const worker of workers) worker.disconnect();
    await Promise.all(workers.map((worker) => once(worker, 'exit')));
    await close();
    service.disconnect();
    server.process.kill();
    await once(server.process, 'exit');
    await rm(data, { recursive: true });
  }
}

export async function benchScale(rows: number, workerCounts: readonly number[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-rows-'));
  try {
    await writeFiles(folder, 200);
    await writeRows(folder, makeRows({ rows, files: 200, creators: 50, products: 20 }));
    const rates: number[] = [];
    for (const count of workerCounts) {
      const samples = await measure(rows, count, folder);
      printParts(
        `${rows.toLocaleString('en')} rows, ${count === 1 ? 'one worker' : `${count} workers`}`,
        samples,
      );
      rates.push(rateOf(samples));
    }
    const [alone = Number.NaN, ...others] = rates;
    for (const [index, rate] of others.entries()) {
      process.stdout.write(`${workerCounts[index + 1]} workers: ${(rate / alone).toFixed(2)} of one\n`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Rows a second after the first part, in which every process compiles its code. */
function rateOf(samples: readonly Sample[]): number {
  const [, first] = samples;
  const last = samples.at(-1);
  if (!first || !last) return Number.NaN;
  return (last.ended - first.ended) / (last.seconds - first.seconds);
}

function printParts(title: string, samples: readonly Sample[]): void {
  const costs = samples.slice(1).map((sample, index) => {
    const before = samples[index] as Sample;
    const done = sample.ended - before.ended;
    const perRow = (seconds: number) => (seconds * 1e6) / done;
    return {
      name: `to row ${sample.ended.toLocaleString('en')}`,
      rate: done / (sample.seconds - before.seconds),
      worker: perRow(sample.workerSeconds - before.workerSeconds),
      redis: perRow(sample.redisSeconds - before.redisSeconds),
      megabytes: sample.redisBytes / 1e6,
    };
  });
  printTable(
    title,
    ['rows/s', 'Node us/row', 'Redis us/row', 'Redis MB'],
    costs.map(({ name, rate, worker, redis, megabytes }) => [
      name,
      [rate, worker, redis, megabytes].map((value) => value.toFixed(0)),
    ]),
  );
  // The first part compiles the code and uploads the files.
  const [, early, ...rest] = costs;
  const late = rest.at(-1);
  if (!early || !late) return;
  const ratio = (late.worker + late.redis) / (early.worker + early.redis);
  process.stdout.write(`a row at the end costs ${ratio.toFixed(2)} of one at the start\n\n`);
}

if (import.meta.main) {
  const [rows = 1_000_000, ...workers] = process.argv.slice(2).map(Number);
  await benchScale(rows, workers.length > 0 ? workers : [1, 2]);
  process.exit(0);
}
