/**
 * The runtime: all that a use case works with, opened once by a process and passed to every use case. Settings, Redis, ledger
 * and queues are open from the start; accounts of the service and the log open when they are first used.
 */
import type { Logger } from 'pino';
import type { Settings } from '../../config/schema.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { CampaignViews } from '../processors/frame/campaign-view.ts';
import { Queues } from '../queues/queues.ts';
import { RedisError } from '../redis/errors.ts';
import { keyTag } from '../redis/open-connection.ts';
import { Outage } from '../redis/outage.ts';
import { openRedisServer, type RedisServer } from '../redis/server.ts';
import { openAccounts, type ServiceAccounts } from './accounts.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { keepJournalRecord } from './journal-record.ts';
import { createLog, type LogTarget } from './log.ts';
import { UseCaseError } from './use-case-error.ts';

/** Namespace of all keys. One hash tag, so that a cluster holds them together. */
export const keyPrefix = keyTag;
const leftoversMs = 500;

export interface Runtime extends AsyncDisposable, Configuration {
  readonly redis: RedisServer;
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly accounts: ServiceAccounts;
  readonly views: CampaignViews;
  readonly log: Logger;
  /** Unix epoch, milliseconds. */
  readonly now: () => number;
  /** Takes what people should know at once, such as an outage of Redis. One sentence, no full stop. */
  readonly notify: (message: string) => void;
}

export interface RuntimeOptions {
  /** Settings file, or environment and settings at hand; what `CAMPAIGNS_CONFIG` and the environment say unless given. */
  readonly configuration?: Configuration | string | undefined;
  readonly notify?: ((message: string) => void) | undefined;
  /** `file` unless given. */
  readonly log?: LogTarget | undefined;
}

/**
 * Opens a runtime; it is to be disposed of at the end (`await using`).
 * @throws {UseCaseError} `settings_invalid`; `redis_unusable` when Redis is not reachable, or may lose what it is given.
 */
export async function openRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { configuration, notify = () => undefined, log: logTarget = 'file' } = options;
  const { environment, settings } =
    typeof configuration === 'object' ? configuration : readConfiguration(configuration);
  const redis = await openRedis({ environment, settings }, notify);
  const connection = redis.connect('commands');
  const journal = openJournal(redis, settings, notify);
  const ledger = createLedger({ redis: connection, prefix: keyPrefix, journal });
  const record = keepJournalRecord(ledger.journal, environment.dataDir, redis.description);
  const queues = new Queues({ connection, prefix: keyPrefix, attempts: settings.retry.attempts });
  const accounts = openAccounts({ environment, settings, redis, ledger, notify });
  let log: Logger | undefined;
  return {
    ...{ environment, settings, redis, ledger, queues, accounts, notify, now: Date.now },
    views: new CampaignViews(ledger),
    get log() {
      log ??= createLog(environment, logTarget);
      return log;
    },
    async [Symbol.asyncDispose]() {
      await accounts[Symbol.asyncDispose]();
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
  notify: Runtime['notify'],
) {
  const { fsync, waitaof } = durability;
  const disk = fsync !== 'always' && waitaof;
  // Where another server may take over, one that does not know an entry would let its call be made again.
  const replicas = settings.redis.replicas ?? (hasFailover && durability.replicas > 0 ? 1 : 0);
  if (hasFailover && replicas === 0 && settings.redis.replicas === null) {
    notify(
      `${description} has no replica now, so calls are sent without waiting for one: if another server takes over that does not know them, they may be sent again. Set redis.replicas to 1 to wait in any case`,
    );
  }
  if (!disk && replicas === 0) return undefined;
  const missing = new Outage(notify, `${description} confirms the send journal again`);
  const onMissing = (error: Error) =>
    missing.strike(
      `${description} does not confirm the send journal (${error.message}); nothing is sent until it does`,
    );
  return { connection: connect('journal'), confirmation: { disk, replicas, onMissing } };
}

async function openRedis({ environment }: Configuration, warn: Runtime['notify']): Promise<RedisServer> {
  try {
    return await openRedisServer({ url: environment.redisUrl, dataDir: environment.dataDir, warn });
  } catch (error) {
    if (error instanceof RedisError)
      throw new UseCaseError('redis_unusable', error.message, { cause: error });
    throw error;
  }
}
