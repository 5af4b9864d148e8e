/** The whole runner in a benchmark's process: ledger, queues and workers, on a given service and Redis. */
import { Redis } from 'ioredis';
import { checkSettings } from '../config/load.ts';
import type { QueueName } from '../src/queues/queues.ts';
import { wireRunner } from '../test/support/wiring.ts';

/** What a benchmark passes to its processes, in `BENCH`. */
export interface Given {
  /** Of the service. */
  readonly address: string;
  /** Of Redis. */
  readonly socket: string;
  /** Where the media is. */
  readonly folder: string;
  readonly manifest: string;
  /** Default: all. */
  readonly queues?: readonly QueueName[] | undefined;
}

export const prefix = '{runner}';

export async function openRunner({ address, socket, folder, manifest, queues }: Given) {
  const connections: Redis[] = [];
  const runner = await wireRunner({
    service: { url: address, apiKey: 'key' },
    connect: () => {
      const connection = new Redis({ path: socket, maxRetriesPerRequest: null });
      connections.push(connection);
      return connection;
    },
    prefix,
    folder,
    queues,
    settings: checkSettings({
      api: { confirmUpload: { method: 'POST', path: '/v1/file/confirm', body: { fileId: '{fileId}' } } },
      rateLimits: { default: { rate: 1_000_000, per: '1s', burst: 1_000_000 } },
      ...JSON.parse(process.env.BENCH_SETTINGS ?? '{}'),
    }),
  });
  return {
    ...runner,
    /** Imports the manifest. @returns the id of the campaign. */
    importManifest: () => runner.importSheet(manifest, { again: true }),
    /** Disconnects from Redis, before Redis ends. */
    async close(): Promise<void> {
      await runner.close();
      for (const connection of connections) connection.disconnect();
    },
  };
}
