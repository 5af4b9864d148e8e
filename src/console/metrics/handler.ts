/** `/metrics` of the console: gauges of the ledger, and the metrics of this process's workers. For all users. */
import type { RequestHandler, Response } from 'express';
import type { CheckReadiness } from '../../app/runtime/health.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { diskMetrics, type MetricsSource } from '../../app/runtime/worker-metrics.ts';
import { type Gate, identify } from '../http/gate.ts';
import { foreignness } from '../http/own-origin.ts';
import { gaugesWithoutRedis, readGauges } from './gauges.ts';

export interface MetricsOptions {
  readonly runtime: Runtime;
  readonly gate: Gate;
  readonly readiness: CheckReadiness;
  readonly workers: MetricsSource | undefined;
  /** Origin that browsers see behind a reverse proxy. */
  readonly origin: string | undefined;
}

/** With a token any `Host` will do: Prometheus sends the address of a pod. Else it must be ours, as for pages. */
export function metricsHandler({
  runtime,
  gate,
  readiness,
  workers,
  origin,
}: MetricsOptions): RequestHandler {
  const read = sharedReading(runtime);
  const ofProcess = workers ?? diskMetrics(runtime.environment.dataDir);
  return async (request, response) => {
    const { redis } = await readiness();
    if (redis === 'away') {
      // Without Redis nobody can be authenticated. These gauges show no more than the probes, which are open.
      await send(response, [gaugesWithoutRedis()]);
      return;
    }
    const { person } = await identify(gate, request);
    const hasToken = !person.isAnybody && request.get('authorization') !== undefined;
    const refusal = hasToken ? undefined : foreignness(request.method, request.headers, origin);
    if (refusal !== undefined) {
      response.status(403).json({ error: refusal });
      return;
    }
    await send(response, [await read(redis === 'writable'), ofProcess]);
  };
}

async function send(response: Response, sources: readonly MetricsSource[]): Promise<void> {
  const texts = await Promise.all(sources.map((source) => source.metrics()));
  response.set({ 'content-type': sources[0]?.contentType ?? 'text/plain', 'cache-control': 'no-store' });
  response.send(texts.join('\n'));
}

/** Concurrent requests share one reading. */
function sharedReading(runtime: Runtime) {
  let connection: ReturnType<Runtime['redis']['connect']> | undefined;
  let pending: ReturnType<typeof readGauges> | undefined;
  return (isWritable: boolean) => {
    connection ??= runtime.redis.connect('metrics');
    pending ??= readGauges(runtime, connection, isWritable).finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
