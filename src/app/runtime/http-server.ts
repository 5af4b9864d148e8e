/** An HTTP server that closes in order. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { Connections } from './connections.ts';

export interface HttpServer extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** Accepts no more requests, and resolves when running ones are answered, after two seconds at most. May be called again. */
  close(): Promise<void>;
}

/** Longer than in most proxies (a minute): a request on a connection that is just closed would be answered with 502. */
const keepAliveMs = 75_000;

/** Longest request, in milliseconds: a form with large files is one request, possibly over a slow line. */
const longestRequestMs = 3600_000;

/** How often the time for the head of a request is looked at. */
const headsLookedAt = 10;

/** Time for running answers when the server closes, in milliseconds. */
const longestCloseMs = 2000;

const usual = {
  /** Longest time in which the body of a request makes no progress, so that nobody can hold many connections for an hour. Milliseconds. */
  stillMs: 60_000,
  /** Longest time for the head of a request, in milliseconds. */
  headMs: 10_000,
  /** Most connections at once: twice as many as there may be live pages. */
  most: 2000,
  /** Most connections of one address: a team behind one router has fewer. */
  mostOfAddress: 500,
  /** Connections beyond `most` that are answered only if they are of a probe. */
  forProbes: 64,
  /** Whether an address is that of a proxy, whose connections are those of many people. */
  isProxy: (_address: string) => false,
};

export interface Address extends Readonly<Partial<typeof usual>> {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
}

/** @param fix what to do if the address is unusable. @throws {UseCaseError} `address_unusable`. */
export async function listen(
  handle: RequestListener,
  { host, port, ...given }: Address,
  fix?: string,
): Promise<HttpServer> {
  const { stillMs, headMs, ...bounds } = { ...usual, ...given };
  const connections = new Connections(bounds);
  const times = {
    headersTimeout: headMs,
    connectionsCheckingInterval: Math.ceil(headMs / headsLookedAt),
    keepAliveTimeout: keepAliveMs,
    requestTimeout: longestRequestMs,
  };
  const server = createServer(times, (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    if (!isPlain(request)) response.writeHead(400, { connection: 'close' }).end();
    else if (connections.takes(request, response)) handle(request, response);
  });
  connections.watch(server);
  // Clients keep connections open for more requests. Ends connections that become idle while the server closes.
  server.prependListener('request', (request, response) => {
    // The server, the connections, the audit, compression and the pipeline of a download each wait for its end.
    response.setMaxListeners(20);
    if (hasBody(request)) {
      endIfStill(request, stillMs);
      response.once('finish', () => boundRest(request, stillMs));
    }
    response.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const reason = reasonOf(cause as NodeJS.ErrnoException);
    const message = `cannot listen on ${host}, port ${port}: ${reason}`;
    throw new UseCaseError('address_unusable', message, { fix, cause });
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

/** Whether a request has one host and a plain path. Of two hosts, a proxy may check one while we read the other; an address with a host may hold a password. */
function isPlain({ rawHeaders, url = '' }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length <= 1 && url.startsWith('/') && !url.startsWith('//');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function endIfStill(request: IncomingMessage, stillMs: number): void {
  request.setTimeout(stillMs, () => request.destroy());
  request.once('end', () => request.setTimeout(0));
}

/** Bounds how long a request may go on after its answer. Node drops what comes; browsers see an answer only when they have sent all. */
function boundRest(request: IncomingMessage, longestMs: number): void {
  if (request.complete) return;
  // Its connection may end without a word to the request: a process that stops must not wait for that.
  const timer = setTimeout(() => request.destroy(), longestMs).unref();
  request.once('close', () => clearTimeout(timer));
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
