/**
 * Opens and names the connections of one process to one Redis. Warns when Redis does not answer or refuses writes, once a minute with
 * a count while that lasts, and once when it is over.
 */
import type { Redis } from 'ioredis';
import { describeRedisAddress, keyTag, type RedisAddress } from './address.ts';
import { RedisUnreachableError, reasonOf } from './errors.ts';
import {
  type ConnectionOverrides,
  joinWrites,
  openConnection,
  readTlsFiles,
  type TlsFiles,
} from './open-connection.ts';
import { findRefusal, nameKey, refusalCode, untilWritable } from './refusal.ts';
import { Outage } from './warnings.ts';

/** A connection that is silent for longer is lost: no blocking command of ours or of BullMQ waits longer than 10 seconds. */
const silentMs = 30_000;
/** Wait before the next connection to a server that has become a replica. */
const replicaMs = 1000;

export class RedisConnections {
  readonly #address: RedisAddress;
  readonly #description: string;
  readonly #tag: string;
  readonly #open = new Set<Redis>();
  readonly #tls: TlsFiles;
  readonly #absences: Outage;
  readonly #refusals: Outage;
  #probes: Redis | undefined;
  #ending: Promise<void> | undefined;
  #isClosed = false;
  #hasAnswered = false;

  /** @param tag the hash tag of our keys. @throws {RedisUrlError} when a certificate file cannot be read. */
  constructor(address: RedisAddress, warn: (message: string) => void, tag = keyTag()) {
    this.#address = address;
    this.#tag = tag;
    this.#description = describeRedisAddress(address);
    this.#tls = readTlsFiles(address);
    this.#absences = new Outage(warn, {
      lasts: `${this.#description} still does not answer`,
      over: `${this.#description} answers again`,
    });
    this.#refusals = new Outage(warn, {
      lasts: `${this.#description} still takes no writes`,
      over: `${this.#description} takes writes again`,
      mayEnd: () => !this.#absences.lasts,
    });
  }

  /** A new connection named `campaigns:<pid>:<purpose>`. It never gives up: commands wait while Redis is away. */
  connect(purpose: string, overrides: ConnectionOverrides = {}): Redis {
    const options: ConnectionOverrides = {
      connectionName: `campaigns:${process.pid}:${purpose}`,
      maxRetriesPerRequest: null,
      retryStrategy: (times) =>
        Math.max(this.#refusals.lasts ? replicaMs : 0, Math.min(50 * 2 ** Math.min(times, 6), 2000)),
      reconnectOnError: (error) => this.#refused(error),
      socketTimeout: silentMs,
      // After a disconnect while Redis is away, this timer delays the end of the process.
      disconnectTimeout: 100,
      ...overrides,
    };
    return this.#keep(openConnection(this.#address, this.#tls, this.#tag, options));
  }

  /**
   * Receives every error reply of Redis.
   * @returns whether to reconnect; 2: also resend the command. If a name leads to the master (Sentinel, a managed service, our
   *   cluster connector), a replica at the other end means that the master has moved.
   */
  #refused(error: Error): boolean | 2 {
    nameKey(error);
    // The slot has moved, or another master has taken over: send the same command there.
    if (/^MOVED /.test(error.message)) return 2;
    const code = refusalCode(error);
    if (code === undefined) return false;
    // Redis adds the hash of the script.
    const [reason] = reasonOf(error).split(/\.? script: /);
    this.#refusals.strike(`${this.#description} takes no writes (${reason}); nothing is sent until it does`);
    void this.#untilRecovered();
    // The cluster has no master for our keys yet: wait for one.
    if (code === 'CLUSTERDOWN') return 2;
    return code === 'READONLY';
  }

  /** Probes until Redis takes writes again, because perhaps only other processes write. */
  #untilRecovered(): Promise<void> {
    this.#ending ??= untilWritable(() => this.findRefusal())().finally(() => {
      this.#ending = undefined;
      this.#refusals.recovered();
    });
    return this.#ending;
  }

  findRefusal(): Promise<Error | undefined> {
    this.#probes ??= this.connect('probe', {
      // Unlike on other connections, the command is not sent again to a cluster without a master.
      reconnectOnError: (error) => {
        const reconnects = this.#refused(error);
        return refusalCode(error) === undefined ? reconnects : reconnects !== false;
      },
    });
    return findRefusal(this.#probes, `${this.#tag}:probe`);
  }

  /** Keeps duplicates too (BullMQ makes them for blocking commands), so that `close` ends them. */
  #keep(connection: Redis): Redis {
    const duplicate = connection.duplicate.bind(connection);
    connection.duplicate = (...overrides) => {
      const copy = this.#keep(duplicate(...overrides));
      // BullMQ defines all its scripts on each connection, and hashes them. On these it only waits for jobs.
      copy.defineCommand = () => undefined;
      return copy;
    };
    joinWrites(connection);
    this.#open.add(connection);
    connection.on('error', (error: unknown) => this.#lost(error));
    connection.on('reconnecting', () => this.#lost('the connection was lost'));
    connection.on('ready', () => this.#back());
    connection.on('end', () => this.#open.delete(connection));
    // BullMQ opens its connections again when a worker pauses. While Redis is silent, it does so after all of them were closed.
    connection.on('connecting', () => {
      this.#open.add(connection);
      if (this.#isClosed) connection.disconnect();
    });
    return connection;
  }

  /** Ends every connection made here, also those that are opened again; commands that still wait for an answer are rejected. */
  close(): void {
    this.#isClosed = true;
    const connections = [...this.#open];
    this.#open.clear();
    this.#absences.close();
    this.#refusals.close();
    for (const connection of connections) connection.disconnect();
  }

  /** Warns that Redis is away, except at the start, where `waitUntilReady` throws. */
  #lost(reason: unknown): void {
    // No warning after a refusal: there was one already, and we disconnect from a replica ourselves to find the master.
    if (!this.#hasAnswered || this.#refusals.lasts || this.#isClosed) return;
    this.#absences.strike(`${this.#description} does not answer (${reasonOf(reason)}); trying again`);
  }

  #back(): void {
    this.#hasAnswered = true;
    this.#absences.recovered();
  }
}

/** Waits for Redis, also while it loads its file. @throws {RedisUnreachableError} after `deadlineMs`, at once for a refused login; then it is closed. */
export async function waitUntilReady(
  connection: Redis,
  deadlineMs: number,
  description: string,
): Promise<void> {
  if (connection.status === 'ready') return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let last: unknown = `no answer within ${deadlineMs / 1000} s`;
  const onError = (error: unknown): void => {
    last = error;
    if (isRefusal(error)) reject(error);
  };
  const giveUp = (): void => reject(last);
  const timer = setTimeout(giveUp, deadlineMs);
  connection.on('ready', resolve);
  connection.on('error', onError);
  connection.on('end', giveUp);
  try {
    await promise;
  } catch (error) {
    connection.disconnect();
    throw new RedisUnreachableError(description, reasonOf(error));
  } finally {
    clearTimeout(timer);
    connection.off('ready', resolve);
    connection.off('error', onError);
    connection.off('end', giveUp);
  }
}

/** Whether Redis refuses the login, which trying again does not change. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && /^(WRONGPASS|NOAUTH|NOPERM|DENIED|ERR invalid password)\b/.test(error.message)
  );
}
