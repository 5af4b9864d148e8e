/** An HTTP server on loopback. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The sandbox is for development, so only this machine can reach it. */
const loopback = '127.0.0.1';

export interface Listener extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
}

/** Listens on the port; 0 picks a free one. @throws when the port is taken. */
export async function listen(port: number, handle: RequestListener): Promise<Listener> {
  // No time limits on requests: tests of slow callers need that.
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
