/** Forms of strangers that never end: each holds a connection and the memory of what has come. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { readBytes, StrangersShare } from '../../src/console/http/body.ts';
import { listen } from '../../src/runtime/http-server.ts';
import { quickUser } from '../support/console/access.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { Visitor } from '../support/console/visitor.ts';
import { withDeadline } from '../support/events.ts';

const megabyte = 1024 * 1024;

/** Opens a connection that ends with the test. */
function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a form of a megabyte but for its last byte. @returns the status of the answer; undefined as long as there is none. */
function stall(port: number, path: string): { status: number | undefined; readonly answered: Promise<void> } {
  const socket = open(port);
  const answered = Promise.withResolvers<void>();
  const seen = { status: undefined as number | undefined, answered: answered.promise };
  socket.on('data', (bytes) => {
    seen.status ??= Number(String(bytes).slice(9, 12));
    answered.resolve();
  });
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/x-www-form-urlencoded`;
  socket.write(`${head}\r\ncontent-length: ${megabyte}\r\n\r\n`);
  socket.write('a'.repeat(megabyte - 1));
  return seen;
}

it('bodies before the sign-in share 16 MB, and a usual sign-in finds room all the same', async () => {
  const { server, ...app } = await openConsoleApp();
  await quickUser(app, 'anna', 'operator');
  const port = Number(new URL(server.url).port);
  const forms = Array.from({ length: 20 }, () => stall(port, '/sign-in'));
  // How many find room depends on how their pieces come; that all twenty do is impossible.
  const first = await withDeadline(
    Promise.race(forms.map((form) => form.answered.then(() => form))),
    'a refusal',
    20_000,
  );
  expect(first.status).toBe(503);
  expect((await new Visitor(server.url).signIn('anna')).status).toBe(303);
});

/** One request with half a body, as a server sees it. */
async function askHalf(half: string, length: number) {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = open((server.address() as AddressInfo).port);
  socket.write(`POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${length}\r\n\r\n${half}`);
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return {
    socket,
    request: Object.assign(request, { get: (name: string) => request.headers[name] }) as Request,
    response: Object.assign(response, {
      set: (name: string, value: string) => response.setHeader(name, value),
    }) as unknown as Response,
  };
}

it('a body before the sign-in that takes too long is refused, and its connection ends', async () => {
  const { socket, request, response } = await askHalf('half', 9);
  const closed = once(socket, 'close');
  socket.resume();
  const share = new StrangersShare({ withinMs: 20 });
  await expect(readBytes(request, 100, { share, response })).rejects.toMatchObject({ status: 408 });
  response.status = (code) => Object.assign(response, { statusCode: code });
  response.status(408).end();
  await withDeadline(closed, 'the end of the connection', 10_000);
});

it('a body that goes on after its refusal is waited for no longer than another', async () => {
  const { socket, request, response } = await askHalf('half of too much', 1000);
  const closed = once(socket, 'close');
  socket.resume();
  const share = new StrangersShare({ withinMs: 20 });
  await expect(readBytes(request, 10, { share, response })).rejects.toMatchObject({ status: 413 });
  await withDeadline(closed, 'the end of the connection', 10_000);
});

it('a body gives its memory back when it is answered', async () => {
  const share = new StrangersShare({ most: 1000 });
  const take = async (length: number) => {
    const { request, response } = await askHalf('x'.repeat(length), length);
    return { response, body: readBytes(request, 10_000, { share, response }) };
  };
  const first = await take(4096 + 1000);
  expect(await first.body).toHaveLength(4096 + 1000);
  await expect((await take(4096 + 1)).body).rejects.toMatchObject({ status: 503 });
  await expect((await take(4096)).body).resolves.toHaveLength(4096);
  first.response.end();
  await once(first.response, 'close');
  await expect((await take(4096 + 1000)).body).resolves.toHaveLength(4096 + 1000);
});

it('a server has a bound on its connections', async () => {
  const server = await listen((_request, response) => void response.end('ok'), {
    host: '127.0.0.1',
    port: 0,
    mostConnections: 2,
  });
  onTestFinished(() => server.close());
  const port = Number(new URL(server.url).port);
  const ask = async (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return String(bytes).slice(0, 15);
  };
  expect(await Promise.all([ask(open(port)), ask(open(port))])).toEqual(
    Array.from({ length: 2 }, () => 'HTTP/1.1 200 OK'),
  );
  const third = open(port);
  third.resume();
  await withDeadline(once(third, 'close'), 'the end of the third connection', 10_000);
});
