/** One round: a campaign, faults while it runs, and a comparison when all of them are healed. */
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createLedger } from '../../src/ledger/ledger.ts';
import { Queues } from '../../src/queues/queues.ts';
import { type Random, randomFrom } from '../fuzz/random.ts';
import { writeMedia } from '../support/sheets/media.ts';
import { aiPhotoRow, aiVideoRow, creators, localFiles, photoRow, videoRow } from '../support/sheets/rows.ts';
import { type Cells, readSheet, writeSheet } from '../support/sheets/sheet.ts';
import { Approver } from './approver.ts';
import { compare, leftoverJobs } from './compare.ts';
import { Ends } from './ends.ts';
import { Person } from './person.ts';
import { type Script, writeScript } from './script.ts';
import { Site } from './site.ts';
import { Timeline } from './timeline.ts';

export interface RoundOptions {
  readonly seed: number;
  /** Kinds of faults to choose from. */
  readonly kinds: readonly string[];
  /** How long faults strike, at least and at most. */
  readonly lastsMs: readonly [number, number];
  readonly rows: readonly [number, number];
  readonly workers: readonly [number, number];
  /** Most time that a frozen worker may outlast the other faults. */
  readonly outlastsMs: number;
  /** Aborted: the round ends at once. */
  readonly signal?: AbortSignal | undefined;
}

export interface RoundResult {
  /** One line. */
  readonly summary: string;
  readonly violations: readonly string[];
  /** Everything about a round with violations. */
  readonly report: string;
  /** Kept if there are violations. */
  readonly folder: string;
}

const prefix = '{campaigns}';
/** On a busy machine, a person needs long for many rows: only a campaign of which nothing changes any more does not end. */
const changesWithinMs = 120_000;
const endsWithinMs = 900_000;
const jobsEndWithinMs = 15_000;

/** @throws {AbortError} when the signal is aborted. */
export async function playRound(options: RoundOptions): Promise<RoundResult> {
  const { seed, signal } = options;
  const random = randomFrom(seed);
  const draw = ([least, most]: readonly [number, number]) => random.integer(least, most);
  const timeline = new Timeline();
  await using ends = new Ends();
  const lastsMs = draw(options.lastsMs);
  const rows = mixedRows(random, draw(options.rows), lastsMs);
  const site = await Site.open(ends, timeline, {
    workers: draw(options.workers),
    postRate: Math.max(1, Math.round(rows.length / (lastsMs / 1000))),
    redisDelayMs: random.pick([0, 2, 10, 30]),
    clockShiftMs: random.integer(20, 3600) * 1000 * random.pick([1, -1]),
    hasRecords: random.once(3),
    outlastsMs: options.outlastsMs,
    signal,
  });
  const script = writeScript(random, options.kinds, lastsMs);
  const ledger = createLedger({ redis: site.redis.connection, prefix });
  const queues = new Queues({ connection: site.redis.connection, prefix, attempts: 1 });
  ends.onTestFinished(() => queues.close());
  const approver = new Approver({
    site,
    ledger,
    queues,
    random: randomFrom(random.integer(0, 2 ** 31)),
    mayForget: script.kinds.includes('redis-back'),
  });
  const person = new Person(site, queues, random, { approver, rows });
  const violations: string[] = [];

  await importOrUpdate(site, rows);
  await Promise.all(site.workers.map((worker) => worker.start()));
  await strike(site, script, { person, approver }, { lastsMs, random, signal });
  timeline.note('all faults are healed');
  if (!(await untilEnded(person, signal))) violations.push('the campaign does not end');
  violations.push(...(await untilNoJobs(queues, site.redis.connection, signal)));
  for (const worker of site.workers) {
    const code = await worker.stop().catch((error: Error) => error.message);
    if (code !== 0) violations.push(`${worker.name} ended with ${code}`);
    violations.push(...worker.crashes);
  }

  await site.run(['report', 'c1', '--out', 'c1.results.csv']);
  const record = await site.service.record();
  const sheet = readSheet(join(site.folder, 'c1.results.csv'));
  violations.push(...compare(record, sheet, await ledger.campaigns.find('c1')));
  violations.push(...approver.unapproved(record, sheet.rows));
  const { posts } = record.effects();
  const summary = [
    `seed ${String(seed).padEnd(10)}`,
    `${site.strikes} faults`,
    `${rows.length} rows`,
    `${(timeline.elapsed / 1000).toFixed(1)} s`,
    `${posts.length} posts`,
    `${person.decided} decided`,
    `${Object.entries(approver.said)
      .map(([verdict, many]) => `${many} ${verdict}`)
      .join(', ')}`,
    `${person.edited} edited`,
    violations.length === 0 ? 'ok' : `${violations.length} VIOLATIONS`,
    `(${script.kinds.join(' ')})`,
  ].join('  ');
  if (violations.length === 0) {
    await rm(site.folder, { recursive: true, force: true });
    return { summary, violations, report: '', folder: site.folder };
  }
  const keys = sheet.rows
    .map(({ key }) => key)
    .filter((key) => violations.some((text) => text.startsWith(`row ${key} `)));
  const stories = [];
  for (const key of keys.slice(0, 5)) stories.push((await site.run(['show', 'c1', key]))?.stdout ?? '');
  for (const worker of site.workers) worker.keepLogs();
  writeFileSync(join(site.folder, 'service.json'), JSON.stringify(record.calls(), null, 1));
  const report = [...violations, '', `${timeline}`, '', ...stories, `files: ${site.folder}`].join('\n');
  writeFileSync(join(site.folder, 'report.txt'), `${summary}\n${report}\n`);
  return { summary, violations, report, folder: site.folder };
}

