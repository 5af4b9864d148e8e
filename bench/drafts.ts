/**
 * A draft in the console: the check of a dropped sheet beside `campaigns check`, and one mended cell beside a check of the whole sheet.
 *
 *     node bench/drafts.ts [rows] [rounds]
 *
 * "Shown" is what a page reads after a mend: the state of the draft, and the first fifty rows with problems. Every measurement runs in
 * its own process, on the same files, service and Redis; ratios compare within a round.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkManifestFile } from '../src/campaigns/import/check.ts';
import { changeDraft, createDraft } from '../src/drafts/drafts.ts';
import { draftFiles } from '../src/drafts/folder.ts';
import { OpenDrafts } from '../src/drafts/open-drafts.ts';
import type { Runtime } from '../src/runtime/runtime.ts';
import { measureApart, measureHere } from './apart.ts';
import { type Given, openRunner } from './open-runner.ts';
import { startRedis } from './redis-server.ts';
import { makeRows, writeFiles, writeRows } from './rows.ts';
import { median, printTable } from './table.ts';

interface Task extends Given {
  readonly mode: 'check' | 'draft' | 'mends';
}

interface Measurement {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak of the resident set above its size at the start, in bytes. */
  readonly peakBytes: number;
  /** Of each mend. */
  readonly mendMs: readonly number[];
}

const files = 1000;
const mends = 31;
/** Position of the product id in the sheet of `makeRows`. */
const mendedPosition = 3;
const untilChecked = { waitMs: 600_000 };

/** Runs in a process of its own. */
async function measure(task: Task): Promise<Measurement> {
  await using bench = await openBench(task);
  const { runtime } = bench;
  const before = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const mendMs = task.mode === 'check' ? await checkAlone(runtime, task) : await checkDraft(runtime, task);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1e6;
  return { seconds, cpuSeconds, peakBytes: process.resourceUsage().maxRSS * 1024 - before, mendMs };
}

async function checkAlone(runtime: Runtime, { manifest, folder }: Task): Promise<readonly number[]> {
  const file = { file: manifest, path: manifest, name: 'rows', folder };
  const { check } = await checkManifestFile(runtime, file, runtime.accounts.need('default'), {});
  if (check.accepted !== check.rows) throw new Error(JSON.stringify(check.problems.kept[0]));
  return [];
}

async function checkDraft(runtime: Runtime, { manifest, mode }: Task): Promise<readonly number[]> {
  const drafts = new OpenDrafts(runtime, { settleMs: 2 ** 31 - 1 });
  const { id } = await createDraft(runtime, 'bench');
  await copyFile(manifest, draftFiles(runtime, id).sheet);
  const { size } = await stat(manifest);
  const sha256 = createHash('sha256')
    .update(await readFile(manifest))
    .digest('hex');
  const drop = { by: 'bench', version: undefined, what: 'the sheet' };
  await changeDraft(runtime, id, drop, () => ({ sheet: { name: 'rows.csv', bytes: size, sha256 } }));
  const { checked } = await drafts.look(id, untilChecked);
  if (checked === undefined || checked.accepted !== checked.rows) throw new Error('the draft has problems');
  const taken: number[] = [];
  for (let count = 0; mode === 'mends' && count < mends; count += 1) {
    const row = 1 + ((count * 7919) % checked.rows);
    // One in two is a mistake.
    const text = count % 2 === 0 ? `17294323429${count}` : `no id ${count}`;
    const begun = performance.now();
    await drafts.mend(
      id,
      { by: 'bench', version: undefined },
      { cells: [{ row, position: mendedPosition, text }] },
      'a cell',
    );
    await drafts.window(id, 'problems', 0, 50);
    taken.push(performance.now() - begun);
  }
  return taken;
}

async function openBench(given: Given) {
  const runner = await openRunner(given);
  const { ledger, queues, client, rateLimits, context, redis } = runner;
  const account = { name: 'default', client, rateLimits };
  const settings = { ...context.settings, media: { ...context.settings.media, root: given.folder } };
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-drafts-'));
  const runtime = {
    ledger,
    queues,
    settings,
    views: context.views,
    log: context.log,
    now: context.now,
    redis: { connect: () => redis, description: 'the Redis of the benchmark' },
    accounts: { ...context.accounts, names: ['default'], need: () => account },
    environment: { dataDir },
    notify: () => undefined,
  };
  return {
    runtime: runtime as unknown as Runtime,
    async [Symbol.asyncDispose]() {
      await rm(dataDir, { recursive: true });
      // Connections that nothing waits for stay open.
      process.once('disconnect', () => process.exit(0));
    },
  };
}

async function startService(): Promise<{ readonly address: string; readonly process: ChildProcess }> {
  const service = fork(new URL('./stand-in.ts', import.meta.url).pathname);
  const [{ address }] = (await once(service, 'message')) as [{ address: string }];
  return { address, process: service };
}

export async function benchDrafts(rows: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-draft-rows-'));
  const service = await startService();
  const redis = await startRedis(folder);
  try {
    await writeFiles(folder, files);
    await writeRows(folder, makeRows({ rows, files, creators: 50, products: 1000 }));
    const given = {
      address: service.address,
      socket: redis.socket,
      folder,
      manifest: join(folder, 'rows.csv'),
    };
    const apart = (mode: Task['mode']) =>
      measureApart<Measurement>(import.meta.url, { ...given, mode } satisfies Task);
    const checks: Measurement[] = [];
    const drafts: Measurement[] = [];
    for (let round = 0; round < rounds; round += 1) {
      checks.push(await apart('check'));
      drafts.push(await apart('draft'));
    }
    const { mendMs } = await apart('mends');
    print(rows, checks, drafts, mendMs);
  } finally {
    service.process.disconnect();
    redis.process.kill();
    await once(redis.process, 'exit');
    await rm(folder, { recursive: true });
  }
}

function print(
  rows: number,
  checks: readonly Measurement[],
  drafts: readonly Measurement[],
  mendMs: readonly number[],
): void {
  const ms = (measured: readonly Measurement[]) => median(measured.map(({ seconds }) => seconds * 1000));
  const megabytes = (measured: readonly Measurement[]) =>
    (median(measured.map(({ peakBytes }) => peakBytes)) / 1e6).toFixed(0);
  const cpuMs = (measured: readonly Measurement[]) =>
    median(measured.map(({ cpuSeconds }) => cpuSeconds * 1000)).toFixed(0);
  const ratio = (of: 'seconds' | 'cpuSeconds') =>
    median(drafts.map((draft, round) => draft[of] / (checks[round]?.[of] ?? Number.NaN))).toFixed(2);
  printTable(
    `a draft of ${rows.toLocaleString('en')} rows`,
    ['ms', 'ratio', 'CPU ms', 'ratio', 'peak MB'],
    [
      ['campaigns check', [ms(checks).toFixed(0), '1.00', cpuMs(checks), '1.00', megabytes(checks)]],
      [
        'check of the dropped sheet',
        [ms(drafts).toFixed(0), ratio('seconds'), cpuMs(drafts), ratio('cpuSeconds'), megabytes(drafts)],
      ],
      [
        'one mended cell, checked and shown',
        [median(mendMs).toFixed(0), (median(mendMs) / ms(drafts)).toFixed(3), '', '', ''],
      ],
    ],
  );
}

if (!(await measureHere(measure)) && import.meta.main) {
  await benchDrafts(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 5));
}
