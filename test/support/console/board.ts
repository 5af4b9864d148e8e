/** A client of Bull Board: its HTTP API, with the calls that its pages make. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { loadSettings } from '../../../config/load.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';

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
