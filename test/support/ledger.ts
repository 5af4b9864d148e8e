/** A ledger in the test's own namespace, with a clock to set, and campaigns of any number of rows. */
import type { Redis } from 'ioredis';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import type { RowSheet, StoredRow } from '../../src/ledger/rows/stored-rows.ts';
import { letterOfState, type RowError, type RowState, rowStates, statusAt } from '../../src/ledger/states.ts';
import type { RowRef } from '../../src/manifest/row.ts';
import { redisNamespace } from './redis/redis.ts';

export interface TestLedger {
  readonly ledger: Ledger;
  readonly redis: Redis;
  readonly prefix: string;
  /** Unix epoch in milliseconds; tests move it. */
  readonly clock: { now: number };
  /** Imports a campaign of identical rows. @returns its id. */
  campaign(
    rows: number,
    options?: {
      readonly window?: number;
      readonly canary?: number;
      readonly stopAfter?: number;
      readonly leftOut?: number;
      /** What a row has as its creator. */
      readonly creatorOf?: (row: number) => string;
      /** Rows have all columns that a post needs; default: only a creator. */
      readonly isWhole?: boolean;
    },
  ): Promise<string>;
  /** Makes rows of a campaign `running`, as the admission does. */
  admit(campaign: string, rows: readonly number[]): Promise<void>;
}

/** What a test does not care about when it imports a campaign. */
export const importFacts = {
  name: 'test',
  sha256: 'sha',
  header: ['creator'],
  mediaRoot: '/media',
  timezone: null,
  source: 'test.csv',
  window: 1000,
  leftOut: 0,
  creators: new Map<string, never>(),
  again: false,
};

export function testLedger(): TestLedger {
  const { redis, prefix } = redisNamespace();
  return ledgerOn(redis, prefix);
}

/** As `testLedger`, on the test's own Redis. */
export function ledgerOn(redis: Redis, prefix: string): TestLedger {
  const clock = { now: Date.UTC(2026, 5, 1) };
  const ledger = createLedger({ redis, prefix, now: () => clock.now });
  let imported = 0;
  return {
    ledger,
    redis,
    prefix,
    clock,
    async campaign(rows, { creatorOf = (row: number) => `creator-${row}`, isWhole = false, ...facts } = {}) {
      imported += 1;
      const staged = ledger.newImport();
      const rest = isWhole ? ['a.mp4', 'A caption', 'p', 'P'] : [];
      await staged.add(
        Array.from({ length: rows }, (_, row) => ({ number: row + 1, cells: [creatorOf(row), ...rest] })),
      );
      const header = isWhole ? ['creator', 'media', 'caption', 'product_id', 'product_title'] : ['creator'];
      const { id } = await staged.commit({ ...importFacts, header, sha256: `sha-${imported}`, ...facts });
      return id;
    },
    admit: (campaign, rows) => admitRows(ledger, campaign, rows),
  };
}

async function admitRows(ledger: Ledger, campaign: string, rows: readonly number[]): Promise<void> {
  const found = await ledger.campaigns.find(campaign);
  const cursor = found?.cursor ?? 0;
  const statuses = await Promise.all(rows.map((row) => ledger.rows.statuses(campaign, row, 1)));
  await ledger.admission.admit({
    campaign,
    number: found?.admissions ?? 0,
    cursor: Math.max(cursor, ...rows.map((row) => row + 1)),
    groups: [],
    rows: rows.map((row, index) => ({
      row,
      revision: statuses[index]?.[0]?.revision ?? 0,
      atOnce: true,
      fields: [],
    })),
  });
}

/** Rows are admitted and posted, as by a worker. */
export async function postRows(
  ledger: Ledger,
  campaign: string,
  posts: readonly (readonly [row: number, postId: string])[],
): Promise<void> {
  await admitRows(
    ledger,
    campaign,
    posts.map(([row]) => row),
  );
  for (const [row, postId] of posts) {
    const result = { postId, postStatus: 'SCHEDULED', fileIds: [], at: Date.now() };
    const ref = { campaign, row, revision: 0, step: 'post', jobId: 'job' } as const;
    await ledger.steps.finish({ ...ref, end: { verdict: 'posted', result, assets: [] } });
  }
}

