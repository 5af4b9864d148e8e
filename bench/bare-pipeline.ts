/**
 * What the runner is compared with: the same calls of the service, one showcase call a row, without ledger, journal, window or rate
 * limits. As a plain script (`script`), as one BullMQ job a row (`job`), or as the BullMQ flow `post <- upload, showcase` (`flow`, the
 * default). Sends its times to the parent process.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job, Worker } from 'bullmq';
import { Pool } from 'undici';
import type { BenchRow } from './rows.ts';

export type BareKind = 'script' | 'job' | 'flow';

interface Task {
  readonly address: string;
  readonly socket: string;
  readonly folder: string;
  readonly kind?: BareKind;
  /** Rows, or jobs of each kind, at once. */
  readonly atOnce?: number;
}

const task = JSON.parse(process.env.BENCH ?? '{}') as Task;
const { address, socket, folder, kind = 'flow', atOnce } = task;
const rows = JSON.parse(await readFile(join(folder, 'rows.json'), 'utf8')) as BenchRow[];
const prefix = '{bare}';
const connection = { path: socket, maxRetriesPerRequest: null };
const api = new Pool(address, { connections: 256, pipelining: 1 });

async function call(path: string, body: object): Promise<Record<string, unknown>> {
  const { body: answer } = await api.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

async function upload(row: BenchRow): Promise<number> {
  const bytes = await readFile(join(folder, row.media));
  const hash = createHash('sha256').update(bytes.toString('hex'), 'latin1').digest('hex');
  const file = await call('/v1/file/presign', {
    fileName: row.media,
    contentType: 'video/mp4',
    size: bytes.length,
    hash,
  });
  if (file.isNew) {
    const path = new URL(file.uploadUrl as string).pathname;
    const { body } = await api.request({
      method: 'PUT',
      path,
      headers: { 'content-type': 'video/mp4' },
      body: bytes,
    });
    await body.dump();
    await call('/v1/file/confirm', { fileId: file.fileId });
  }
  return file.fileId as number;
}

async function showcase(row: BenchRow): Promise<void> {
  await call('/v1/creator/socialshop/product/addToShowcase', {
    id: 1,
    addType: 'PRODUCT_ID',
    productIds: [row.product],
  });
}

async function post(row: BenchRow, fileId: number): Promise<string> {
  const created = await call('/v1/creator/post/create', {
    businessId: String(fileId),
    businessType: 'FILE',
    creatorId: row.creator,
    title: row.caption,
    platform: 'SOCIAL_SHOP',
    mediaType: 'VIDEO',
    socialShop: { productInfo: { productId: row.product, title: 'Product', source: 'SHOWCASE' } },
  });
  return created.postId as string;
}

/** Everything that a row needs, in one go. */
async function wholeRow(row: BenchRow): Promise<string> {
  await showcase(row);
  return post(row, await upload(row));
}

async function postOfFlow(job: Job): Promise<string> {
  const values = Object.values(await job.getChildrenValues());
  return post(job.data, Number(values.find((value) => value !== null && value !== undefined)));
}

async function runScript(): Promise<void> {
  const queue = rows.values();
  const work = async () => {
    for (const row of queue) await wholeRow(row);
  };
  await Promise.all(Array.from({ length: atOnce ?? 50 }, work));
}

const options = { attempts: 5, removeOnComplete: { count: 200 } };
const atATime = 200;

/** A script does without: its start is measured, too. */
const bullmq = () => import('bullmq');

async function startWorker(
  name: string,
  run: (job: Job) => Promise<unknown>,
  concurrency: number,
): Promise<Worker> {
  const { Worker } = await bullmq();
  return new Worker(name, run, { connection, prefix, concurrency: atOnce ?? concurrency });
}

/** @returns a promise that all rows have been posted. */
function allPosted(worker: Worker): Promise<void> {
  let done = 0;
  return new Promise((resolve) => {
    worker.on('completed', () => {
      done += 1;
      if (done === rows.length) resolve();
    });
  });
}

async function runJobs(): Promise<void> {
  const queue = new (await bullmq()).Queue('row', { connection, prefix });
  const finished = allPosted(await startWorker('row', (job) => wholeRow(job.data), 50));
  for (let start = 0; start < rows.length; start += atATime) {
    const some = rows.slice(start, start + atATime);
    await queue.addBulk(some.map((row) => ({ name: 'row', data: row, opts: options })));
  }
  await finished;
}

async function runFlows(): Promise<void> {
  const flows = new (await bullmq()).FlowProducer({ connection, prefix });
  await startWorker('upload', (job) => upload(job.data), 16);
  await startWorker('showcase', (job) => showcase(job.data), 8);
  const finished = allPosted(await startWorker('post', postOfFlow, 32));
  for (let start = 0; start < rows.length; start += atATime) {
    await flows.addBulk(
      rows.slice(start, start + atATime).map((row) => ({
        name: 'post',
        queueName: 'post',
        prefix,
        data: row,
        opts: options,
        children: [
          { name: 'upload', queueName: 'upload', prefix, data: row, opts: options },
          { name: 'showcase', queueName: 'showcase', prefix, data: row, opts: options },
        ],
      })),
    );
  }
  await finished;
}

const kinds: Readonly<Record<BareKind, () => Promise<void>>> = {
  script: runScript,
  job: runJobs,
  flow: runFlows,
};

const begun = performance.now();
const cpu = process.cpuUsage();
await kinds[kind]();
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(cpu);
process.send?.({ seconds, cpuSeconds: (user + system) / 1e6 });
process.exit(0);
