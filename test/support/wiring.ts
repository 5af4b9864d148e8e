/**
 * The runner wired in one process: ledger, queues and workers, on a given Redis and service. It does not depend on the test
 * framework, so that benchmarks can use it. Tests use `openRunner` (`in-process.ts`).
 */

import { join } from 'node:path';
import { Semaphore } from 'async-mutex';
import type { Redis } from 'ioredis';
import { type Logger, pino } from 'pino';
import { readNotifySecret } from '../../config/load.ts';
import type { Settings } from '../../config/schema.ts';
import { storageConnector } from '../../src/app/runtime/connect-service.ts';
import { queueTelemetry } from '../../src/app/runtime/log.ts';
import type { ServiceConnection } from '../../src/app/runtime/service-connection.ts';
import { checkSheet } from '../../src/importers/check/check-sheet.ts';
import { createCreatorLookUp } from '../../src/importers/check/creator-look-up.ts';
import type { NewCampaign } from '../../src/ledger/imports/import.ts';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { ServiceReach } from '../../src/ledger/service/service-reach.ts';
import { RedisClock } from '../../src/platform/redis/clock.ts';
import { Receivers } from '../../src/processors/notify/receivers.ts';
import { CampaignViews } from '../../src/processors/runner/campaign-view.ts';
import type { ProcessorContext } from '../../src/processors/runner/context.ts';
import { Uploads } from '../../src/processors/steps/uploads.ts';
import { Workers } from '../../src/processors/workers.ts';
import { type QueueName, Queues } from '../../src/queues/queues.ts';
import { RateLimits } from '../../src/queues/rate-limits.ts';
import { createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { AddressPolicy } from '../../src/service/media/addresses.ts';
import { Downloader, type Patience } from '../../src/service/media/download.ts';
import { MediaProber } from '../../src/service/media/probe.ts';
import { openSpool } from '../../src/service/media/spool.ts';
import { fileSource } from '../../src/sheets/sheet.ts';
import { patienceMs } from './events.ts';

export interface WiringOptions {
  /** Address and key of the service. */
  readonly service: { readonly url: string; readonly apiKey: string };
  /** Opens a connection; the caller ends it. */
  readonly connect: () => Redis;
  readonly prefix: string;
  /** Folder of the media and the spool. */
  readonly folder: string;
  readonly settings: Settings;
  readonly now?: (() => number) | undefined;
  readonly log?: Logger | undefined;
  readonly failpoint?: ProcessorContext['failpoint'] | undefined;
  readonly onJobFinished?: ProcessorContext['onJobFinished'];
  /** How slow a download may be. */
  readonly patience?: Patience | undefined;
  /** Factor by which work is taken over sooner, and heartbeats and the rescuer come more often; default 1. */
  readonly speedUp?: number | undefined;
  /** Aborts when Redis has ended, as those see it who stop the workers. */
  readonly gone?: AbortSignal | undefined;
  /** Default: all. */
  readonly queues?: readonly QueueName[] | undefined;
}

/** Options of an import. */
export type HandInOptions = Partial<
  Pick<NewCampaign, 'window' | 'canary' | 'stopAfter' | 'again' | 'lead' | 'approve'>
>;

/** Use cases and processors take it, so its service is a connection, too. */
export type WiredContext = ProcessorContext & {
  readonly service: Pick<ServiceConnection, 'isConfigured' | 'need'>;
  readonly prober: MediaProber;
};

export interface Wiring {
  readonly redis: Redis;
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly client: ServiceClient;
  readonly rateLimits: RateLimits;
  readonly context: WiredContext;
  /** They take jobs once started. */
  readonly workers: Workers;
  /** Checks and imports a sheet as a campaign, without queueing it. @returns its id. @throws for a sheet with problems. */
  importSheet(path: string, options?: HandInOptions): Promise<string>;
  /** Releases Redis and the service. Stop the workers first. */
  close(): Promise<void>;
}

export async function wireRunner(options: WiringOptions): Promise<Wiring> {
  const { service, connect, prefix, folder, settings } = options;
  const clock = new RedisClock();
  const { now = clock.now } = options;
  const { rateLimits: rates, retry } = settings;
  const redis = connect();
  const ledger = createLedger({ redis, prefix, now: options.now });
  // BullMQ knows only the clock of this machine.
  const tolerance = options.now && Number.POSITIVE_INFINITY;
  const queues = new Queues({
    connection: redis,
    prefix,
    attempts: retry.attempts,
    telemetry: await queueTelemetry(),
    tolerance,
  });
  const rateLimits = new RateLimits({
    redis: connect(),
    prefix,
    rateLimits: rates,
    retry,
  });
  const reach = new ServiceReach({ redis, keys: ledger.keys, host: 'hall' });
  const client = createServiceClient({
    baseUrl: service.url,
    apiKey: service.apiKey,
    timeoutMs: settings.api.timeout,
    templates: settings.api,
    pageSize: settings.api.pageSize,
    codes: settings.api.codes,
    storageConnector: storageConnector(settings),
    observe: (call) => {
      if (call.kind === 'unanswered') reach.failed(call.reason ?? '');
      else reach.answered(call.date);
      if (call.kind === 'answered') rateLimits.answered(call.operation);
    },
  });
  const directory = join(folder, `spool-${process.pid}`);
  const spool = await openSpool({ directory, quotaBytes: settings.media.spool });
  const { maxBytes, allowPrivateAddresses } = settings.media;
  const patience = options.patience && { patience: options.patience };
  const downloader = new Downloader({
    spool,
    addresses: new AddressPolicy(allowPrivateAddresses),
    maxBytes,
    ...patience,
  });
  const receivers = new Receivers(settings.notify, (index) => readNotifySecret(settings, index));
  const calls = { client, rateLimits, reach };
  const views = new CampaignViews(ledger);
  const context: WiredContext = {
    ledger,
    queues,
    service: { ...calls, isConfigured: true, need: async () => calls },
    views,
    prober: new MediaProber({ longestMs: patienceMs }),
    uploads: new Uploads({
      files: ledger.files,
      media: { maxBytes, downloader },
      atOnce: settings.concurrency.upload,
    }),
    takesUploads: options.queues?.includes('upload') ?? true,
    postCalls: new Semaphore(settings.concurrency.post),
    receivers,
    settings,
    now,
    clock: options.now ? undefined : clock,
    log: options.log ?? pino({ level: 'silent' }),
    failpoint: options.failpoint ?? (() => undefined),
    onJobFinished: options.onJobFinished,
  };
  const workers = new Workers({
    context,
    connect,
    speedUp: options.speedUp,
    gone: options.gone,
    queues: options.queues,
    self: { host: 'hall', pid: process.pid, version: '1' },
  });

  return {
    redis,
    ledger,
    queues,
    client,
    rateLimits,
    context,
    workers,
    importSheet: (path, given) => importSheet({ ledger, client, settings, folder }, path, given),
    async close() {
      rateLimits.close();
      await queues.close();
      await client.close();
      await downloader[Symbol.asyncDispose]();
      await receivers[Symbol.asyncDispose]();
    },
  };
}

async function importSheet(
  {
    ledger,
    client,
    settings,
    folder,
  }: Pick<Wiring, 'ledger' | 'client'> & Pick<WiringOptions, 'settings' | 'folder'>,
  path: string,
  options: HandInOptions = {},
): Promise<string> {
  const staged = ledger.newImport();
  const checks = {
    settings,
    // Accept times that have passed: the steps decide about late rows.
    now: 0,
    creators: createCreatorLookUp((query) => client.creators.all(query)),
    media: null,
    posts: null,
  };
  const checked = await checkSheet(fileSource(path), checks, {
    onAccepted: (rows) => staged.add(rows),
  });
  const [problem] = checked.problems.kept;
  if (problem) throw new Error(`${path}: ${JSON.stringify(problem)}`);
  const { id } = await staged.commit({
    name: 'test',
    sha256: checked.sha256 ?? '',
    header: checked.header,
    mediaRoot: folder,
    timezone: null,
    source: path,
    window: settings.window,
    leftOut: 0,
    creators: checked.creators,
    again: false,
    ...options,
  });
  return id;
}
