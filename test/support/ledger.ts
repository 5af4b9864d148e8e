/** A ledger in the test's own namespace, with a clock to set, and campaigns of any number of rows. */
import type { Redis } from 'ioredis';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import type { RowSheet, StoredRow } from '../../src/ledger/rows/stored-rows.ts';
import type { RowRef } from '../../src/manifest/row-ref.ts';
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
      /** What a row has as its creator. */
      readonly creatorOf?: (row: number) => string;
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
    async campaign(rows, { window = 1000, creatorOf = (row: number) => `creator-${row}`, ...holds } = {}) {
      imported += 1;
      const staged = ledger.newImport();
      await staged.add(
        Array.from({ length: rows }, (_, row) => ({ number: row + 1, cells: [creatorOf(row)] })),
      );
      const { id } = await staged.commit({
        ...importFacts,
        sha256: `sha-${imported}`,
        window,
        ...holds,
      });
      return id;
    },
    async admit(campaign, rows) {
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
    },
  };
}

/** Retries failed rows, in the revision that they have. */
export async function retryNow(ledger: Ledger, campaign: string, rows: readonly number[]) {
  const statuses = await ledger.rows.statusesOf(campaign, rows);
  const versions = rows.map((row, index) => ({ row, revision: statuses[index]?.revision ?? 0 }));
  return (await ledger.rows.redo(campaign, versions)).rows;
}

/** All rows of a stored chunk, in order. */
export async function chunkOf(ledger: Ledger, sheet: RowSheet, chunk: number): Promise<readonly StoredRow[]> {
  return (await Array.fromAsync(ledger.store.parts(sheet, chunk))).flat();
}

/** What a step sends at its start. */
export function stepStart(ref: RowRef, jobId = 'job') {
  return { ...ref, jobId, creatorId: 'creator' };
}
