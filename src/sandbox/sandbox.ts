/** Starts a local stand-in for the service, which tests can inspect and disturb. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdmin } from './admin.ts';
import { assemble, controlsOf, type Sandbox, type SandboxOptions } from './parts.ts';
import { Service } from './service.ts';

export type { ApiKeys, KeyPermissions, Rates } from './admission.ts';
export type { CreatorProfile, CreatorProfileInput } from './creators.ts';
export type { ApiOperationId, SandboxOperation } from './description/operations.ts';
export type { FaultRules, FaultState, Matchable } from './faults/rules.ts';
export type { Fault, FaultInput } from './faults/schema.ts';
export type { Clock, Sandbox, SandboxClock, SandboxOptions } from './parts.ts';
export type { Call, Notification, Notifications } from './record.ts';
export type {
  Effect,
  Effects,
  ShowcaseAddition,
  StoredCover,
  StoredFile,
  StoredPost,
  StoredSchedule,
} from './store.ts';

/** Starts a sandbox and listens. @throws when a port is taken or the file cannot be opened. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const parts = assemble(options);
  const { store, storage, closing } = parts;
  const servers: Server[] = [];
  const close = async () => {
    closing.abort();
    for (const server of servers) await stop(server);
    await storage[Symbol.asyncDispose]();
    store[Symbol.dispose]();
  };
  let closed: Promise<void> | undefined;
  const sandbox = controlsOf(parts, () => {
    closed ??= close();
    return closed;
  });
  try {
    sandbox.putCreators(options.creators ?? []);
    parts.url = await listen(servers, options.port, new Service(parts).app);
    parts.adminUrl = await listen(servers, options.adminPort, createAdmin(sandbox, parts.record));
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  return sandbox;
}

/** The sandbox is for development, so only this machine can reach it. */
const loopback = '127.0.0.1';

/** Listens on the port; 0 picks a free one. @returns the origin. @throws when the port is taken. */
async function listen(servers: Server[], port = 0, handle: RequestListener): Promise<string> {
  // No time limits on requests: tests of slow callers need that.
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, handle);
  servers.push(server);
  server.listen(port, loopback);
  await once(server, 'listening');
  return `http://${loopback}:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
