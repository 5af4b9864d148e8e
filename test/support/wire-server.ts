/** A TCP server on loopback that sends any bytes a test wants, such as answers that no HTTP server gives. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface WireServer {
  readonly origin: string;
  readonly port: number;
  /** All requests with complete bodies, in order. */
  readonly requests: readonly WireRequest[];
  /** Number of connections so far. */
  readonly connections: () => number;
}

export type Answer = (request: WireRequest, socket: Socket) => void;

/** Starts a server. It ends with the test and breaks open connections. `onConnection` comes before any request. */
export async function wireServer(
  answer: Answer,
  onConnection: (socket: Socket) => void = () => undefined,
): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Many of these tests are about clients that break off.
    socket.on('error', () => undefined);
    onConnection(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      answer(request, socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, requests, connections: () => connections };
}

/** A complete HTTP answer as text. */
export function httpAnswer(
  status: number,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const all = { 'content-length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`), bytes]);
}

/** An HTTP answer of the service: an envelope. */
export function envelopeAnswer(data: unknown, code = 0, status = 200, message = 'said'): Buffer {
  return httpAnswer(status, JSON.stringify({ code, message, data }));
}

function readRequests(socket: Socket, take: (request: WireRequest) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
      if (received.length < bodyEnd) return;
      const [method = '', target = ''] = first.split(' ');
      const body = received.subarray(end + 4, bodyEnd);
      received = received.subarray(bodyEnd);
      take({ method, target, headers, body });
    }
  });
}
