/** How well Redis keeps data over a crash: what a server may lose, and scripts that return only when their writes survive one. */
import { type Redis, ReplyError } from 'ioredis';
import { RedisUnfitError } from './errors.ts';
import type { RunScript } from './script.ts';

export interface RedisDurability {
  readonly aof: boolean;
  /** How often that file reaches the disk; `unknown` where the server does not say (managed services). */
  readonly fsync: 'always' | 'everysec' | 'no' | 'unknown';
  /** Whether `WAITAOF` works: Redis 7.2 or later, with an append-only file. */
  readonly waitaof: boolean;
  readonly replicas: number;
  /** What a crash may lose, in one sentence; undefined where nothing is lost. */
  readonly loss: string | undefined;
}

const oldest = '6.2';
const tooOldToConfirm =
  'Redis writes its append-only file to the disk once a second and is too old to confirm it: if its machine crashes, a post of the last second may be sent twice. Set appendfsync to always, or use Redis 7.2 or later';

/**
 * Reads the settings of the server; in a cluster, of the master that holds our keys.
 * @param warn gets one sentence for each thing that may be lost.
 * @param warnOfAge gets the warning that a newer server would lose less.
 * @throws {RedisUnfitError} for a `maxmemory-policy` that evicts, or a version before 6.2.
 */
export async function checkDurability(
  connection: Redis,
  warn: (message: string) => void,
  warnOfAge: (message: string) => void = warn,
): Promise<RedisDurability> {
  const facts = await readFacts(connection);
  if (isOlder(facts.version, oldest)) {
    throw new RedisUnfitError(
      `Redis ${facts.version} is too old.`,
      `Use Redis ${oldest} or later, or Valkey.`,
    );
  }
  if (facts.evictionPolicy !== undefined && facts.evictionPolicy !== 'noeviction') {
    throw new RedisUnfitError(
      `Redis evicts keys when its memory is full (maxmemory-policy ${facts.evictionPolicy}): rows and jobs would vanish.`,
      'Set the policy in its configuration file, and now with:\n  redis-cli CONFIG SET maxmemory-policy noeviction',
    );
  }
  if (facts.evictionPolicy === undefined) {
    warn('Redis does not report its maxmemory-policy: make sure it is noeviction, or rows may vanish');
  }
  const loss = possibleLoss(facts);
  if (loss !== undefined) (loss === tooOldToConfirm ? warnOfAge : warn)(loss);
  const aof = facts.aof ?? false;
  return {
    aof,
    fsync: aof ? facts.fsync : 'unknown',
    waitaof: aof && facts.knowsWaitaof,
    replicas: facts.replicas,
    loss,
  };
}

/**
 * How many replicas must have an entry of the send journal before its call leaves. If a replica without it took over, the call would
 * be made again.
 * @param wanted the setting `redis.replicas`.
 * @returns also a warning of what a lost server leads to; undefined where another replica takes its place at once.
 */
export function replicasToAwait(
  server: {
    readonly description: string;
    readonly hasFailover: boolean;
    readonly durability: RedisDurability;
  },
  wanted: number | null,
): { readonly replicas: number; readonly warning: string | undefined } {
  const { description, hasFailover, durability } = server;
  const { replicas: present } = durability;
  const replicas = wanted ?? (hasFailover && present > 0 ? 1 : 0);
  const count = present === 0 ? 'no replica' : present === 1 ? '1 replica' : `${present} replicas`;
  const has = `${description} has ${count} now`;
  if (replicas > 0 && present <= replicas) {
    const outcome =
      present < replicas
        ? 'nothing is sent until there are enough'
        : 'if a server is lost, nothing is sent until it is back';
    const fix = `Give the master ${replicas + 1} replicas (in a cluster, each master)`;
    return { replicas, warning: `${has}, and redis.replicas is ${replicas}: ${outcome}. ${fix}` };
  }
  const isUnsafe = hasFailover && replicas === 0 && wanted === null;
  const warning = `${has}, so calls do not wait for one. After a failover they may be resent. To always wait for a replica, set redis.replicas to 1`;
  return { replicas, warning: isUnsafe ? warning : undefined };
}

