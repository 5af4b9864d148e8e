/** A client of Bull Board: its HTTP API, with the calls that its pages make. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import type { TestContext } from 'vitest';
import { loadSettings } from '../../../config/load.ts';
import { createConsoleApp } from '../../../src/console/app.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { Queues } from '../../../src/queues/queues.ts';
import { listen } from '../../../src/runtime/http-server.ts';
import { createReadinessCheck } from '../../../src/runtime/observability/health.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';

export interface BoardAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface BoardClient {
  /** @param path behind `/board/api/queues/`: `post/c1-0-0-post/retry`. */
  change(method: 'PUT' | 'PATCH' | 'POST', path: string, body?: object): Promise<BoardAnswer>;
  /** @param path behind `/board/api/`. */
  read(path: string): Promise<BoardAnswer>;
}

/** @param url origin of the server. */
export function boardClient(url: string): BoardClient {
  async function call(method: string, path: string, body?: object): Promise<BoardAnswer> {
    const answer = await fetch(`${url}/board/api/${path}`, {
      method,
      headers: { origin: url, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  return {
    change: (method, path, body) => call(method, `queues/${path}`, body),
    read: (path) => call('GET', path),
  };
}

/** Serves the board for a scene's Redis from this process, until the test ends. @param url of a Unix socket. */
export async function serveBoard(
  test: Pick<TestContext, 'onTestFinished'>,
  url: string,
): Promise<BoardClient> {
  const connection = new Redis({ path: url.replace('unix://', ''), maxRetriesPerRequest: null });
  connection.on('error', () => undefined);
  const queues = new Queues({ connection, prefix: '{campaigns}', attempts: 1 });
  const ledger = createLedger({ redis: connection, prefix: '{campaigns}' });
  const app = createConsoleApp({
    runtime: boardRuntime({ queues, ledger, log: pino({ level: 'silent' }), connection }),
    readiness: createReadinessCheck({ findRefusal: () => ledger.findRefusal() }),
    secrets: [],
    version: '0.0.0',
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  test.onTestFinished(async () => {
    await server.close();
    await queues.close();
    connection.disconnect();
  });
  return boardClient(server.url);
}

/** The parts of a runtime that Bull Board and the frame of a page use. */
export function boardRuntime({
  connection,
  ...parts
}: Pick<Runtime, 'queues' | 'ledger' | 'log'> & { readonly connection: Redis }): Runtime {
  const redis = { connect: () => connection };
  const environment = { dataDir: join(tmpdir(), 'campaigns-no-data') };
  return {
    ...parts,
    redis,
    environment,
    settings: loadSettings(undefined),
    now: Date.now,
  } as unknown as Runtime;
}
