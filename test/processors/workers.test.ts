import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import { createServiceClient } from '../../src/api/client.ts';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { AddressPolicy } from '../../src/media/addresses.ts';
import { Downloader } from '../../src/media/download.ts';
import { openSpool } from '../../src/media/spool.ts';
import { CampaignViews } from '../../src/processors/frame/campaign-view.ts';
import { Uploads } from '../../src/processors/steps/uploads.ts';
import { Workers } from '../../src/processors/workers.ts';
import { Budgets } from '../../src/queues/budgets.ts';
import { Queues } from '../../src/queues/queues.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../support/folder.ts';
import { writeMedia } from '../support/media.ts';
import { redisNamespace } from '../support/redis.ts';
import { testSandbox } from '../support/sandbox.ts';

const shippedSettings = new URL('../../config/sandbox.json', import.meta.url);

/** The workers of a process on a campaign of one row whose post is never answered. */
async function heldWorkers() {
  const { connect, prefix } = redisNamespace();
  const sandbox = await testSandbox();
  onTestFinished(() => sandbox.close());
  const folder = temporaryFolder();
  writeMedia(folder, ['clip.mp4']);
  const settings = checkSettings(JSON.parse(readFileSync(shippedSettings, 'utf8')));
  const ledger = createLedger({ redis: connect(), prefix });
  const { attempts } = settings.retry;
  const queues = new Queues({ connection: connect(), prefix, attempts });
  const client = createServiceClient({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    timeoutMs: 600_000,
    templates: settings.api,
  });
  const budgets = new Budgets({
    redis: connect(),
    prefix,
    account: 'default',
    budgets: settings.budgets,
    retry: settings.retry,
  });
  const spool = await openSpool({ directory: join(folder, 'spool'), quotaBytes: 1e9 });
  const { maxBytes } = settings.media;
  const downloader = new Downloader({ spool, addresses: new AddressPolicy([]), maxBytes });
  const workers = new Workers({
    context: {
      ledger,
      queues,
      accounts: {
        several: false,
        find: (name) => ({ name, client, budgets }),
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
    self: { host: 'hall', pid: process.pid, version: '1' },
    connect: () => connect(),
  });
  onTestFinished(() => queues.close());
  const id = await importOneRow(ledger, sandbox, folder);
  sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold' });
  await queues.wakeAdmission(id);
  await workers.start();
  await sandbox.whenHeld('createCreatorPost');
  return { workers, ledger, client, id };
}

async function importOneRow(ledger: Ledger, sandbox: Sandbox, folder: string): Promise<string> {
  const creator = sandbox.creators().find(({ username }) => username === 'demo_anna');
  if (!creator) throw new Error('the sandbox has lost a creator');
  const staged = ledger.newImport();
  await staged.add([{ number: 1, cells: ['demo_anna', 'clip.mp4', 'A caption', 'p-1', 'A product'] }]);
  const { id } = await staged.commit({
    name: 'test',
    sha256: 'sha',
    header: ['creator', 'media', 'caption', 'product_id', 'product_title'],
    account: 'default',
    mediaRoot: folder,
    timezone: null,
    source: 'test.csv',
    window: 10,
    leftOut: 0,
    creators: new Map([['demo_anna', creator]]),
    again: false,
  });
  return id;
}

it('a stop cuts off a call that is not answered until the deadline, and its row goes to review', async () => {
  const { workers, ledger, client, id } = await heldWorkers();
  await workers.stop(50);
  // With the call still under way this would wait for its ten minutes.
  await client.close();
  expect(await ledger.campaigns.find(id)).toMatchObject({ state: 'ended', counts: { review: 1 } });
  const [error] = await ledger.rows.errors(id, [0]);
  expect(error).toMatchObject({ code: 'outcome_unknown', step: 'post' });
});

it('workers are seen by others from their start until their stop', async () => {
  const { workers, ledger } = await heldWorkers();
  expect(await ledger.presence.workers()).toMatchObject([{ host: 'hall', isAlive: true }]);
  await workers.stop(50);
  expect(await ledger.presence.workers()).toEqual([]);
});
