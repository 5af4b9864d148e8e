/** Wires the processors and workers of one process. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Semaphore } from 'async-mutex';
import { type Environment, readNotifySecret } from '../../../config/load.ts';
import type { Settings } from '../../../config/schema.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeClock } from '../../manifest/wording.ts';
import { Proxies } from '../../platform/net/proxy.ts';
import type { RedisServer } from '../../platform/redis/choose-redis.ts';
import { RedisClock, toleratedMs } from '../../platform/redis/clock.ts';
import { Receivers } from '../../processors/notify/receivers.ts';
import type { ProcessorContext } from '../../processors/runner/context.ts';
import { Uploads } from '../../processors/steps/uploads.ts';
import { Workers } from '../../processors/workers.ts';
import type { QueueName } from '../../queues/queues.ts';
import { AddressPolicy } from '../../service/media/addresses.ts';
import { Downloader } from '../../service/media/download.ts';
import { openSpool } from '../../service/media/spool.ts';
import { asUseCase, readFailpoint, readSpeedUp, unusableFolder } from './configuration.ts';
import { readBuild } from './package.ts';
import type { Runtime } from './runtime.ts';
import { openService } from './service-connection.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

export interface WorkersChoice {
  /** Default: all. */
  readonly queues?: readonly QueueName[] | undefined;
  /** The workers end with their campaigns, so they are not reported as missing if the process is killed. */
  readonly isRun?: boolean | undefined;
  /** Receives every job and call. */
  readonly metrics?: WorkerMetrics | undefined;
}

/**
 * Creates workers, which take jobs once started.
 * @throws {UseCaseError} `clock_wrong`; `settings_invalid` for a secret of `notify`, or a data folder that cannot be used.
 */
export async function createWorkers(
  runtime: Runtime,
  { queues, isRun, metrics }: WorkersChoice = {},
): Promise<Workers> {
  const { redis, ledger, settings, environment, views, log } = runtime;
  await requireClock(redis);
  const clock = new RedisClock();
  metrics?.watchClock(() => clock.aheadMs);
  metrics?.watchDataDir(environment.dataDir);
  const proxies = new Proxies(environment.proxies);
  const receivers = openReceivers(settings, environment, proxies);
  // They have a connection of their own, because its rate limits end with the workers, while use cases go on calling the service.
  const connection = openService(runtime, { observe: metrics && ((call) => metrics.called(call)) });
  const service = await connection.need();
  const { maxBytes } = settings.media;
  const directory = join(environment.dataDir, 'spool');
  const spool = await openSpool({ directory, quotaBytes: settings.media.spool }).catch((error: unknown) => {
    throw unusableFolder(directory, error);
  });
  const addresses = new AddressPolicy(settings.media.allowPrivateAddresses, proxies);
  const downloader = new Downloader({ spool, addresses, maxBytes });
  const uploads = new Uploads({
    files: ledger.files,
    media: { maxBytes, downloader },
    atOnce: settings.concurrency.upload,
  });
  // The demo lives in other nights.
  const hasOwnClock = runtime.now !== Date.now;
  const context: ProcessorContext = {
    ledger,
    queues: runtime.queues,
    service,
    views,
    uploads,
    takesUploads: queues?.includes('upload') ?? true,
    postCalls: new Semaphore(settings.concurrency.post),
    receivers,
    settings,
    now: hasOwnClock ? runtime.now : clock.now,
    clock: hasOwnClock ? undefined : clock,
    log,
    failpoint: readFailpoint(),
    onJobFinished: (job) => metrics?.finished(job),
  };
  return new Workers({
    context,
    connect: (purpose) => redis.connect(purpose),
    queues,
    self: { host: hostname(), pid: process.pid, version: readBuild(), isRun },
    speedUp: readSpeedUp(),
    gone: redis.gone,
    async release() {
      await downloader[Symbol.asyncDispose]();
      await receivers[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  });
}

/** Reads the secrets. @throws {UseCaseError} `settings_invalid`. */
export function openReceivers(
  settings: Settings,
  { consoleOrigin, consoleBase }: Pick<Environment, 'consoleOrigin' | 'consoleBase'>,
  proxies?: Proxies,
): Receivers {
  const consoleUrl = consoleOrigin && `${consoleOrigin}${consoleBase}`;
  const secretOf = (index: number) => readNotifySecret(settings, index);
  return asUseCase(() => new Receivers(settings.notify, secretOf, { proxies, consoleUrl }));
}

/** @throws {UseCaseError} `clock_wrong` if the clock of this machine is far from the clock of Redis. */
export async function requireClock(redis: RedisServer): Promise<void> {
  const ahead = await measureClock(redis);
  if (Math.abs(ahead) <= toleratedMs) return;
  throw new UseCaseError(
    'clock_wrong',
    `the clock of this machine is ${describeClock(ahead)}: rows would be posted late, or counted as late`,
    { fix: 'Correct the wrong clock, for example with NTP. Nothing was sent.' },
  );
}

/** @returns by how much the clock of this machine is ahead of Redis at least, in milliseconds; negative: behind. */
export async function measureClock(redis: RedisServer): Promise<number> {
  const connection = redis.connect('clock');
  try {
    const before = Date.now();
    const [seconds, microseconds] = (await connection.time()) as unknown as [string, string];
    // The travel time of the answer may explain a part of the difference.
    const there = Number(seconds) * 1000 + Number(microseconds) / 1000;
    return before > there ? before - there : Math.min(0, Date.now() - there);
  } finally {
    connection.disconnect();
  }
}
