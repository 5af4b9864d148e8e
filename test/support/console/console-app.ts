import { type Job, Worker } from 'bullmq';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createReadinessCheck } from '../../../src/app/runtime/health.ts';
import { listen } from '../../../src/app/runtime/http-server.ts';
import { createConsoleApp } from '../../../src/console/app.ts';
import type { Reach } from '../../../src/console/http/gate.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { type QueueName, Queues } from '../../../src/queues/queues.ts';
import { patienceMs } from '../events.ts';
import { redisNamespace } from '../redis/redis.ts';
import { boardClient, boardRuntime } from './board.ts';

const attempts = 3;

/** The application on its own queues. Jobs belong to a row, under a post, as in a campaign. @param reach default: on loopback. */
export async function openConsoleApp(reach: Partial<Reach> = {}) {
  const { redis, prefix, connect } = redisNamespace();
  const queues = new Queues({ connection: redis, prefix, attempts });
  const logged: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const clock = { now: Date.now() };
  const ledger = createLedger({ redis, prefix, now: () => clock.now });
  const app = createConsoleApp({
    runtime: boardRuntime({ queues, log, ledger, connection: redis }),
    readiness: createReadinessCheck({ findRefusal: () => ledger.findRefusal() }),
    secrets: ['sandbox-key'],
    // On a busy machine an answer of Redis takes longer than people are asked to wait for it.
    patienceMs: patienceMs / 2,
    version: '0.0.0',
    reach: { isLoopback: true, base: '', trustedProxies: [], ...reach },
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close();
    await queues.close();
  });

  /** Adds a row's flow: two uploads under a post. */
  const addRow = (row: number) =>
    queues.addFlows([
      {
        campaign: 'c1',
        row,
        revision: 0,
        plan: { uploads: [0, 1].map((i) => ({ of: 'media', i })), generation: undefined },
      },
    ]);
  /** Runs a worker on the queue until so many jobs have ended. */
  async function work(name: QueueName, count: number, processor: (job: Job) => Promise<unknown>) {
    let left = count;
    const done = Promise.withResolvers<void>();
    const worker = new Worker(name, processor, {
      connection: connect(),
      prefix,
      settings: { backoffStrategy: () => 1 },
    });
    const end = () => {
      left -= 1;
      if (left === 0) done.resolve();
    };
    worker.on('completed', end);
    worker.on('failed', (job) => {
      if (job?.finishedOn) end();
    });
    await done.promise;
    await worker.close();
  }
  const states = async (name: QueueName) =>
    Object.fromEntries(
      Object.entries(await (await queues.queue(name)).getJobCounts()).filter(([, count]) => count > 0),
    );
  const board = boardClient(server.url);
  return { queues, server, logged, addRow, work, states, connect, prefix, board, ledger, clock };
}
