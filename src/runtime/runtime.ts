/** Settings, Redis, ledger and queues: what a command needs that looks at campaigns or repairs them. */
import { type Environment, loadSettings, readEnvironment, SettingsError } from '../../config/load.ts';
import type { Settings } from '../../config/schema.ts';
import { CommandError } from '../cli/exit.ts';
import { createOutput, type Output } from '../cli/print/output.ts';
import type { Campaign } from '../ledger/campaigns.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { Queues } from '../queues/queues.ts';
import { RedisError } from '../redis/errors.ts';
import { keyTag } from '../redis/open-connection.ts';
import { Outage } from '../redis/outage.ts';
import { openRedisServer, type RedisServer } from '../redis/server.ts';
import { keepJournalRecord } from './journal-record.ts';

/** Namespace of all keys. One hash tag, so that a cluster holds them together. */
export const keyPrefix = keyTag;
const leftoversMs = 500;

export interface CommonOptions {
  readonly json?: boolean | undefined;
  readonly config?: string | undefined;
}

export interface Configuration {
  readonly environment: Environment;
  readonly settings: Settings;
}

export interface LedgerSession extends AsyncDisposable, Configuration {
  readonly output: Output;
  readonly redis: RedisServer;
  readonly ledger: Ledger;
  readonly queues: Queues;
}

/** Reads environment and settings. @throws {CommandError} naming what is wrong in them. */
export function readConfiguration(options: CommonOptions): Configuration {
  try {
    const environment = readEnvironment();
    return { environment, settings: loadSettings(options.config ?? environment.configFile) };
  } catch (error) {
    if (error instanceof SettingsError)
      throw new CommandError(error.message, { cure: error.cure, cause: error });
    throw error;
  }
}

/**
 * @param options `out`: where a sheet goes; what is printed makes way for it on standard output (`-`).
 * @throws {CommandError} when Redis is not to be had, or may lose what it is given.
 */
export async function openLedger(
  options: CommonOptions & { readonly out?: string | undefined },
): Promise<LedgerSession> {
  const results = options.out === '-' ? process.stderr : process.stdout;
  return openLedgerOf(readConfiguration(options), createOutput(options.json ?? false, results));
}

/** As `openLedger`, with a configuration at hand. */
export async function openLedgerOf(
  { environment, settings }: Configuration,
  output: Output,
): Promise<LedgerSession> {
  const redis = await openRedis(environment, output);
  const connection = redis.connect('commands');
  const journal = openJournal(redis, settings, output);
  const ledger = createLedger({ redis: connection, prefix: keyPrefix, journal });
  const record = keepJournalRecord(ledger.journal, environment.dataDir, redis.description);
  const queues = new Queues({ connection, prefix: keyPrefix, attempts: settings.retry.attempts });
  return {
    environment,
    settings,
    output,
    redis,
    ledger,
    queues,
    async [Symbol.asyncDispose]() {
      record[Symbol.dispose]();
      await queues.close();
      await redis.close();
      // Workers whose Redis was stopped under them keep timers that nobody can end: they must not keep the process.
      if (redis.gone.aborted) setTimeout(() => process.exit(), leftoversMs).unref();
    },
  };
}

/** The connection that waits for the send journal; none where every change is safe as soon as it is answered. */
function openJournal(
  { description, durability, hasFailover, connect }: RedisServer,
  settings: Settings,
  output: Output,
) {
  const { fsync, waitaof } = durability;
  const disk = fsync !== 'always' && waitaof;
  // Where another server may take over, one that does not know an entry would let its call be made again.
  const replicas = settings.redis.replicas ?? (hasFailover && durability.replicas > 0 ? 1 : 0);
  if (hasFailover && replicas === 0 && settings.redis.replicas === null) {
    output.say(
      `${description} has no replica now, so calls are sent without waiting for one: if another server takes over that does not know them, they may be sent again. Set redis.replicas to 1 to wait in any case`,
    );
  }
  if (!disk && replicas === 0) return undefined;
  const missing = new Outage(
    (message) => output.say(message),
    `${description} confirms the send journal again`,
  );
  const onMissing = (error: Error) =>
    missing.strike(
      `${description} does not confirm the send journal (${error.message}); nothing is sent until it does`,
    );
  return { connection: connect('journal'), confirmation: { disk, replicas, onMissing } };
}

async function openRedis(environment: Environment, output: Output): Promise<RedisServer> {
  try {
    const warn = (message: string) => output.say(message);
    return await openRedisServer({ url: environment.redisUrl, dataDir: environment.dataDir, warn });
  } catch (error) {
    if (error instanceof RedisError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/** @throws {CommandError} when there is no such campaign. */
export async function findCampaign(session: LedgerSession, id: string): Promise<Campaign> {
  const campaign = await session.ledger.campaigns.find(id);
  if (campaign) return campaign;
  throw new CommandError(`there is no campaign ${id}`, { cure: 'See all with: campaigns list' });
}
