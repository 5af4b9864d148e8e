/**
 * Answers probes: `/healthz` says whether the process is alive, `/readyz` whether it can work. Do not restart a process that is
 * alive but not ready: it is waiting for Redis, and a restart would not help.
 */
import { setTimeout as wait } from 'node:timers/promises';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { MetricsSource } from './worker-metrics.ts';

export interface Readiness {
  readonly ready: boolean;
  /** `ok` or what is wrong, by name of the check. */
  readonly checks: Readonly<Record<string, string>>;
}

export type CheckReadiness = () => Promise<Readiness>;

export interface ReadinessSources {
  /** One round trip to Redis. */
  readonly ping: () => Promise<unknown>;
  /** Whether this process takes jobs; undefined if it has no workers. */
  readonly workersRun?: (() => boolean) | undefined;
  /** What else is wrong with the workers, by name of the check; empty while all is well. */
  readonly troubles?: (() => Readonly<Record<string, string>>) | undefined;
  /** How long Redis may take to answer, in milliseconds. */
  readonly answerMs?: number;
}

export function createReadinessCheck({
  ping,
  workersRun,
  troubles,
  answerMs = 2000,
}: ReadinessSources): CheckReadiness {
  // A ping waits while Redis does not answer, so all probes share one.
  let pending: Promise<string> | undefined;
  function askRedis(): Promise<string> {
    pending ??= ping()
      .then(
        () => 'ok',
        () => 'not reachable',
      )
      .finally(() => {
        pending = undefined;
      });
    return Promise.race([pending, wait(answerMs, `no answer within ${answerMs} ms`, { ref: false })]);
  }
  return async () => {
    const checks: Record<string, string> = { redis: await askRedis() };
    if (workersRun) checks.workers = workersRun() ? 'ok' : 'not running';
    Object.assign(checks, troubles?.());
    return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
  };
}

/** Creates an application that answers probes, to which others can add routes. Its answers contain no secrets. */
export function createHealthApp(check: CheckReadiness): Express {
  const app = express().disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.set('cache-control', 'no-store').json({ alive: true });
  });
  app.get('/readyz', async (_request, response) => {
    const readiness = await check();
    const status = readiness.ready ? 200 : 503;
    response.set('cache-control', 'no-store').status(status).json(readiness);
  });
  return app;
}

/** For processes that serve nothing else: probes and `/metrics`. */
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
