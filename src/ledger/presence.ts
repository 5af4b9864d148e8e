/**
 * Which worker processes are alive, on all machines. Each announces itself and sends heartbeats. A worker that was killed,
 * frozen or cut off from Redis goes silent and is shown as missing for a while; a run that goes silent is not.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { TimeAnswer } from '../redis/clock.ts';
import type { JournalPosition } from './journal/journal-position.ts';
import { type LedgerContext, LedgerPart } from './part.ts';
import { type PeriodicRun, readRun } from './periodic.ts';
import { readAllStored } from './stored-json.ts';

/** Facts that a worker publishes about itself at its start. None is secret. */
export interface WorkerFacts {
  readonly host: string;
  readonly pid: number;
  /** Version of the runner. */
  readonly version: string;
  readonly queues: readonly string[];
  /** Newest format of the ledger that it knows. Missing for programs that know only the first. */
  readonly format?: number | undefined;
  /** Names of the periodic jobs that it takes. Missing for earlier versions. */
  readonly periodic?: readonly string[] | undefined;
  /** It ends with its campaigns (`run`), so nobody misses it afterwards. */
  readonly isRun?: boolean | undefined;
  /** Start time: Unix epoch, milliseconds. */
  readonly since: number;
}

/** Facts of each heartbeat. */
export interface WorkerState {
  /** Jobs that run; undefined for earlier versions. */
  readonly atWork?: number | undefined;
  /**
   * It takes no jobs, because its clock is ahead of the clock of Redis by so many milliseconds (negative: behind); undefined: its
   * clock is right.
   */
  readonly clockAheadMs?: number | undefined;
}

/** As of its last heartbeat. */
export interface WorkerPresence extends WorkerFacts, WorkerState {
  readonly id: string;
  /** Milliseconds since its last heartbeat, by the clock of Redis. */
  readonly seenMsAgo: number;
  readonly isAlive: boolean;
}

/** The longest name of a host in DNS, and more queues than there are. */
const longestName = 255;
const mostQueues = 50;
const workerFacts: z.ZodType<WorkerFacts & WorkerState> = z.object({
  host: z.string().max(longestName),
  pid: z.int(),
  version: z.string().max(longestName),
  queues: z.array(z.string().max(longestName)).max(mostQueues),
  format: z.int().optional(),
  periodic: z.array(z.string().max(longestName)).max(mostQueues).optional(),
  isRun: z.boolean().optional(),
  since: z.number(),
  atWork: z.int().min(0).optional(),
  clockAheadMs: z.int().optional(),
});

export const heartbeatMs = 5_000;
/** Three missed heartbeats: the worker is gone or frozen. */
const silentMs = 16_000;
const rememberedMs = 600_000;

/** The answer to a heartbeat. */
export interface Heartbeat {
  /** Format of the ledger. */
  readonly format: number;
  readonly time: TimeAnswer;
  /** The last run of each periodic job asked for, in the same order. */
  readonly runs: readonly (PeriodicRun | undefined)[];
}

export interface Announcement {
  /** Sends a heartbeat. */
  beat(state?: WorkerState, periodicJobs?: readonly string[]): Promise<Heartbeat>;
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
        const told = JSON.stringify({ ...facts, ...state });
        const askedAt = performance.now();
        const { memory, seen } = this.#journal;
        const args = [id, told, remembered, rememberedMs, ...memory, ...periodicJobs];
        type Reply = [string, number, readonly string[], ...string[]];
        const [format, at, journal, ...runs] = await this.run<Reply>('announce-worker', args);
        const time = { at, askedAt, cameAt: performance.now() };
        await this.#journal.heartbeat(journal, seen);
        return { format: Number(format), time, runs: runs.map(readRun) };
      },
      withdraw: async () => {
        await this.redis.zrem(this.keys.workers, id);
        await this.redis.del(this.keys.worker(id));
      },
    };
  }

  /** All workers, oldest first, including those that recently went silent. */
  async workers(): Promise<readonly WorkerPresence[]> {
    const [[seconds, micros], flat] = await Promise.all([
      this.redis.time(),
      this.redis.zrange(this.keys.workers, '0', '-1', 'WITHSCORES'),
    ]);
    const now = Number(seconds) * 1000 + Number(micros) / 1000;
    const ids = flat.filter((_entry, index) => index % 2 === 0);
    if (ids.length === 0) return [];
    const records = await this.redis.mget(ids.map((id) => this.keys.worker(id)));
    const found = readAllStored(
      workerFacts,
      ids.map((_id, index) => [index, records[index]] as const),
    );
    const workers = found.map(([index, facts]): WorkerPresence => {
      const seenMsAgo = Math.max(0, Math.round(now - Number(flat[index * 2 + 1])));
      return { id: ids[index] ?? '', ...facts, seenMsAgo, isAlive: seenMsAgo < silentMs };
    });
    return workers.sort((one, other) => one.since - other.since);
  }
}