export interface EndedRow {
  readonly row: number;
  readonly state: Exclude<RowState, 'waiting' | 'running'>;
  readonly error?: Partial<RowError>;
}

/** What takes the steps of a row, time, or a killed process to come about: written as the scripts would have left it. */
export function asIf({ ledger: { keys }, redis }: Pick<TestLedger, 'ledger' | 'redis'>) {
  return {
    /** These rows have ended. The campaign counts them. */
    async ended(campaign: string, rows: readonly EndedRow[]): Promise<void> {
      const pipeline = redis.pipeline();
      for (const { row, state, error } of rows) {
        pipeline.setrange(keys.states(campaign), row * 2, letterOfState(state));
        if (state !== 'failed' && state !== 'review') continue;
        const whole = { step: 'post', code: 'http_400', message: 'It was refused.', at: 0, ...error };
        pipeline.zadd(keys.index(campaign, state), row, String(row));
        pipeline.hset(keys.errors(campaign), row, JSON.stringify(whole));
      }
      await pipeline.exec();
      const bytes = await redis.getBuffer(keys.states(campaign));
      const states = Array.from(
        { length: (bytes?.length ?? 0) / 2 },
        (_, row) => statusAt(bytes as Buffer, row)?.state,
      );
      const counts = rowStates.map((state) => [state, states.filter((each) => each === state).length]);
      await redis.hset(keys.campaign(campaign), Object.fromEntries(counts));
    },
    /** A worker was killed in a call of the row. @param entry of the journal, as in `docs/internals/states.md`. */
    async inCall(campaign: string, row: number, entry: string): Promise<void> {
      await redis.hset(keys.progress(campaign, row), 'journal:post', entry);
    },
    /** Rows were posted in these minutes since the epoch. */
    async postedIn(
      campaign: string,
      minutes: readonly (readonly [minute: number, posted: number])[],
    ): Promise<void> {
      const fields = minutes.map(([minute, posted]) => [String(minute % 1440), `${minute} ${posted}`]);
      await redis.hset(keys.pace(campaign), Object.fromEntries(fields));
    },
    async changed(campaign: string, changes: readonly (readonly [row: number, at: number])[]): Promise<void> {
      await redis.zadd(keys.changed(campaign), ...changes.flatMap(([row, at]) => [at, row]));
    },
    /** A periodic job ran last so many milliseconds ago. */
    async lastRun(job: string, agoMs: number): Promise<void> {
      await redis.hset(keys.periodic, job, `${Date.now() - agoMs} 15000`);
    },
    /** The workers have not been heard for a minute. */
    async silent(): Promise<void> {
      const [seconds] = await redis.time();
      for (const worker of await redis.zrange(keys.workers, '0', '-1'))
        await redis.zadd(keys.workers, Number(seconds) * 1000 - 60_000, worker);
    },
  };
}

/** Retries failed rows, in the revision that they have. */
export async function retryNow(ledger: Ledger, campaign: string, rows: readonly number[]) {
  const statuses = await ledger.rows.statusesOf(campaign, rows);
  const versions = rows.map((row, index) => ({ row, revision: statuses[index]?.revision ?? 0 }));
  return (await ledger.rows.redo(campaign, versions)).rows;
}

/** A person accepts the journal as it is. */
export async function acceptJournal({ journal }: Ledger): Promise<void> {
  const loss = (await journal.loss()) ?? (await lossFoundNow(journal));
  await journal.accept(loss, loss.noticedAt, await journal.server());
}

async function lossFoundNow(journal: Ledger['journal']) {
  const look = await journal.check();
  return (await journal.loss()) ?? (await journal.unnoticed(look));
}

/** All rows of a stored chunk, in order. */
export async function chunkOf(ledger: Ledger, sheet: RowSheet, chunk: number): Promise<readonly StoredRow[]> {
  const parts = await Array.fromAsync(ledger.store.parts(sheet, chunk));
  return parts.flat().map(([, stored]) => stored);
}

/** What a step sends at its start. */
export function stepStart(ref: RowRef, jobId = 'job') {
  return { ...ref, jobId, creatorId: 'creator' };
}
