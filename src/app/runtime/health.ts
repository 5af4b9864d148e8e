/**
 * Answers probes: `/healthz` says whether the process is alive, `/readyz` whether it can work. Do not restart a process that is
 * alive but not ready: it is waiting for Redis, and a restart would not help.
 */
import { setTimeout as wait } from 'node:timers/promises';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { describeClock } from '../../manifest/wording.ts';
import type { Workers } from '../../processors/workers.ts';
import { describeRefusal } from './redis.ts';
import type { Runtime } from './runtime.ts';
import type { MetricsSource } from './worker-metrics.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Whether Redis answers, and whether it also takes writes. */
  readonly redis: 'writable' | 'refusing' | 'away';
  /** `ok` or what is wrong, by name of the check. */
  readonly checks: Readonly<Record<string, string>>;
}

export type CheckReadiness = () => Promise<Readiness>;

/** @param workers of this process; undefined if it takes no jobs. */
export function readinessOf({ redis }: Runtime, workers: Workers | undefined): CheckReadiness {
  return createReadinessCheck({ findRefusal: () => redis.findRefusal(), workers });
}

export interface ReadinessSources {
  /** Writes to Redis. @returns the error with which it refuses; undefined if it takes writes. */
  readonly findRefusal: () => Promise<Error | undefined>;
  readonly workers?: Pick<Workers, 'areRunning' | 'clockAheadMs'> | undefined;
  /** How long Redis may take to answer, in milliseconds. */
  readonly answerMs?: number;
}

export function createReadinessCheck({
  findRefusal,
  workers,
  answerMs = 2000,
}: ReadinessSources): CheckReadiness {
  // A write waits while Redis does not answer, so all probes share one.
  let pending: Promise<RedisState> | undefined;
  function askRedis(): Promise<RedisState> {
    pending ??= findRefusal()
      .then(redisState, () => notReachable)
      .finally(() => {
        pending = undefined;
      });
    const late: RedisState = { redis: 'away', text: `no answer within ${answerMs} ms` };
    return Promise.race([pending, wait(answerMs, late, { ref: false })]);
  }
  return async () => {
    const { redis, text } = await askRedis();
    const checks: Record<string, string> = { redis: text };
    if (workers) checks.workers = workers.areRunning ? 'ok' : 'not running';
    if (workers?.clockAheadMs !== undefined) checks.clock = describeClock(workers.clockAheadMs);
    return { ready: Object.values(checks).every((check) => check === 'ok'), redis, checks };
  };
}

interface RedisState extends Pick<Readiness, 'redis'> {
  readonly text: string;
}

const notReachable: RedisState = { redis: 'away', text: 'not reachable' };

function redisState(refusal: Error | undefined): RedisState {
  if (refusal === undefined) return { redis: 'writable', text: 'ok' };
  return { redis: 'refusing', text: describeRefusal(refusal) };
}

export function createHealthApp(check: CheckReadiness): Express {
  const app = express().disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.set('cache-control', 'no-store').json({ alive: true });
  });
  app.get('/readyz', async (_request, response) => {
    const { ready, checks } = await check();
    response
      .set('cache-control', 'no-store')
      .status(ready ? 200 : 503)
      .json({ ready, checks });
  });
  return app;
}

/** Serves probes and `/metrics`, for processes that serve nothing else. */
export function createProbesApp(check: CheckReadiness, metrics: MetricsSource): Express {
  const app = createHealthApp(check);
  app.get('/metrics', async (_request, response) => {
    response.set({ 'content-type': metrics.contentType, 'cache-control': 'no-store' });
    response.send(await metrics.metrics());
  });
  // Express's own handler would show the path or a stack, and add a listener to the connection for each pipelined request.
  app.use((_request, response) => {
    response.status(404).end();
  });
  const answerError: ErrorRequestHandler = (
    error: { readonly status?: number },
    _request,
    response,
    _next,
  ) => {
    if (response.headersSent) response.destroy();
    else response.status(error.status ?? 500).end();
  };
  app.use(answerError);
  return app;
}
