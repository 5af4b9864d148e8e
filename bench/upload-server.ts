/** A process that takes uploads: the console, or the bare tus server. It answers each message with what it took since the last one. */
import { createServer } from 'node:http';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';
import { createDraft } from '../src/drafts/drafts.ts';
import { openPages } from '../test/support/console/console-pages.ts';
import type { TestRunner } from '../test/support/in-process.ts';
import { type Given, openRunner } from './open-runner.ts';

export interface UploadServer {
  /** Where uploads are begun. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Task extends Given {
  readonly kind: 'bare' | 'console';
}

const task = JSON.parse(process.env.BENCH ?? '{}') as Task;
export interface UploadCosts {
  /** Most memory. */
  readonly megabytes: number;
  readonly cpuSeconds: number;
}

let mostBytes = 0;
let before = process.cpuUsage();
setInterval(() => {
  mostBytes = Math.max(mostBytes, process.memoryUsage().rss);
}, 50);
process.on('message', () => {
  const { user, system } = process.cpuUsage(before);
  const costs: UploadCosts = { megabytes: mostBytes / 1e6, cpuSeconds: (user + system) / 1e6 };
  process.send?.(costs);
  before = process.cpuUsage();
  mostBytes = 0;
});
process.on('disconnect', () => process.exit(0));
process.send?.(await (task.kind === 'bare' ? openBare(task.folder) : openConsole()));

async function openBare(folder: string): Promise<UploadServer> {
  const tus = new Server({
    path: '/uploads',
    datastore: new FileStore({ directory: folder }),
    relativeLocation: true,
  });
  const server = createServer((request, response) => void tus.handle(request, response));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { address: `http://127.0.0.1:${port}/uploads`, headers: {} };
}

async function openConsole(): Promise<UploadServer> {
  const runner = { ...(await openRunner(task)), folder: task.folder } as unknown as TestRunner;
  const { url, runtime, get } = await openPages(runner, { onTestFinished: () => undefined });
  const { id } = await createDraft(runtime, 'bench');
  const [, proof = ''] = /name="_csrf" value="([^"]*)"/.exec((await get('/campaigns/new')).html) ?? [];
  return { address: `${url}/campaigns/new/${id}/uploads`, headers: { 'x-csrf-token': proof } };
}
