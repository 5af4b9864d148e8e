/** An HTTP server, and its end. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** Takes no more requests, and ends when those under way are answered, or after a moment. May be called again. */
  close(): Promise<void>;
}

/** Nothing listens: the address is taken, or not one of this machine. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: string | undefined;

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(`${host}, port ${port}: ${reasonOf(cause)}`, { cause });
    this.code = cause.code;
  }
}

/** How long answers under way may take once the server closes, in milliseconds. */
const longestCloseMs = 2000;

/** @param address `port` 0 takes any that is free. @throws {ListenError} */
export async function listen(
  handle: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const server = createServer(handle);
  // Clients keep connections for more requests: a server that closes has to end those that are answered meanwhile.
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ListenError(host, port, error as NodeJS.ErrnoException);
  }
  const { port: actual } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= close(server);
    return closed;
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), longestCloseMs);
  await promise;
  clearTimeout(timer);
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'another process listens there';
    case 'EACCES':
      return 'this user may not listen there';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine has no such address';
    default:
      return message;
  }
}
