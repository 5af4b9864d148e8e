/** What commands that listen have in common: probes, and what is said when a port is taken. */
import type { RequestListener } from 'node:http';
import type { Workers } from '../processors/workers.ts';
import { type CheckReadiness, createReadinessCheck } from '../runtime/health.ts';
import { type HttpServer, ListenError, listen } from '../runtime/http-server.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { CommandError } from './exit.ts';

/** @param workers the workers of this process; undefined where it is to have none. */
export function readinessOf({ redis }: Runtime, workers: Workers | undefined): CheckReadiness {
  const connection = redis.connect('health');
  return createReadinessCheck({
    ping: () => connection.ping(),
    workersRun: workers && (() => workers.areRunning),
  });
}

/** @param options the names of the options that choose the address, for the message. @throws {CommandError} */
export async function listenOrSay(
  handle: RequestListener,
  address: { readonly host: string; readonly port: number },
  options: string,
): Promise<HttpServer> {
  try {
    return await listen(handle, address);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new CommandError(`cannot listen on ${error.message}`, {
      cure: `Give another address with ${options}; port 0 takes a free one.`,
      cause: error,
    });
  }
}
