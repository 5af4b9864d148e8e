/** The admin address, where people and tests in other processes inspect and control the sandbox. JSON over HTTP, on loopback only. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import { instantOf, isoTime } from '../api/contract/time-zone.ts';
import { apiOperations, sandboxOperations } from './description/operations.ts';
import { type Fault, faultSchema } from './faults/schema.ts';
import { send } from './faults/wire.ts';
import { envelope } from './http/answer.ts';
import { readBody } from './http/read-body.ts';
import type { Sandbox } from './interface.ts';
import type { CallRecord } from './record.ts';
import { creatorProfile } from './store/creators.ts';

interface AdminCall {
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly sandbox: Sandbox;
}

/** Receives notifications: any bytes, whose signature covers them as they came. */
const receivePath = '/notifications';

type AdminRoute = (call: AdminCall) => unknown;

const operationName = z.enum(sandboxOperations).optional();
const listedOperation = z.enum([...sandboxOperations, 'unknown', 'decoy']).optional();
/** Takes a list, or one item without the list. */
function oneOrMany<T extends z.ZodType>(schema: T) {
  return z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(schema));
}

const faultsBody = oneOrMany(faultSchema);
const creatorsBody = oneOrMany(creatorProfile);
const keyPermissions = z.union([
  z.literal('all'),
  z.array(z.enum(Object.keys(apiOperations) as [keyof typeof apiOperations])),
]);
const keysBody = z.record(z.string().min(1), keyPermissions);
const clockBody = z.union([z.strictObject({ advanceMs: z.int() }), z.strictObject({ to: isoTime })]);
const count = z.coerce.number().int().min(0);

const routes: Readonly<Record<string, AdminRoute>> = {
  'GET /': () => ({ routes: [...Object.keys(routes), `POST ${receivePath}`] }),
  'GET /faults': ({ sandbox }) => sandbox.faults.list(),
  'GET /faults/schema': () => z.toJSONSchema(faultSchema, { io: 'input' }),
  'POST /faults': ({ sandbox, body }) => ({
    ids: faultsBody.parse(body).map((fault: Fault) => sandbox.faults.add(fault)),
  }),
  'DELETE /faults': ({ sandbox, query }) => {
    const id = query.get('id');
    sandbox.faults.clear(id === null ? undefined : count.parse(id));
    return {};
  },
  'GET /calls': ({ sandbox, query }) => {
    const operation = listedOperation.parse(query.get('operation') ?? undefined);
    const after = count.parse(query.get('after') ?? 0);
    const calls = sandbox.calls(operation).filter((call) => call.number > after);
    const limit = query.get('limit');
    return limit === null ? calls : calls.slice(-count.min(1).parse(limit));
  },
  'GET /calls/wait': async ({ sandbox, query }) => {
    const operation = listedOperation.unwrap().parse(query.get('operation'));
    await sandbox.whenCalled(operation, count.parse(query.get('count') ?? 1));
    return {};
  },
  'GET /held': ({ sandbox }) => ({ held: sandbox.held() }),
  'GET /held/wait': async ({ sandbox, query }) => {
    const operation = operationName.parse(query.get('operation') ?? undefined);
    await sandbox.whenHeld(operation, count.parse(query.get('count') ?? 1));
    return {};
  },
  'POST /release': ({ sandbox, query }) => ({
    released: sandbox.release(operationName.parse(query.get('operation') ?? undefined)),
  }),
  'GET /effects': ({ sandbox }) => sandbox.effects(),
  [`GET ${receivePath}`]: ({ sandbox }) => sandbox.notifications.list(),
  [`GET ${receivePath}/wait`]: async ({ sandbox, query }) => {
    await sandbox.notifications.whenReceived(count.parse(query.get('count') ?? 1));
    return {};
  },
  'GET /stats': ({ sandbox }) => stats(sandbox),
  'POST /reset': ({ sandbox }) => {
    sandbox.reset();
    return {};
  },
  'GET /creators': ({ sandbox }) => sandbox.creators(),
  'PUT /creators': ({ sandbox, body }) => {
    sandbox.putCreators(creatorsBody.parse(body));
    return {};
  },
  'PUT /keys': ({ sandbox, body }) => {
    for (const [key, permissions] of Object.entries(keysBody.parse(body))) sandbox.keys.put(key, permissions);
    return {};
  },
  'GET /clock': ({ sandbox }) => shownTime(sandbox.clock.now()),
  'POST /clock': ({ sandbox, body }) => {
    const jump = clockBody.parse(body);
    const by = 'to' in jump ? (instantOf(jump.to) ?? 0) - sandbox.clock.now() : jump.advanceMs;
    return shownTime(sandbox.clock.advance(by));
  },
};

/** @param record notes calls of `/decoy`, the target of redirect faults. */
export function adminListener(sandbox: Sandbox, record: CallRecord): RequestListener {
  return (request, response) => {
    serve(request, response, sandbox, record).catch((error: unknown) => {
      if (response.socket?.destroyed !== false) return;
      send(response, envelope(error instanceof z.ZodError ? 400 : 500, { error: describe(error) }));
    });
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  sandbox: Sandbox,
  record: CallRecord,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const { pathname, searchParams } = new URL(url, 'http://admin');
  if (pathname === '/decoy') {
    record.open('decoy', method, url, sandbox.clock.now(), request.headers['x-api-key'] !== undefined);
    request.resume();
    return send(response, envelope(200, { code: 0, data: {}, message: 'decoy' }));
  }
  // A web page must not control the sandbox of a person who visits it.
  if (method !== 'GET' && request.headers.origin !== undefined) {
    return send(response, envelope(403, { error: 'not for browsers' }));
  }
  if (method === 'POST' && pathname === receivePath) {
    const text = (await readBody(request)).toString();
    return send(response, envelope(sandbox.notifications.receive(request.headers, text), {}));
  }
  const route = routes[`${method} ${pathname}`];
  if (!route) return send(response, envelope(404, { error: `no such path; see GET ${sandbox.adminUrl}/` }));
  const text = (await readBody(request)).toString();
  const body: unknown = text === '' ? undefined : parse(text);
  const result = await route({ query: searchParams, body, sandbox });
  send(response, envelope(200, result as object));
}

function stats(sandbox: Sandbox) {
  const { posts, generations, files, showcase, covers } = sandbox.effects();
  return {
    calls: sandbox.counts(),
    posts: posts.length,
    generations: generations.length,
    files: files.length,
    confirmedFiles: files.filter((file) => file.state === 'confirmed').length,
    showcaseAdditions: showcase.length,
    showcaseProducts: showcase.reduce((sum, addition) => sum + addition.added.length, 0),
    covers: covers.length,
    held: sandbox.held(),
  };
}

function shownTime(now: number) {
  return { now, iso: new Date(now).toISOString() };
}

/** @throws {z.ZodError} so that it is answered like any other invalid body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new z.ZodError([{ code: 'custom', path: [], message: 'is not JSON', input: undefined }]);
  }
}

function describe(error: unknown): string {
  return error instanceof z.ZodError ? z.prettifyError(error) : String(error);
}
