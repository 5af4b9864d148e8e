/** Finds the endpoint of a request: an operation, the storage, or a download. */
import type { IncomingMessage } from 'node:http';
import type { Downloads } from '../downloads.ts';
import type { Answer } from '../http/answer.ts';
import { readQuery } from '../http/query.ts';
import { type BodyForm, parseBody } from '../http/read-body.ts';
import type { ApiKeys } from '../keys.ts';
import type { RateLimits } from '../rates.ts';
import type { CallFacts, Route, Surroundings } from '../routes/route.ts';
import { routeTable } from '../routes/table.ts';
import type { OnBytes } from '../storage.ts';
import { apiOperations, type SandboxOperation } from './operations.ts';

/** One request on its way through. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly path: string;
  /** Without the question mark. */
  readonly search: string;
  /** The whole body; empty for an endpoint that streams it. */
  readonly body: Buffer;
  /** Called as an upload's bytes arrive. */
  readonly onBytes: OnBytes;
}

export interface Endpoint {
  readonly operation: SandboxOperation;
  /** The body that is read before the call is checked. Uploads stream theirs instead. */
  readonly body?: BodyForm;
  /** Checks key and rate. @throws {Refusal} 401, 403, 429 */
  admit?(request: IncomingMessage): void;
  /** Carries out the call. @throws {Refusal} */
  perform(incoming: Incoming, call: CallFacts): Answer | Promise<Answer>;
}

export class Endpoints {
  readonly #api: ReadonlyMap<string, Endpoint>;
  readonly #storage: Endpoint;
  readonly #downloads: Endpoint;

  constructor(surroundings: Surroundings, downloads: Downloads, keys: ApiKeys, rates: RateLimits) {
    const entries = [...routeTable].map(([address, route]) => {
      return [address, apiEndpoint(address, route, surroundings, keys, rates)] as const;
    });
    this.#api = new Map(entries);
    this.#storage = {
      operation: 'putFile',
      perform: ({ request, path, search, onBytes }) =>
        surroundings.storage.receive(request, path, search, onBytes),
    };
    this.#downloads = {
      operation: 'getAsset',
      perform: ({ path }) => downloads.get(path),
    };
  }

  find(method: string, path: string): Endpoint | undefined {
    const found = this.#api.get(`${method} ${path}`);
    if (found) return found;
    if (method === 'PUT' && path.startsWith('/storage/')) return this.#storage;
    const isDownload = path.startsWith('/files/') || path.startsWith('/assets/');
    return isDownload && (method === 'GET' || method === 'HEAD') ? this.#downloads : undefined;
  }

  /** Whether another method would find an operation at this path. */
  isKnownPath(path: string): boolean {
    return [...this.#api.keys()].some((address) => address.endsWith(` ${path}`));
  }
}

function apiEndpoint(
  address: string,
  route: Route,
  surroundings: Surroundings,
  keys: ApiKeys,
  rates: RateLimits,
): Endpoint {
  const form = 'takesForm' in apiOperations[route.operation] ? 'form' : 'json';
  const isPost = address.startsWith('POST');
  return {
    operation: route.operation,
    ...(isPost && { body: form }),
    admit: (request) => {
      keys.check(request.headers['x-api-key'], route.operation);
      rates.take(route.operation);
    },
    perform: async ({ request, search, body }, call) => {
      const input = isPost ? await parseBody(request, body, form) : readQuery(search);
      return route.answer(input, call, surroundings);
    },
  };
}
