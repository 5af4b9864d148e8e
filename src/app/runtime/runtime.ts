/**
 * The runtime: everything that a use case works with. A process opens it once and passes it to every use case. Settings,
 * Redis, ledger and queues open at once; the service and the log open on first use.
 */

import type { Logger } from 'pino';
import { LedgerFormatError } from '../../ledger/format.ts';
import { createLedger, type Ledger } from '../../ledger/ledger.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { openRedisServer, type RedisServer } from '../../platform/redis/choose-redis.ts';
import { replicasToAwait } from '../../platform/redis/durability.ts';
import { RedisError } from '../../platform/redis/errors.ts';
import { Outage, onceADay } from '../../platform/redis/warnings.ts';
import { CampaignViews } from '../../processors/runner/campaign-view.ts';
import { Queues } from '../../queues/queues.ts';
import { RateLimitBook } from '../../queues/rate-limit-book.ts';
import { MediaProber } from '../../service/media/probe.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { keepJournalRecord } from './journal-record.ts';
import { createLog, type LogTarget, queueTelemetry } from './log.ts';
import { documentPlace } from './package.ts';
import { openService, type ServiceConnection } from './service-connection.ts';

const leftoversMs = 500;
/** After this long without a missing confirmation, Redis is taken to confirm again. */
const confirmsAgainMs = 12_000;

/** Dispose of it at the end. Programs need no member but `settings`: the others belong to the use cases and may change. */
export interface Runtime extends AsyncDisposable, Configuration {
  readonly redis: RedisServer;
  readonly ledger: Ledger;
  readonly queues: Queues;
  /** The rate limits: changes in Redis over the settings of this process. */
  readonly rateLimits: RateLimitBook;
  readonly service: ServiceConnection;
  readonly views: CampaignViews;
  readonly prober: MediaProber;
  readonly log: Logger;
  /** Unix epoch, milliseconds. */
  readonly now: () => number;
  /** Shows people what they should know at once, such as an outage of Redis. One sentence, no full stop. */
  readonly notify: (message: string) => void;
}

export interface RuntimeOptions {
  /** Settings file, or a configuration; default: from `CAMPAIGNS_CONFIG` and the environment. */
  readonly configuration?: Configuration | string | undefined;
  readonly notify?: ((message: string) => void) | undefined;
  /** Default `file`. */
  readonly log?: LogTarget | undefined;
}

/** Dispose of it with `await using`. @throws {UseCaseError} `settings_invalid`, `redis_unusable`, `ledger_format`. */
export async function openRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { configuration, notify = () => undefined, log: logTarget = 'file' } = options;
  const { environment, settings } =
    typeof configuration === 'object' ? configuration : readConfiguration(configuration);
  const redis = await openRedis({ environment, settings }, notify);
  const connection = redis.connect('commands');
  const journal = openJournal(redis, { settings, environment }, notify);
  const ledger = createLedger({
    redis: connection,
    prefix: redis.keyTag,
    journal,
    postsKeptMs: settings.keepEnded ?? undefined,
    isPrivate: redis.isPrivate,
  });
  try {
    await ledger.format.open();
  } catch (error) {
    await redis.close();
    throw formatError(error);
  }
  // Done before the first worker starts, which repeats it. Failures are ignored: a Redis that refuses writes must not stop
  // commands that only read.
  await ledger.outbox.want(settings.notify.flatMap(({ events }) => events)).catch(() => undefined);
  const record = keepJournalRecord(ledger.journal, environment.dataDir, redis.description);
  // Before the first call. Failures are ignored as above: each journalled call checks again.
  await ledger.journal.check().catch(() => undefined);
  const { attempts } = settings.retry;
  const queues = new Queues({
    connection,
    prefix: redis.keyTag,
    attempts,
    telemetry: await queueTelemetry(),
  });
  const { rateLimits: rates } = settings;
  const rateLimits = new RateLimitBook({ redis: connection, prefix: redis.keyTag, rateLimits: rates });
  const service = openService({ environment, settings, redis, ledger, notify });
  const views = new CampaignViews(ledger);
  ledger.journal.onReplaced(() => views.forget());
  let log: Logger | undefined;
  return {
    environment,
    settings,
    redis,
    ledger,
    queues,
    rateLimits,
    service,
    notify,
    now: Date.now,
    views,
    prober: new MediaProber(),
    get log() {
      log ??= createLog(environment, logTarget);
      return log;
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      record[Symbol.dispose]();
      await queues.close();
      await redis.close();
      // If Redis was stopped under workers, their timers cannot be ended. They must not keep the process alive.
      if (redis.gone.aborted) setTimeout(() => process.exit(), leftoversMs).unref();
    },
  };
}

/** The connection that waits until journal entries are safe; undefined if every answered change is safe already. */
function openJournal(
  redis: RedisServer,
  { settings, environment }: Configuration,
  notify: Runtime['notify'],
) {
  const { description, connect } = redis;
  const { fsync, waitaof } = redis.durability;
  const disk = fsync !== 'always' && waitaof;
  const { replicas, warning } = replicasToAwait(redis, settings.redis.replicas);
  if (warning !== undefined) {
    // The first is true of this very process, the other of the servers.
    (replicas === 0 ? notify : onceADay(environment.dataDir, notify, 'replicas'))(warning);
  }
  if (!disk && replicas === 0) return undefined;
  const texts = {
    lasts: `${description} still does not confirm the send log`,
    over: `${description} confirms the send log again`,
  };
  const missing = new Outage(notify, texts, confirmsAgainMs);
  const onMissing = (error: Error) =>
    missing.strike(
      `${description} does not confirm the send log (${error.message}); nothing is sent until it does`,
    );
  return { connection: connect('journal'), confirmation: { disk, replicas, onMissing } };
}

async function openRedis({ environment }: Configuration, warn: Runtime['notify']): Promise<RedisServer> {
  try {
    const { redisUrl: url, redisPrefix: prefix, dataDir } = environment;
    return await openRedisServer({ url, prefix, dataDir, warn });
  } catch (error) {
    if (error instanceof RedisError)
      throw new UseCaseError('redis_unusable', error.message, { cause: error });
    throw error;
  }
}

/** @returns a `UseCaseError` for a ledger in another format; any other error unchanged. */
function formatError(error: unknown): unknown {
  if (!(error instanceof LedgerFormatError)) return error;
  const fix = `${error.fix} See ${documentPlace('deployment.md')}`;
  return new UseCaseError('ledger_format', error.message, { fix, cause: error });
}
