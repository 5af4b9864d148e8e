/**
 * The format of the ledger, and its identity. A program opens the ledger first: it refuses a newer format, and migrates an older
 * one in place. Workers compare the format with their own at every heartbeat.
 *
 * | format | since | what is new |
 * |---|---|---|
 * | 4 | 0.1.0 | the first that a release has written |
 *
 * To change stored data, append a migration. A new field that readers treat as optional needs none.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { LedgerKeys } from './keys.ts';
import { type LedgerContext, LedgerPart } from './part.ts';
import type { Presence, WorkerPresence } from './presence.ts';

export interface MigrationTools {
  readonly redis: Redis;
  readonly keys: LedgerKeys;
  /** Last cursor stored by `keep`, possibly of an earlier process that was killed; empty at the beginning. */
  readonly cursor: string;
  /**
   * Stores the progress of the migration. Optional: a short migration starts again.
   * @throws when another process has taken over.
   */
  keep(cursor: string): Promise<void>;
}

export interface Migration {
  /** Target format: one more than that of the previous migration. */
  readonly to: number;
  /**
   * Whether workers of the previous format may go on during and after the migration, because old and new programs understand
   * each other's data. If not, the migration begins when the last of them has stopped.
   */
  readonly besideOlder: boolean;
  /** Must be idempotent: after a kill it runs again from the cursor, so parts of it may run twice. */
  run(tools: MigrationTools): Promise<void>;
}

export const firstFormat = 4;

/** In order, without gaps, from `firstFormat` on. */
export const migrations: readonly Migration[] = [];

/** Why the ledger cannot be opened. */
export class LedgerFormatError extends Error {
  override readonly name = 'LedgerFormatError';
  /** What to do about it. */
  readonly cure: string;
  /** File in `docs/` that says more. */
  readonly document: string | undefined;

  constructor(message: string, cure: string, document?: string) {
    super(message);
    this.cure = cure;
    this.document = document;
  }
}

export interface FormatOptions {
  /** Default: all. Tests add some. */
  readonly migrations?: readonly Migration[] | undefined;
  /** How long a migration waits for workers of older programs to stop, in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Lease of the process that migrates, in milliseconds. */
  readonly leaseMs?: number | undefined;
}

interface FoundFormat {
  readonly version: number;
  /** Target format of a migration that has not ended. */
  readonly migrating: number | undefined;
}

const pollMs = 100;

export class LedgerFormat extends LedgerPart {
  readonly #presence: Presence;
  readonly #migrations: readonly Migration[];
  readonly #patienceMs: number;
  readonly #leaseMs: number;
  #id: string | undefined;

  constructor(context: LedgerContext, presence: Presence, options: FormatOptions = {}) {
    super(context);
    this.#presence = presence;
    this.#migrations = options.migrations ?? migrations;
    // Longer than a worker may take to notice the newer format and to finish its jobs.
    this.#patienceMs = options.patienceMs ?? 45_000;
    this.#leaseMs = options.leaseMs ?? 10_000;
  }

  /** The newest format that this program knows. */
  get newest(): number {
    return this.#migrations.at(-1)?.to ?? firstFormat;
  }

  /** Id of this ledger. Two ledgers have different ones; a copy or a restored backup has the same. */
  async id(): Promise<string> {
    if (this.#id === undefined) await this.#find();
    return this.#id ?? '';
  }

  /** Reads the id again when it is next needed: the ledger may be another one. */
  forget(): void {
    this.#id = undefined;
  }

  /**
   * Checks the format, and migrates an older one. Processes that open the ledger at the same time wait for the one that migrates.
   * @param say tells people why it takes long: one sentence without a full stop.
   * @throws {LedgerFormatError} for a newer format, or while workers of an older program do not stop.
   */
  async open(say: (message: string) => void = () => undefined): Promise<void> {
    let saidTo: number | undefined;
    for (;;) {
      const { version, migrating } = await this.#find();
      if (!Number.isInteger(version)) throw isForeign(this.keys.format);
      if (version > this.newest) throw isNewer(version, this.newest);
      if (version < firstFormat) throw isUnreleased(version);
      if (version === this.newest && migrating === undefined) return;
      const target = migrating ?? version + 1;
      const migration = this.#migrations.find(({ to }) => to === target);
      if (!migration) throw new RangeError(`there is no migration to format ${target}`);
      if (saidTo !== target)
        say(`the data in Redis is converted to format ${target}; nothing is lost if this is interrupted`);
      saidTo = target;
      if (!(await this.#migrate(migration))) await delay(pollMs);
    }
  }

  async #find(): Promise<FoundFormat> {
    const fresh = randomBytes(5).toString('hex');
    const found = await this.run<[string, string, string]>('format/open-format', [this.newest, fresh]);
    const [version, migrating, id] = found;
    this.#id = id;
    return { version: Number(version), migrating: migrating === '' ? undefined : Number(migrating) };
  }

  /** @returns false if another process migrates, or has taken over. */
  async #migrate(migration: Migration): Promise<boolean> {
    const token = randomUUID();
    const step = (what: 'begin' | 'keep' | 'end', cursor = '') =>
      this.run<readonly string[]>('format/migrate-format', [
        what,
        token,
        migration.to,
        this.#leaseMs,
        cursor,
      ]);
    const keep = async (cursor = '') => {
      const [state] = await step('keep', cursor);
      if (state !== 'mine') throw new LeaseLostError();
    };
    const [state, cursor = ''] = await step('begin');
    if (state !== 'mine') return state === 'done';
    // Without Redis the lease expires, which the next step notices.
    const renewal = setInterval(() => void keep().catch(() => undefined), this.#leaseMs / 3);
    try {
      if (!migration.besideOlder) await this.#untilOlderStopped(migration.to);
      await migration.run({ redis: this.redis, keys: this.keys, cursor, keep });
      return (await step('end'))[0] === 'done';
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  async #untilOlderStopped(format: number): Promise<void> {
    const deadline = Date.now() + this.#patienceMs;
    for (;;) {
      const workers = await this.#presence.workers();
      const older = workers.filter((worker) => worker.isAlive && (worker.format ?? firstFormat) < format);
      if (older.length === 0) return;
      if (Date.now() > deadline) throw stillRun(older);
      await delay(pollMs);
    }
  }
}

/** Another process has taken over the migration. */
class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

function isForeign(key: string): LedgerFormatError {
  return new LedgerFormatError(
    `the key ${key} in Redis has a format that is no number`,
    'Another program has written it. Give the runner a Redis of its own, or restore this one.',
    'backup.md',
  );
}

/** The ledger was migrated by a newer program. @param known newest format of this program. */
export function isNewer(found: number, known: number): LedgerFormatError {
  return new LedgerFormatError(
    `the data in Redis has format ${found}, but this version of the runner knows formats up to ${known}`,
    'A newer version has converted it. Use that version or a later one.',
    'deployment.md',
  );
}

function isUnreleased(found: number): LedgerFormatError {
  return new LedgerFormatError(
    `the data in Redis has format ${found}, of a version that was never released`,
    'Give the runner an empty Redis, or end the campaigns with the version that began them.',
  );
}

function stillRun(workers: readonly WorkerPresence[]): LedgerFormatError {
  const names = workers.map(({ host, pid, version }) => `${host}:${pid} (version ${version})`).join(', ');
  return new LedgerFormatError(
    `the data in Redis must be converted, but workers of an older version still run: ${names}`,
    'Stop them, then try again. Nothing was converted.',
  );
}
