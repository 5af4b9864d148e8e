/**
 * The runner on the same rows, with everything on: it imports the manifest, then is measured from the first admission to the
 * end of the campaign. Also tells how many bytes of Redis a waiting and an ended row take.
 */
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { checkSettings } from '../config/load.ts';
import { createServiceClient } from '../src/api/client.ts';
import { checkManifest } from '../src/importers/check.ts';
import { createCreatorLookUp } from '../src/importers/creators.ts';
import { fileSource } from '../src/importers/source.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { AddressPolicy } from '../src/media/addresses.ts';
import { Downloader } from '../src/media/download.ts';
import { openSpool } from '../src/media/spool.ts';
import { CampaignViews } from '../src/processors/campaign-view.ts';
import { Uploads } from '../src/processors/uploads.ts';
import { Workers } from '../src/processors/workers.ts';
import { Budgets } from '../src/queues/budgets.ts';
import { Queues, queueNames } from '../src/queues/queues.ts';

const { address, socket, folder, manifest } = JSON.parse(process.env.BENCH ?? '{}') as Record<string, string>;
const prefix = '{runner}';
const connect = () => new Redis({ path: socket ?? '', maxRetriesPerRequest: null });
const settings = checkSettings({
  api: { confirmUpload: { method: 'POST', path: '/v1/file/confirm', body: { fileId: '{fileId}' } } },
  budgets: { default: { rate: 1_000_000, per: '1s', burst: 1_000_000 } },
  ...JSON.parse(process.env.BENCH_SETTINGS ?? '{}'),
});
const redis = connect();
const ledger = createLedger({ redis, prefix });
const queues = new Queues({ connection: redis, prefix, attempts: settings.retry.attempts });
const client = createServiceClient({
  baseUrl: address ?? '',
  apiKey: 'key',
  timeoutMs: settings.api.timeout,
  templates: settings.api,
});
const { budgets: rates, retry } = settings;
const budgets = new Budgets({ redis: connect(), prefix, account: 'default', budgets: rates, retry });
const account = { name: 'default', client, budgets };

/** Bytes of the ledger's keys, and of what the queues keep of ended jobs: that is bounded by counts, not by the rows. */
async function keyBytes(): Promise<{ ledger: number; queues: number }> {
  const bytes = { ledger: 0, queues: 0 };
  for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 1000 })) {
    for (const key of new Set(keys as string[])) {
      const size = (await redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0;
      const ofQueue = queueNames.some((name) => key.startsWith(`${prefix}:${name}:`));
      bytes[ofQueue ? 'queues' : 'ledger'] += size;
    }
  }
  return bytes;
}

const staged = ledger.newImport();
const options = {
  settings,
  now: Date.now(),
  creators: createCreatorLookUp((query) => client.creators.list(query)),
  media: null,
  posts: null,
};
const check = await checkManifest(fileSource(manifest ?? ''), options, (rows) => staged.add(rows));
if (check.problems.total > 0) throw new Error(JSON.stringify(check.problems.kept[0]));
const { id } = await staged.commit({
  name: 'bench',
  sha256: check.sha256 ?? '',
  header: check.header,
  account: 'default',
  mediaRoot: folder ?? '',
  timezone: null,
  source: manifest ?? '',
  window: settings.window,
  leftOut: 0,
  creators: check.creators,
  again: true,
});
const waiting = await keyBytes();

const spool = await openSpool({ directory: join(folder ?? '', 'spool'), quotaBytes: settings.media.spool });
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

const begun = performance.now();
const cpu = process.cpuUsage();
await queues.wakeAdmission(id);
await workers.start();
for (;;) {
  const campaign = await ledger.campaigns.find(id);
  if (campaign?.state === 'ended') {
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    await workers.stop(5000);
    const ended = await keyBytes();
    process.send?.({
      seconds,
      counts: campaign.counts,
      waitingBytes: waiting.ledger / campaign.rows,
      endedBytes: ended.ledger / campaign.rows,
      queueBytes: ended.queues,
      cpuSeconds: (user + system) / 1e6,
    });
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
}
process.exit(0);
