/** The console in a process of its own. It answers each message with its memory after a garbage collection, and ends with its parent. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { listen } from '../src/app/runtime/http-server.ts';
import type { Runtime } from '../src/app/runtime/runtime.ts';
import { createConsoleApp } from '../src/console/app.ts';
import { type Given, openRunner } from './open-runner.ts';

const given = JSON.parse(process.env.BENCH ?? '{}') as Given;
const { ledger, queues, redis, context, client, rateLimits } = await openRunner(given);
const { settings, views, log, now } = context;
const service = { client, rateLimits };
const runtime = {
  ledger,
  queues,
  settings,
  views,
  log,
  now,
  redis: { connect: () => redis.duplicate() satisfies Redis, description: 'the Redis of the benchmark' },
  service: { isConfigured: true, need: () => service },
  environment: { dataDir: given.folder },
  notify: () => undefined,
} as unknown as Runtime;
const app = createConsoleApp({
  runtime,
  readiness: async () => ({ ready: true, redis: 'writable', checks: { redis: 'ok' } }),
  secrets: ['key'],
  version: '0.0.0',
});
const { url } = await listen(app, { host: '127.0.0.1', port: 0 });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', async () => {
  const longestMs = delay.max / 1e6;
  await turn();
  globalThis.gc?.();
  process.send?.({ heap: process.memoryUsage().heapUsed, rss: process.memoryUsage().rss, longestMs });
  delay.reset();
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url });