/** The warning of what a crash of the server or of its machine may lose; undefined where nothing is lost. */
function possibleLoss(facts: ServerFacts): string | undefined {
  if (facts.aof === undefined) {
    return 'Redis does not report whether it writes an append-only file: if it crashes, it may lose records of what was sent';
  }
  if (!facts.aof) {
    return 'REDIS WRITES NO APPEND-ONLY FILE: if it crashes, it loses rows and records of what was sent. Set appendonly to yes in the configuration of Redis';
  }
  if (facts.fsync === 'no') {
    return 'The system decides when the append-only file of Redis reaches the disk (appendfsync no): set appendfsync to everysec or always';
  }
  if (facts.fsync === 'everysec' && !facts.knowsWaitaof) {
    return tooOldToConfirm;
  }
  return facts.configRefused
    ? 'Redis refuses CONFIG, so it is unknown how often its append-only file reaches the disk'
    : undefined;
}

type ServerFacts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts(node: Redis) {
  const info = parseInfo(await node.info());
  const version = info.get('redis_version') ?? '0';
  const config = await readConfig(node);
  const aofEnabled = info.get('aof_enabled');
  return {
    // Undefined, as `aof`, where the server does not say.
    evictionPolicy: config?.get('maxmemory-policy') ?? info.get('maxmemory_policy'),
    aof: aofEnabled === undefined ? undefined : aofEnabled === '1',
    fsync: readFsync(config?.get('appendfsync')),
    configRefused: config === undefined,
    version,
    knowsWaitaof: !isOlder(version, '7.2'),
    replicas: Number(info.get('connected_slaves') ?? 0),
  };
}

/** @returns undefined where the server refuses `CONFIG`, as managed services do. */
async function readConfig(node: Redis): Promise<Map<string, string> | undefined> {
  try {
    const settings = new Map<string, string>();
    for (const name of ['maxmemory-policy', 'appendfsync']) {
      const [key, value] = (await node.config('GET', name)) as string[];
      if (key !== undefined && value !== undefined) settings.set(key, value);
    }
    return settings;
  } catch (error) {
    if (error instanceof ReplyError) return undefined;
    throw error;
  }
}

function readFsync(text: string | undefined): RedisDurability['fsync'] {
  return text === 'always' || text === 'everysec' || text === 'no' ? text : 'unknown';
}

/** The lines `name:value` of `INFO`. */
export function parseInfo(text: string): Map<string, string> {
  const facts = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0 && !line.startsWith('#')) facts.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return facts;
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}

/** Where a write must have arrived: lost servers are replaced by a replica. */
export interface Confirmation {
  /** Confirmed once in the append-only file, on disk (`WAITAOF`, Redis 7.2 or newer). */
  readonly disk: boolean;
  /** On this many replicas (`WAIT`). */
  readonly replicas: number;
  readonly onMissing?: ((error: NotConfirmedError) => void) | undefined;
}

/** Redis did not confirm that a write survives a crash. The call that the write announces must not be made. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** How long a confirmation may take. The connection is blocked meanwhile. */
const withinMs = 5_000;

/**
 * @param redis the connection of `run`, with no other blocking commands on it. `WAIT` and `WAITAOF` cover only the writes of
 *   their own connection, so they mean nothing after a reconnect.
 * @returns the script; it throws `NotConfirmedError` when its writes may be lost.
 */
export function confirmed(redis: Redis, run: RunScript, confirmation: Confirmation): RunScript {
  const { disk, replicas, onMissing } = confirmation;
  let losses = 0;
  redis.on('close', () => {
    losses += 1;
  });
  async function confirm(args: Parameters<RunScript>[0]): Promise<unknown> {
    // From before the script: after a reconnect it is sent again, to a server that may have lost what was known when it was called.
    const before = losses;
    // Not pipelined with the waiting: a script that the server does not know yet is sent a second time.
    const reply = await run(args);
    const [written, copies] = await Promise.all([
      disk ? redis.call('WAITAOF', 1, 0, withinMs).then((counts) => (counts as [number, number])[0]) : 1,
      replicas > 0 ? (redis.call('WAIT', replicas, withinMs) as Promise<number>) : 0,
    ]).catch(cannotConfirm);
    if (losses !== before) {
      throw new NotConfirmedError('the connection was lost meanwhile');
    }
    if (written < 1) throw new NotConfirmedError('it did not reach the disk in time');
    if (copies < replicas) {
      throw new NotConfirmedError(`${copies} of ${replicas} replicas have it`);
    }
    return reply;
  }

  return async (args) => {
    try {
      return await confirm(args);
    } catch (error) {
      if (error instanceof NotConfirmedError) onMissing?.(error);
      throw error;
    }
  };
}

/** The server cannot wait: its append-only file was switched off, or it has become a replica. */
function cannotConfirm(error: unknown): never {
  throw error instanceof ReplyError ? new NotConfirmedError((error as Error).message) : error;
}