/**
 * Rows of all kinds and creators; some are scheduled, so late that no fault makes them late, and some of these become ready first. A third
 * waits for an approval.
 */
function mixedRows(random: Random, count: number, lastsMs: number): readonly Cells[] {
  return Array.from({ length: count }, (_, index) => {
    const lead = random.integer(2, 20);
    const at = (afterMs: number) => new Date(Date.now() + lead * 3_600_000 + afterMs).toISOString();
    const planned = random.pick([
      {},
      {},
      {},
      { scheduled_at: at(0) },
      { scheduled_at: at(random.integer(0, lastsMs)), lead: `${lead}h` },
    ]);
    const approve = random.once(3) ? { approve: 'all' } : {};
    const cells = { creator: random.pick(creators), ...planned, ...approve };
    const make = random.pick([
      () => videoRow(`v${index}`, cells),
      () => videoRow(`v${index}`, cells),
      () => photoRow(`f${index}`, 2, cells),
      () => aiVideoRow(`a${index}`, cells),
      () => aiPhotoRow(`p${index}`, 2, cells),
    ]);
    return make();
  });
}

async function importOrUpdate(site: Site, rows: readonly Cells[]): Promise<void> {
  writeMedia(site.folder, localFiles(rows));
  writeSheet(join(site.folder, 'posts.csv'), rows);
  const imported = await site.run(['import', 'posts.csv']);
  if (imported?.code !== 0)
    throw new Error(`campaigns import: ${imported?.stderr ?? 'it did not end in time'}`);
  // Calls take a while, so that faults find some under way.
  for (const operation of ['createCreatorPost', 'createAiGenerationSchedule'] as const) {
    await site.service.add({ operation, kind: 'delay', when: 'after', ms: 1500, probability: 0.5 });
  }
  site.timeline.note(`${rows.length} rows are imported`);
}

interface StrikeOptions {
  readonly lastsMs: number;
  readonly random: Random;
  readonly signal: AbortSignal | undefined;
}

/** Carries out the script, with the people at work beside it, and heals the site. */
async function strike(
  site: Site,
  { faults }: Script,
  { person, approver }: { readonly person: Person; readonly approver: Approver },
  { lastsMs, random, signal }: StrikeOptions,
): Promise<void> {
  site.timeline.note(`faults strike for ${(lastsMs / 1000).toFixed(1)} s`);
  const strikes = faults.map(async ({ at, strike: carryOut }) => {
    await sleep(at, undefined, { signal });
    await carryOut(site);
  });
  let isOver = false;
  const working = async (act: () => Promise<unknown>) => {
    while (!isOver) {
      await sleep(random.integer(100, 1500));
      await act();
    }
  };
  const work = Promise.all([
    working(() => (site.isHealing ? person.act() : person.actAtRandom())),
    working(() => approver.actAtRandom()),
  ]);
  try {
    await sleep(lastsMs, undefined, { signal });
    site.heal();
    await Promise.all(strikes);
  } finally {
    site.heal();
    isOver = true;
    await Promise.allSettled([...strikes, work]);
  }
  await work;
  await site.service.removeAll();
}

/** The person does what is left to do. @returns whether the campaign has ended in time. */
async function untilEnded(person: Person, signal: AbortSignal | undefined): Promise<boolean> {
  const began = performance.now();
  let [seen, changedAt] = ['', began];
  while (!(await person.act())) {
    const now = performance.now();
    if (person.seen !== seen) [seen, changedAt] = [person.seen, now];
    if (now > Math.min(changedAt + changesWithinMs, began + endsWithinMs)) return false;
    await sleep(1000, undefined, { signal });
  }
  return true;
}

/** @returns jobs that are left after a while. */
async function untilNoJobs(
  queues: Queues,
  redis: Redis,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const deadline = performance.now() + jobsEndWithinMs;
  for (;;) {
    const left = await leftoverJobs(queues, redis);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(500, undefined, { signal });
  }
}
