/** The admin address, where people and tests in other processes inspect and control the sandbox. JSON over HTTP, on loopback only. */
import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import { z } from 'zod';
import { instantOf, isoTime } from '../service/contract/time-zone.ts';
import { creatorProfile } from './creators.ts';
import { type ApiOperationId, apiOperationIds, sandboxOperations } from './description/operations.ts';
import { faultSchema } from './faults/schema.ts';
import { envelope, send } from './http.ts';
import type { Sandbox } from './parts.ts';
import type { CallRecord } from './record.ts';
import { bodyReader, bodyText } from './requests.ts';

function oneOrMany<T extends z.ZodType>(schema: T) {
  return z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(schema));
}

const faultsBody = oneOrMany(faultSchema);
const creatorsBody = oneOrMany(creatorProfile);
const keyPermissions = z.union([z.literal('all'), z.array(z.enum(apiOperationIds as [ApiOperationId]))]);
const keysBody = z.record(z.string().min(1), keyPermissions);
const clockBody = z.union([z.strictObject({ advanceMs: z.int() }), z.strictObject({ to: isoTime })]);
const operationName = z.enum(sandboxOperations).optional();
const listedOperation = z.enum([...sandboxOperations, 'unknown', 'decoy']);
const count = z.coerce.number().int().min(0);
/** Of calls, held ones or notifications to wait for. */
const awaited = count.default(1);

/** Answers one route. @param body parsed; undefined for none. @throws {z.ZodError} for an invalid query or body. */
type AdminRoute = (query: Request['query'], body: unknown) => unknown;

/** By method and path, as in `GET /faults`. */
function routesOf(sandbox: Sandbox): Readonly<Record<string, AdminRoute>> {
  const { faults, keys, clock, notifications } = sandbox;
  const time = (now: number) => ({ now, iso: new Date(now).toISOString() });
  return {
    'GET /faults': () => faults.list(),
    'GET /faults/schema': () => z.toJSONSchema(faultSchema, { io: 'input' }),
    'POST /faults': (_, body) => ({ ids: faultsBody.parse(body).map((fault) => faults.add(fault)) }),
    'DELETE /faults': ({ id }) => faults.clear(count.optional().parse(id)),
    'GET /calls': ({ operation, after, limit }) => {
      const from = count.default(0).parse(after);
      const calls = sandbox.calls(listedOperation.optional().parse(operation));
      const newer = calls.filter(({ number }) => number > from);
      return limit === undefined ? newer : newer.slice(-count.min(1).parse(limit));
    },
    'GET /calls/wait': ({ operation, count: calls }) =>
      sandbox.whenCalled(listedOperation.parse(operation), awaited.parse(calls)),
    'GET /held': () => ({ held: sandbox.held() }),
    'GET /held/wait': ({ operation, count: calls }) =>
      sandbox.whenHeld(operationName.parse(operation), awaited.parse(calls)),
    'POST /release': ({ operation }) => ({ released: sandbox.release(operationName.parse(operation)) }),
    'GET /effects': () => sandbox.effects(),
    'GET /notifications': () => notifications.list(),
    'GET /notifications/wait': ({ count: messages }) => notifications.whenReceived(awaited.parse(messages)),
    'GET /stats': () => stats(sandbox),
    'POST /reset': () => sandbox.reset(),
    'GET /creators': () => sandbox.creators(),
    'PUT /creators': (_, body) => sandbox.putCreators(creatorsBody.parse(body)),
    'PUT /keys': (_, body) => {
      for (const [key, permissions] of Object.entries(keysBody.parse(body))) keys.put(key, permissions);
    },
    'GET /clock': () => time(clock.now()),
    'POST /clock': (_, body) => {
      const jump = clockBody.parse(body);
      const by = 'to' in jump ? (instantOf(jump.to) ?? 0) - clock.now() : jump.advanceMs;
      return time(clock.advance(by));
    },
  };
}

/** @param record notes calls of `/decoy`, the target of redirect faults. */
export function createAdmin(sandbox: Sandbox, record: CallRecord): Express {
  const app = express().disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  app.all('/decoy', (request, response) => {
    record.open('decoy', request, sandbox.clock.now());
    request.resume();
    send(response, envelope(200, { code: 0, data: {}, message: 'decoy' }));
  });
  app.use(({ method, headers }, response, next) => {
    // A web page must not control the sandbox of a person who visits it.
    if (method === 'GET' || headers.origin === undefined) next();
    else send(response, envelope(403, { error: 'not for browsers' }));
  }, bodyReader);
  // Any bytes, whose signature covers them as they came.
  app.post('/notifications', (request, response) => {
    const header = (name: string) => request.get(name);
    send(response, envelope(sandbox.notifications.receive(header, bodyText(request)), {}));
  });
  const routes = routesOf(sandbox);
  for (const [address, answer] of Object.entries(routes)) {
    const [method = '', path = ''] = address.toLowerCase().split(' ');
    app[method as 'get' | 'post' | 'put' | 'delete'](path, async (request, response) => {
      const text = bodyText(request);
      const result = await answer(request.query, text === '' ? undefined : parse(text));
      send(response, envelope(200, result ?? {}));
    });
  }
  app.get('/', (_request, response) => {
    send(response, envelope(200, { routes: ['GET /', ...Object.keys(routes), 'POST /notifications'] }));
  });
  app.use((_request, response) => {
    send(response, envelope(404, { error: `no such path; see GET ${sandbox.adminUrl}/` }));
  });
  app.use(answerError);
  return app;
}

const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (response.socket?.destroyed !== false) return;
  const isInvalid = error instanceof z.ZodError;
  const why = isInvalid ? z.prettifyError(error) : String(error);
  send(response, envelope(isInvalid ? 400 : 500, { error: why }));
};

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

/** @throws {z.ZodError} so that it is answered like any other invalid body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new z.ZodError([{ code: 'custom', path: [], message: 'is not JSON', input: undefined }]);
  }
}
