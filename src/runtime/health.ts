/**
 * What probes ask: `/healthz`, whether the process is alive, and `/readyz`, whether it can do its part. A process that is
 * alive and not ready is left alone: it waits for Redis by itself, and a restart would not bring it back sooner.
 */
import express, { type Express } from 'express';

export interface Readiness {
  readonly ready: boolean;
  /** `ok`, or what is wrong, by what was looked at. */
  readonly checks: Readonly<Record<string, string>>;
}

export type CheckReadiness = () => Promise<Readiness>;

export interface ReadinessSources {
  /** One round trip to Redis. */
  readonly ping: () => Promise<unknown>;
  /** Whether this process takes jobs; left out where it is not meant to. */
  readonly workersRun?: (() => boolean) | undefined;
  /** How long Redis may take to answer, in milliseconds. */
  readonly answerMs?: number;
}

export function createReadinessCheck({
  ping,
  workersRun,
  answerMs = 2000,
}: ReadinessSources): CheckReadiness {
  // While Redis is away a ping waits for it: one is enough, however many probes come meanwhile.
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
    return withinTime(pending, answerMs);
  }
  return async () => {
    const checks: Record<string, string> = { redis: await askRedis() };
    if (workersRun) checks.workers = workersRun() ? 'ok' : 'not running';
    return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
  };
}

/** An application that answers probes, and nothing else yet. What it tells has to be kept from nobody. */
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

async function withinTime(answer: Promise<string>, ms: number): Promise<string> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, ms, `no answer within ${ms} ms`);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
