/**
 * Which worker processes are alive, on all machines. Each announces itself and sends heartbeats. A worker that was killed,
 * frozen or cut off from Redis goes silent and is shown as missing for a while; a run that goes silent is not.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { TimeAnswer } from '../platform/redis/clock.ts';
import type { JournalPosition } from './journal-position.ts';
import { type LedgerContext, LedgerPart } from './ledger-part.ts';
import { readAllStored } from './stored-json.ts';

/** The longest name of a host in DNS, and more queues than there are. */
const name = z.string().max(255);
const names = z.array(name).max(50).readonly();

/** Facts that a worker publishes about itself at its start. None is secret. */
const workerFacts = z.object({
  host: name,
  pid: z.int(),
  version: name,
  queues: names,
  periodic: names.optional(),
  /** It ends with its campaigns (`run`), so nobody misses it afterwards. */
  isRun: z.boolean().optional(),
  /** Start time: Unix epoch, milliseconds. */
  since: z.number(),
});
export type WorkerFacts = Readonly<z.infer<typeof workerFacts>>;

const workerState = z.object({
  atWork: z.int().min(0).optional(),
  /** By how far its clock is ahead of Redis' (negative: behind), so that it takes no jobs; undefined: its clock is right. */
  clockAheadMs: z.int().optional(),
});
export type WorkerState = Readonly<z.infer<typeof workerState>>;

const storedWorker = workerFacts.extend(workerState.shape);

/** As of its last heartbeat. */
export interface WorkerPresence extends WorkerFacts, WorkerState {
  readonly id: string;
  /** Milliseconds since its last heartbeat, by the clock of Redis. */
  readonly seenMsAgo: number;
  readonly isAlive: boolean;
}

export const heartbeatMs = 5_000;
/** Three missed heartbeats: the worker is gone or frozen. */
const silentMs = 16_000;
const rememberedMs = 600_000;

export interface Announcement {
  /**
   * @param periodicJobs each with its period, in milliseconds.
   * @returns `due`: names of the periodic jobs that this process must add: only one process gets each, in each period.
   */
  beat(
    state?: WorkerState,
    periodicJobs?: readonly { readonly name: string; readonly everyMs: number }[],
  ): Promise<{ readonly time: TimeAnswer; readonly due: readonly string[] }>;
  /** Removes the announcement of a worker that stops normally, after its last heartbeat. */
  withdraw(): Promise<void>;
}

export class Presence extends LedgerPart {
  readonly #journal: JournalPosition;

  /** @param journal compared at each heartbeat. */
  constructor(context: LedgerContext, journal: JournalPosition) {
    super(context);
    this.#journal = journal;
  }

  /** Announces a worker, which is known to others from its first heartbeat on. Its caller sends one every `heartbeatMs`. */
  announce(facts: WorkerFacts): Announcement {
    const id = `${facts.host}:${facts.pid}:${randomBytes(3).toString('hex')}`;
    const remembered = facts.isRun ? silentMs : rememberedMs;
    return {
      beat: async (state = {}, periodicJobs = []) => {
        const published = JSON.stringify({ ...facts, ...state });
        const askedAt = performance.now();
        const { memory, seen } = this.#journal;
        const asked = periodicJobs.flatMap(({ name, everyMs }) => [name, everyMs]);
        const args = [id, published, remembered, rememberedMs, ...memory, ...asked];
        type Reply = [number, readonly string[], ...string[]];
        const [at, journal, ...due] = await this.run<Reply>('announce-worker', args);
        const time = { at, askedAt, cameAt: performance.now() };
        await this.#journal.heartbeat(journal, seen);
        return { time, due };
      },
      withdraw: async () => {
        await this.redis.zrem(this.keys.workers, id);
        await this.redis.del(this.keys.worker(id));
      },
    };
  }

  /** All workers, oldest first, including those that recently went silent. */
  async workers(): Promise<readonly WorkerPresence[]> {
    const [now, flat] = await Promise.all([
      this.redisTime(),
      this.redis.zrange(this.keys.workers, '0', '-1', 'WITHSCORES'),
    ]);
    const ids = flat.filter((_entry, index) => index % 2 === 0);
    if (ids.length === 0) return [];
    const records = await this.redis.mget(ids.map((id) => this.keys.worker(id)));
    const found = readAllStored(storedWorker, [...records.entries()]);
    const workers = found.map(([index, facts]): WorkerPresence => {
      const seenMsAgo = Math.max(0, Math.round(now - Number(flat[index * 2 + 1])));
      return { id: ids[index] ?? '', ...facts, seenMsAgo, isAlive: seenMsAgo < silentMs };
    });
    return workers.sort((one, other) => one.since - other.since);
  }
}

/** The last run of a periodic job: every process can tell whether one of them is missing. */
interface PeriodicRun {
  /** When it began, by the clock of Redis: Unix epoch, milliseconds. */
  readonly at: number;
  readonly everyMs: number;
}

/** How long after its last run a periodic job is missing: three periods, in ms; more for short ones, because busy workers are late. */
export function missingAfterMs(everyMs: number): number {
  return Math.max(3 * everyMs, 10_000);
}

const stored = /^(?<at>\d{1,15}) (?<every>\d{1,12})$/;

/** @param text as `begin` stores it. @returns undefined for anything else. */
function readRun(text: unknown): PeriodicRun | undefined {
  const { at, every } = stored.exec(String(text))?.groups ?? {};
  return at === undefined || every === undefined ? undefined : { at: Number(at), everyMs: Number(every) };
}

export class PeriodicRuns extends LedgerPart {
  async begin(name: string, everyMs: number): Promise<void> {
    await this.redis.hset(this.keys.periodic, name, `${await this.redisTime()} ${everyMs}`);
  }

  /** The last run of each job, in the same order, and the time of Redis. */
  async last(
    names: readonly string[],
  ): Promise<{ readonly now: number; readonly runs: readonly (PeriodicRun | undefined)[] }> {
    const [now, found] = await Promise.all([
      this.redisTime(),
      this.redis.hmget(this.keys.periodic, ...names),
    ]);
    return { now, runs: found.map(readRun) };
  }
}
