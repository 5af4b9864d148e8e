/** Forms of strangers that never end: each holds a connection and the memory of what has come. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { readBytes, StrangersShare } from '../../src/console/http/body.ts';
import { tryLimits } from '../../src/ledger/access/try-limits.ts';
import { quickUser } from '../support/console/access.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { Visitor } from '../support/console/visitor.ts';
import { withDeadline } from '../support/events.ts';

/** As long as a sign-in form may be, more or less. */
const longForm = 200 * 1024;

/** Opens a connection that ends with the test. */
function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Announces a form and sends a part of it. @returns the answer, or as much of it as came; its status is undefined as long as there is none. */
function stall(port: number, path: string, announced = longForm, sent = announced - 1) {
  const socket = open(port);
  const answered = Promise.withResolvers<void>();
  const seen = { status: undefined as number | undefined, text: '', answered: answered.promise };
  socket.on('data', (bytes) => {
    seen.text += String(bytes);
    seen.status ??= Number(seen.text.slice(9, 12));
    answered.resolve();
  });
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/x-www-form-urlencoded`;
  socket.write(`${head}\r\ncontent-length: ${announced}\r\n\r\n`);
  socket.write('a'.repeat(sent));
  return seen;
}

async function openWithAnna() {
  const { server, ...app } = await openConsoleApp();
  await quickUser(app, 'anna', 'operator');
  return { ...app, url: server.url, port: Number(new URL(server.url).port) };
}

/** Locks this machine's address out of the sign-in. */
async function lockOut({ ledger }: Awaited<ReturnType<typeof openWithAnna>>): Promise<void> {
  for (let index = 0; index < tryLimits.addressTries; index += 1)
    await ledger.access.tries.begin({ name: `made up ${index}`, address: '127.0.0.1' });
}

it('bodies before the sign-in share 4 MB, and a usual sign-in finds room all the same', async () => {
  const { url, port } = await openWithAnna();
  const forms = Array.from({ length: 25 }, () => stall(port, '/sign-in'));
  // How many find room depends on how their pieces come; that all of them do is impossible.
  const first = await withDeadline(
    Promise.race(forms.map((form) => form.answered.then(() => form))),
    'a refusal',
  );
  expect(first.status).toBe(503);
  expect((await new Visitor(url).signIn('anna')).status).toBe(303);
});

it('a sign-in from a locked-out address is refused before its form is read', async () => {
  const app = await openWithAnna();
  await lockOut(app);
  const form = stall(app.port, '/sign-in', longForm, 0);
  await withDeadline(form.answered, 'the refusal');
  expect(form.status).toBe(429);
  expect(form.text).toContain('Too many tries from your address. Try again in 15 minutes.');
});

it('an answer 429 has nothing of the form', async () => {
  const app = await openWithAnna();
  const form = { user: 'anna', password: 'wrong', to: '/users', kept: 'name=something+typed' };
  const visitor = new Visitor(app.url);
  expect((await visitor.post('/sign-in', form)).text).toContain('something+typed');
  const early = await visitor.post('/sign-in', form);
  await lockOut(app);
  const locked = await visitor.post('/sign-in', form);
  expect([early.status, locked.status]).toEqual([429, 429]);
  for (const { text } of [early, locked]) expect(text).not.toMatch(/something|kept/);
});

it.each([
  ['/users', 70_000, 401],
  ['/campaigns/c1/pause', 70_000, 401],
  ['/campaigns/new', 70_000, 401],
  ['/sign-out', 70_000, 303],
  ['/sign-in', 300_000, 413],
  ['/board/api/queues/post/pause', 70_000, 401],
  ['/api/v1/campaigns/c1/pause', 70_000, 401],
  ['/campaigns/new/d1/uploads', 70_000, 401],
  ['/nowhere', 70_000, 404],
])(
  'a form to %s that is too long for people without a session is refused before it is read',
  async (path, bytes, status) => {
    const { port } = await openWithAnna();
    const form = stall(port, path, bytes, 0);
    await withDeadline(form.answered, 'the refusal');
    expect(form.status).toBe(status);
  },
);

it('no form of a locked-out address is read, however short', async () => {
  const app = await openWithAnna();
  await lockOut(app);
  const form = stall(app.port, '/users', 100, 0);
  await withDeadline(form.answered, 'the refusal');
  expect(form.status).toBe(401);
});

it('a form that is too long to be kept is refused all the same, and says where it is', async () => {
  const { url } = await openWithAnna();
  const answer = await new Visitor(url).post('/users', `name=${'x'.repeat(70_000)}`);
  expect(answer.status).toBe(401);
  expect(answer.text).toContain('Your browser still has what you typed');
  expect(answer.text).not.toContain('name="kept"');
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
  await withDeadline(closed, 'the end of the connection');
});

it('a body that goes on after its refusal is waited for no longer than another', async () => {
  const { socket, request, response } = await askHalf('half of too much', 1000);
  const closed = once(socket, 'close');
  socket.resume();
  const share = new StrangersShare({ withinMs: 20 });
  await expect(readBytes(request, 10, { share, response })).rejects.toMatchObject({ status: 413 });
  await withDeadline(closed, 'the end of the connection');
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
