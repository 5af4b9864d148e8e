/**
 * How long `list` and `show` take for a large campaign with many failed rows, without the start of the process (`start-up`)
 * and the connection.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { causesOf } from '../src/campaigns/causes/causes.ts';
import { createLedger, type Ledger } from '../src/ledger/ledger.ts';
import { startRedis } from './redis-server.ts';
import { median, printTable } from './table.ts';

const prefix = '{show}';
const atOnce = 5000;

export async function benchShow(rows: number, failed: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-show-'));
  const server = await startRedis(folder);
  const redis = new Redis({ path: server.socket, maxRetriesPerRequest: null });
  try {
    const ledger = createLedger({ redis, prefix });
    const id = await importRows(ledger, rows);
    await fail(redis, ledger, { id, rows, failed });
    const times = { list: [] as number[], show: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.list.push(await timed(() => ledger.campaigns.list()));
      times.show.push(await timed(() => show(ledger, id)));
    }
    const cells = (name: keyof typeof times) => [median(times[name]).toFixed(0)];
    const title = `${rows.toLocaleString('en')} rows, ${failed.toLocaleString('en')} failed`;
    printTable(
      title,
      ['ms'],
      [
        ['list', cells('list')],
        ['show', cells('show')],
      ],
    );
    process.stdout.write('\n');
  } finally {
    redis.disconnect();
    server.process.kill();
    await once(server.process, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

async function show(ledger: Ledger, id: string): Promise<void> {
  const campaign = await ledger.campaigns.find(id);
  if (campaign) await causesOf(ledger, campaign);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function importRows(ledger: Ledger, rows: number): Promise<string> {
  const staged = ledger.newImport();
  for (let start = 0; start < rows; start += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, rows - start) }, (_, index) => start + index + 1);
    await staged.add(
      numbers.map((number) => ({ number, cells: ['creator', `${number}.mp4`, 'A caption', 'p', 'P'] })),
    );
  }
  const { id } = await staged.commit({
    name: 'bench',
    sha256: 'sha',
    header: ['creator', 'media', 'caption', 'product_id', 'product_title'],
    account: 'default',
    mediaRoot: '/media',
    timezone: null,
    source: 'bench.csv',
    window: 1000,
    leftOut: 0,
    creators: new Map(),
    again: false,
  });
  return id;
}

/** Writes the records of failed rows, with seven causes in turn. */
async function fail(
  redis: Redis,
  { keys }: Ledger,
  { id, rows, failed }: { readonly id: string; readonly rows: number; readonly failed: number },
): Promise<void> {
  const pipeline = redis.pipeline();
  for (let index = 0; index < failed; index += 1) {
    const row = Math.floor((index * rows) / failed);
    const error = {
      step: 'post',
      code: `http_${400 + (index % 7)}`,
      message: 'createCreatorPost was refused with HTTP 400: the service says what is wrong with this row.',
      subject: `product ${index % 100}`,
      cure: 'Fix what the service names in the sheet, then update the campaign.',
      at: 0,
    };
    pipeline.hset(keys.errors(id), row, JSON.stringify(error));
    pipeline.zadd(keys.index(id, 'failed'), row, String(row));
  }
  pipeline.hset(keys.campaign(id), { failed, posted: rows - failed, waiting: 0, state: 'ended' });
  await pipeline.exec();
}
