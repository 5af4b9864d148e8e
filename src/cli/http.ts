/** Shared by commands that listen on a port: readiness, and the cure for a taken port. */
import type { Workers } from '../processors/workers.ts';
import { type CheckReadiness, createReadinessCheck } from '../runtime/observability/health.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { describeClock, describeDuration } from '../runtime/wording.ts';

/** @param workers workers of this process; undefined if it takes no jobs. */
export function readinessOf({ redis }: Runtime, workers: Workers | undefined): CheckReadiness {
  return createReadinessCheck({
    findRefusal: () => redis.findRefusal(),
    workersRun: workers && (() => workers.areRunning),
    troubles: workers && (() => troublesOf(workers)),
  });
}

function troublesOf({ clockAheadMs, missingJobs }: Workers): Readonly<Record<string, string>> {
  return {
    ...(clockAheadMs !== undefined && { clock: describeClock(clockAheadMs) }),
    ...Object.fromEntries(
      missingJobs.map(({ name, forMs }) => [name, `has not run for ${describeDuration(forMs)}`]),
    ),
  };
}

/** @param options names of the options that set the address. */
export function addressCure(options: string): string {
  return `Choose another address with ${options}. Port 0 takes a free port.`;
}
