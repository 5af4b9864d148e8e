/**
 * Which worker processes are alive, on all machines. Each announces itself and sends heartbeats. A worker that was killed,
 * frozen or cut off from Redis goes silent and is shown as missing for a while; a run that goes silent is not.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { JournalPosition } from './journal/journal-position.ts';
import { type LedgerContext, LedgerPart } from './part.ts';
import { readAllStored } from './stored-json.ts';

/** Facts that a worker publishes about itself. None is secret. */
export interface WorkerFacts {
  readonly host: string;
  readonly pid: number;
  /** Version of the runner. */
  readonly version: string;
  readonly queues: readonly string[];
  /** Newest format of the ledger that it knows. Missing for programs that know only the first. */
  readonly format?: number | undefined;
  /** It ends with its campaigns (`run`), so nobody misses it afterwards. */
  readonly isRun?: boolean | undefined;
  /** Start time: Unix epoch, milliseconds. */
  readonly since: number;
}

export interface WorkerPresence extends WorkerFacts {
  readonly id: string;
  /** Milliseconds since its last heartbeat, by the clock of Redis. */
  readonly seenMsAgo: number;
  readonly isAlive: boolean;
  /** Jobs that ran at its last heartbeat; undefined for earlier versions. */
  readonly atWork?: number | undefined;
}

/** The longest name of a host in DNS, and more queues than there are. */
const longestName = 255;
const mostQueues = 50;
const workerFacts: z.ZodType<WorkerFacts & Pick<WorkerPresence, 'atWork'>> = z.object({
  host: z.string().max(longestName),
  pid: z.int(),
  version: z.string().max(longestName),
  queues: z.array(z.string().max(longestName)).max(mostQueues),
  format: z.int().optional(),
  isRun: z.boolean().optional(),
  since: z.number(),
  atWork: z.int().min(0).optional(),
});

const heartbeatMs = 5_000;
/** Three missed heartbeats: the worker is gone or frozen. */
const silentMs = 16_000;
const rememberedMs = 600_000;

/** Removes the announcement of a worker that stops normally. */
export type Withdraw = () => Promise<void>;

export class Presence extends LedgerPart {
  readonly #journal: JournalPosition;

  /** @param journal checked at each heartbeat. */
  constructor(context: LedgerContext, journal: JournalPosition) {
    super(context);
    this.#journal = journal;
  }

  /**
   * Announces a worker and keeps sending heartbeats.
   * @param onFormat receives the ledger's format at each heartbeat.
   * @param atWork returns the number of running jobs.
   * @returns a function that stops and withdraws it.
   */
  async announce(
    facts: WorkerFacts,
    onFormat: (format: number) => void = () => undefined,
    atWork: () => number | undefined = () => undefined,
  ): Promise<Withdraw> {
    const id = `${facts.host}:${facts.pid}:${randomBytes(3).toString('hex')}`;
    const remembered = facts.isRun ? silentMs : rememberedMs;
    const say = async () => {
      const told = JSON.stringify({ ...facts, atWork: atWork() });
      const args = [id, told, remembered, rememberedMs, ...this.#journal.memory];
      const [format, journal] = await this.run<[string, readonly string[]]>('announce-worker', args);
      onFormat(Number(format));
      await this.#journal.heartbeat(journal);
    };
    await say();
    let last: Promise<unknown> | undefined;
    // A missed heartbeat needs no handling: without Redis, this worker gets no jobs either.
    const heartbeat = setInterval(() => {
      last = say().catch(() => undefined);
    }, heartbeatMs);
    heartbeat.unref();
    return async () => {
      clearInterval(heartbeat);
      await last;
      await this.redis.zrem(this.keys.workers, id);
      await this.redis.del(this.keys.worker(id));
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
