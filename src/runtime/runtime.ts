/**
 * The runtime: everything that a use case works with. A process opens it once and passes it to every use case. Settings,
 * Redis, ledger and queues open at once; accounts of the service and the log open on first use.
 */
import type { Logger } from 'pino';
import type { Environment } from '../../config/load.ts';
import { LedgerFormatError } from '../ledger/format.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { CampaignViews } from '../processors/runner/campaign-view.ts';
import { Queues } from '../queues/queues.ts';
import { longestAnswerMs, openRedisServer, type RedisServer } from '../redis/choose-redis.ts';
import { replicasToAwait } from '../redis/durability.ts';
import { RedisError } from '../redis/errors.ts';
import { keyTag } from '../redis/key-tag.ts';
import { Outage, onceADay } from '../redis/warnings.ts';
import { type Configuration, documentPlace, readConfiguration, readPackageFacts } from './configuration.ts';
import { keepJournalRecord } from './journal-record.ts';
import { createLog, type LogTarget } from './observability/log.ts';
import type { Traces } from './observability/traces.ts';
import { openAccounts, type ServiceAccounts } from './service/accounts.ts';
import { readSpeedUp } from './test-switches.ts';
import { UseCaseError } from './use-case-error.ts';

const leftoversMs = 500;
/** Without a missing confirmation for this long, Redis confirms again. */
const confirmsAgainMs = 12_000;

/**
 * An open runtime: pass it on to the use cases, and dispose of it at the end. Programs need no member of it but `settings` and
 * `accounts.names`; the others belong to the use cases and may change.
 */
export interface Runtime extends AsyncDisposable, Configuration {
  readonly redis: RedisServer;
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly accounts: ServiceAccounts;
  readonly views: CampaignViews;
  readonly log: Logger;
  /** Undefined: traces go nowhere. */
  readonly traces: Traces | undefined;
  /** Unix epoch, milliseconds. */
  readonly now: () => number;
  /** Shows people what they should know at once, such as an outage of Redis. One sentence, no full stop. */
  readonly notify: (message: string) => void;
}

/** Options of `openRuntime`. */
export interface RuntimeOptions {
  /** Settings file, or a configuration; default: from `CAMPAIGNS_CONFIG` and the environment. */
  readonly configuration?: Configuration | string | undefined;
  readonly notify?: ((message: string) => void) | undefined;
  /** Default `file`. */
  readonly log?: LogTarget | undefined;
  /** Name of the command that this process carries out: one span in its trace. Undefined for a process that works until it is stopped. */
  readonly command?: string | undefined;
}

/**
 * Opens a runtime. Dispose of it at the end (`await using`).
 * @throws {UseCaseError} `settings_invalid`; `redis_unusable` if Redis is not reachable or may evict data; `ledger_format` if a newer
 *   version of the runner has converted the ledger, or workers of an older one keep this one from converting it.
 */
export async function openRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { configuration, notify = () => undefined, log: logTarget = 'file', command } = options;
  const { environment, settings } =
    typeof configuration === 'object' ? configuration : readConfiguration(configuration);
  const startTraces = await loadTraces(environment, command);
  const redis = await openRedis({ environment, settings }, notify);
  const connection = redis.connect('commands');
  const journal = openJournal(redis, { settings, environment }, notify);
  let log: Logger | undefined;
  const openLog = () => {
    log ??= createLog(environment, logTarget);
    return log;
  };
  const ledger = createLedger({
    redis: connection,
    prefix: keyTag,
    journal,
    postsKeptMs: settings.keepEnded ?? undefined,
    isPrivate: redis.isPrivate,
    warn: (facts, message) => openLog().warn(facts, message),
  });
  try {
    await ledger.format.open(notify);
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
  const traces = startTraces?.();
  const telemetry = traces?.telemetry;
  const { attempts } = settings.retry;
  const queues = new Queues({ connection, prefix: keyTag, attempts, telemetry });
  const accounts = openAccounts({ environment, settings, redis, ledger, notify, traces });
  const views = new CampaignViews(ledger);
  ledger.journal.onReplaced(() => views.forget());
  return {
    environment,
    settings,
    redis,
    ledger,
    queues,
    accounts,
    traces,
    notify,
    now: Date.now,
    views,
    get log() {
      return openLog();
    },
    async [Symbol.asyncDispose]() {
      await accounts[Symbol.asyncDispose]();
      record[Symbol.dispose]();
      await queues.close();
      await redis.close();
      await traces?.[Symbol.asyncDispose]();
      // If Redis was stopped under workers, their timers cannot be ended. They must not keep the process alive.
      if (redis.gone.aborted) setTimeout(() => process.exit(), leftoversMs).unref();
    },
  };
}

/**
 * Loads the code for traces only if they are sent: the packages that it needs are optional.
 * @throws {UseCaseError} `settings_invalid` if they are not installed.
 */
async function loadTraces(
  { tracesUrl: url, traceSampling: sampling, traceParent: parent }: Environment,
  command: string | undefined,
): Promise<(() => Traces) | undefined> {
  if (url === undefined) return undefined;
  const { version, forTraces } = readPackageFacts();
  const { openTraces } = await import('./observability/traces.ts').catch((cause: unknown) => {
    const missing = /'(@opentelemetry\/[\w-]+)'/.exec(cause instanceof Error ? cause.message : '')?.[1];
    if (missing === undefined) throw cause;
    throw new UseCaseError(
      'settings_invalid',
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the package ${missing} is not installed`,
      { cure: `Install what traces need:\nnpm install ${forTraces.join(' ')}`, cause },
    );
  });
  return () => openTraces({ url, version, sampling, command, parent });
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
  const answerMs = Math.ceil(longestAnswerMs / readSpeedUp());
  try {
    return await openRedisServer({ url: environment.redisUrl, dataDir: environment.dataDir, warn, answerMs });
  } catch (error) {
    if (error instanceof RedisError)
      throw new UseCaseError('redis_unusable', error.message, { cause: error });
    throw error;
  }
}

/** @returns a `UseCaseError` for a ledger in another format; any other error unchanged. */
export function formatError(error: unknown): unknown {
  if (!(error instanceof LedgerFormatError)) return error;
  const { document, message } = error;
  const cure = document === undefined ? error.cure : `${error.cure} See ${documentPlace(document)}`;
  return new UseCaseError('ledger_format', message, { cure, cause: error });
}
