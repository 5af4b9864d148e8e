/**
 * The baseline for the runner: the plain BullMQ flow `post <- upload, showcase` with the same calls and one showcase call a
 * row, without ledger, journal, window or rate limits. Sends its times to the parent process.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FlowProducer, type Job, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import type { BenchRow } from './rows.ts';

const { address, socket, folder } = JSON.parse(process.env.BENCH ?? '{}') as {
  address: string;
  socket: string;
  folder: string;
};
const rows = JSON.parse(await readFile(join(folder, 'rows.json'), 'utf8')) as BenchRow[];
const prefix = '{bare}';
const connect = () => new Redis({ path: socket, maxRetriesPerRequest: null });
const api = new Pool(address, { connections: 64, pipelining: 1 });

async function call(path: string, body: object): Promise<Record<string, unknown>> {
  const { body: answer } = await api.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

async function upload(job: Job): Promise<number> {
  const bytes = await readFile(join(folder, job.data.media));
  const hash = createHash('sha256').update(bytes.toString('hex'), 'latin1').digest('hex');
  const file = await call('/v1/file/presign', {
    fileName: job.data.media,
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

async function showcase(job: Job): Promise<void> {
  await call('/v1/creator/socialshop/product/addToShowcase', {
    id: 1,
    addType: 'PRODUCT_ID',
    productIds: [job.data.product],
  });
}

async function post(job: Job): Promise<string> {
  const values = Object.values(await job.getChildrenValues());
  const fileId = String(values.find((value) => value !== null && value !== undefined));
  const created = await call('/v1/creator/post/create', {
    businessId: fileId,
    businessType: 'FILE',
    creatorId: job.data.creator,
    title: job.data.caption,
    platform: 'SOCIAL_SHOP',
    mediaType: 'VIDEO',
    socialShop: { productInfo: { productId: job.data.product, title: 'Product', source: 'SHOWCASE' } },
  });
  return created.postId as string;
}

const flows = new FlowProducer({ connection: connect(), prefix });
const worker = (name: string, run: (job: Job) => Promise<unknown>, concurrency: number) =>
  new Worker(name, run, { connection: connect(), prefix, concurrency });
const workers = [worker('upload', upload, 16), worker('showcase', showcase, 8), worker('post', post, 32)];
await Promise.all(workers.map((each) => each.waitUntilReady()));

const begun = performance.now();
const cpu = process.cpuUsage();
const finished = new Promise<void>((resolve) => {
  let done = 0;
  workers[2]?.on('completed', () => {
    done += 1;
    if (done === rows.length) resolve();
  });
});
const options = { attempts: 5, removeOnComplete: { count: 200 } };
for (let start = 0; start < rows.length; start += 200) {
  await flows.addBulk(
    rows.slice(start, start + 200).map((row) => ({
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
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(cpu);
process.send?.({ seconds, cpuSeconds: (user + system) / 1e6 });
process.exit(0);
