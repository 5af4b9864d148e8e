/**
 * Makes the connections of one process to one Redis, names them, and says once when Redis goes away, or takes no writes, and
 * when that is over.
 */
import type { Redis } from 'ioredis';
import { describeRedisAddress, type RedisAddress } from './address.ts';
import { RedisUnreachableError, reasonOf } from './errors.ts';
import { type ConnectionOverrides, openConnection } from './open-connection.ts';
import { Outage } from './outage.ts';
import { refusalCode } from './refusal.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';

/** A connection that is waited on for longer has been lost on the way: the longest wait of ours and of BullMQ's is ten seconds. */
const silentMs = 30_000;
/** A server that has become a replica is asked again, or looked up anew, after this long. */
const replicaMs = 1000;

export class RedisConnections {
  readonly #address: RedisAddress;
  readonly #warn: (message: string) => void;
  readonly #open = new Set<Redis>();
  readonly #tls: TlsFiles;
  readonly #refusals: Outage;
  #state: 'starting' | 'answering' | 'away' = 'starting';

  /** @throws {RedisUrlError} when a certificate that the address names cannot be read. */
  constructor(address: RedisAddress, warn: (message: string) => void) {
    this.#address = address;
    this.#warn = warn;
    this.#tls = readTlsFiles(address);
    this.#refusals = new Outage(warn, `${describeRedisAddress(address)} takes writes again`);
  }

  /**
   * A new connection named `campaigns:<pid>:<purpose>`. It never gives up: commands wait while Redis is away.
   */
  connect(purpose: string, overrides: ConnectionOverrides = {}): Redis {
    const options: ConnectionOverrides = {
      connectionName: `campaigns:${process.pid}:${purpose}`,
      maxRetriesPerRequest: null,
      retryStrategy: (times) =>
        Math.max(this.#refusals.lasts ? replicaMs : 0, Math.min(50 * 2 ** Math.min(times, 6), 2000)),
      reconnectOnError: (error) => this.#refused(error),
      socketTimeout: silentMs,
      // How long the client's timer keeps the process when a connection is ended while Redis is away.
      disconnectTimeout: 100,
      ...overrides,
    };
    return this.#keep(openConnection(this.#address, this.#tls, options));
  }

  /**
   * Told of every error that Redis answers. @returns whether to connect anew: where a name leads to the master (Sentinel, a
   * managed service, our way into a cluster), a replica at the other end means that the master is elsewhere now. 2: and to send the
   * command again.
   */
  #refused(error: Error): boolean | 2 {
    // The slot has moved, or another master has taken over: the same command goes there.
    if (/^MOVED /.test(error.message)) return 2;
    const code = refusalCode(error);
    if (code === undefined) return false;
    const description = describeRedisAddress(this.#address);
    this.#refusals.strike(
      `${description} takes no writes (${reasonOf(error)}); nothing is sent until it does`,
    );
    // A cluster that waits for a master is waited for.
    if (code === 'CLUSTERDOWN') return 2;
    return code === 'READONLY';
  }

  /** Whoever is given a connection may duplicate it (BullMQ does, to block on it): what comes of that ends with the others. */
  #keep(connection: Redis): Redis {
    const duplicate = connection.duplicate.bind(connection);
    connection.duplicate = (...overrides) => this.#keep(duplicate(...overrides));
    this.#open.add(connection);
    connection.on('error', (error: unknown) => this.#lost(error));
    connection.on('reconnecting', () => this.#lost('the connection was lost'));
    connection.on('ready', () => this.#back());
    connection.on('end', () => this.#open.delete(connection));
    return connection;
  }

  /** Ends every connection made here; commands still waiting for an answer are rejected. */
  close(): void {
    const connections = [...this.#open];
    this.#open.clear();
    this.#refusals.close();
    for (const connection of connections) connection.disconnect();
  }

  /** At the start it is the caller who hears of it, by `waitUntilReady`. */
  #lost(reason: unknown): void {
    // A replica is left by ourselves, to look for the master: that has been told.
    if (this.#state !== 'answering' || this.#refusals.lasts) return;
    this.#state = 'away';
    this.#warn(`${describeRedisAddress(this.#address)} does not answer (${reasonOf(reason)}); trying again`);
  }

  #back(): void {
    if (this.#state === 'away') this.#warn(`${describeRedisAddress(this.#address)} answers again`);
    this.#state = 'answering';
  }
}

/**
 * Waits until a connection can take commands. Loading the append-only file is waited for; a refused password is not.
 * @param deadlineMs milliseconds from now.
 * @throws {RedisUnreachableError} with the last thing that went wrong; the connection is then closed.
 */
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

/** A wrong password stays wrong: Redis answers with a code in capitals as the first word. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && /^(WRONGPASS|NOAUTH|NOPERM|DENIED|ERR invalid password)\b/.test(error.message)
  );
}
