/** An HTTP server on loopback, and its end. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The sandbox is for development: it is reachable from this machine only. */
const loopback = '127.0.0.1';

export interface Listener extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
}

/** Listens on the port, or on any free one when it is 0. @throws when the port is taken. */
export async function listen(port: number, handle: RequestListener): Promise<Listener> {
  // No limits on how long a request may take: slow callers are part of what is tried here.
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, handle);
  server.listen(port, loopback);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://${loopback}:${actual}`, [Symbol.asyncDispose]: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
