import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Request } from 'express';
import { expect, it } from 'vitest';
import { readBytes } from '../../../src/console/http/body.ts';
import { withDeadline } from '../../support/events.ts';

it('a body whose connection was lost before its reading began breaks off, and is not waited for', async (test) => {
  const server = createServer().listen(0, '127.0.0.1');
  test.onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\nhalf');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  // Not `once`, which listens to its error as well: nobody did.
  const closed = new Promise((resolve) => void request.on('close', resolve));
  socket.resetAndDestroy();
  await closed;
  const asked = Object.assign(request, { get: (name: string) => request.headers[name] }) as Request;
  await expect(withDeadline(readBytes(asked, 100), 'the end of the body', 2000)).rejects.toMatchObject({
    status: 400,
  });
});

it('a body that goes on and on after it was refused ends its connection', async (test) => {
  const server = createServer().listen(0, '127.0.0.1');
  test.onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => void socket.on('close', resolve));
  socket.write('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const asked = Object.assign(request, { get: (name: string) => request.headers[name] }) as Request;
  const piece = Buffer.from(`100000\r\n${'a'.repeat(1024 * 1024)}\r\n`);
  const write = (left: number) => {
    if (left > 0) socket.write(piece, (error) => (error ? undefined : write(left - 1)));
  };
  write(64);
  await expect(readBytes(asked, 100)).rejects.toMatchObject({ status: 413 });
  await withDeadline(closed, 'the end of the connection');
});
