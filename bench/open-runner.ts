/** The runner with everything on, in a process of a benchmark: its ledger, queues and workers, on the service and Redis that it is given. */
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { checkSettings } from '../config/load.ts';
import { createServiceClient } from '../src/api/client.ts';
import { checkManifest } from '../src/importers/check/check.ts';
import { createCreatorLookUp } from '../src/importers/check/creators.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { AddressPolicy } from '../src/media/addresses.ts';
import { Downloader } from '../src/media/download.ts';
import { openSpool } from '../src/media/spool.ts';
import { CampaignViews } from '../src/processors/frame/campaign-view.ts';
import { Uploads } from '../src/processors/steps/uploads.ts';
import { Workers } from '../src/processors/workers.ts';
import { Budgets } from '../src/queues/budgets.ts';
import { Queues } from '../src/queues/queues.ts';
import { fileSource } from '../src/sheets/source.ts';

/** What a benchmark tells its processes, in `BENCH`. */
export interface Given {
  /** Of the service. */
  readonly address: string;
  /** Of Redis. */
  readonly socket: string;
  /** Where the media is. */
  readonly folder: string;
  readonly manifest: string;
}

export const prefix = '{runner}';

export async function openRunner({ address, socket, folder, manifest }: Given) {
  const connections: Redis[] = [];
  const connect = () => {
    const connection = new Redis({ path: socket, maxRetriesPerRequest: null });
    connections.push(connection);
    return connection;
  };
  const settings = checkSettings({
    api: { confirmUpload: { method: 'POST', path: '/v1/file/confirm', body: { fileId: '{fileId}' } } },
    budgets: { default: { rate: 1_000_000, per: '1s', burst: 1_000_000 } },
    ...JSON.parse(process.env.BENCH_SETTINGS ?? '{}'),
  });
  const redis = connect();
  const ledger = createLedger({ redis, prefix });
  const queues = new Queues({ connection: redis, prefix, attempts: settings.retry.attempts });
  const client = createServiceClient({
    baseUrl: address,
    apiKey: 'key',
    timeoutMs: settings.api.timeout,
    templates: settings.api,
  });
  const { budgets: rates, retry } = settings;
  const budgets = new Budgets({ redis: connect(), prefix, account: 'default', budgets: rates, retry });
  const account = { name: 'default', client, budgets };
  const directory = join(folder, `spool-${process.pid}`);
  const spool = await openSpool({ directory, quotaBytes: settings.media.spool });
  const { maxBytes } = settings.media;
  const downloader = new Downloader({ spool, addresses: new AddressPolicy([]), maxBytes });
  const workers = new Workers({
    context: {
      ledger,
      queues,
      accounts: {
        several: false,
        find: () => account,
        stopWaiting: () => budgets.close(),
        cutOff: () => client.cutOff(),
      },
      views: new CampaignViews(ledger),
      uploads: new Uploads({ files: ledger.files, media: { maxBytes, downloader } }),
      settings,
      now: Date.now,
      log: pino({ level: 'silent' }),
      failpoint: () => undefined,
    },
    self: { host: 'bench', pid: process.pid, version: 'bench' },
    connect,
  });

  /** Imports the manifest. @returns the id of the campaign. */
  async function importManifest(): Promise<string> {
    const staged = ledger.newImport();
    const options = {
      settings,
      now: Date.now(),
      creators: createCreatorLookUp((query) => client.creators.list(query)),
      media: null,
      posts: null,
    };
    const check = await checkManifest(fileSource(manifest), options, (rows) => staged.add(rows));
    if (check.problems.total > 0) throw new Error(JSON.stringify(check.problems.kept[0]));
    const { id } = await staged.commit({
      name: 'bench',
      sha256: check.sha256 ?? '',
      header: check.header,
      account: 'default',
      mediaRoot: folder,
      timezone: null,
      source: manifest,
      window: settings.window,
      leftOut: 0,
      creators: check.creators,
      again: true,
    });
    return id;
  }

  /** Lets go of Redis, before it ends. */
  async function close(): Promise<void> {
    budgets.close();
    await queues.close();
    for (const connection of connections) connection.disconnect();
  }

  return { redis, ledger, queues, workers, importManifest, close };
}
