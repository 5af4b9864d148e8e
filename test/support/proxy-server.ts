/** An HTTP proxy on loopback that knows `CONNECT` only, and leads every tunnel to one port, as if it had looked the name up. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'vitest';

export interface ProxyServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** What was asked for, with the header `Proxy-Authorization`. */
  readonly asked: readonly { readonly authority: string; readonly authorization: string | undefined }[];
  /** All that clients sent, in tunnels and otherwise. */
  readonly bytes: () => string;
}

/** @param to port that tunnels lead to; a status refuses them. Ends with the test. */
export async function proxyServer(
  test: Pick<TestContext, 'onTestFinished'>,
  to: { readonly port: number } | { readonly status: number },
): Promise<ProxyServer> {
  const asked: { readonly authority: string; readonly authorization: string | undefined }[] = [];
  const sent: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => void response.writeHead(405).end());
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push({ authority: url, authorization: headers['proxy-authorization'] });
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => sent.push(chunk));
    if ('status' in to) {
      socket.end(`HTTP/1.1 ${to.status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(to.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    sockets.add(target);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, bytes: () => Buffer.concat(sent).toString('latin1') };
}
