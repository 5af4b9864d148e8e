/** Bodies that come byte by byte: each piece takes memory of its own, a hundred times its size, if it is kept. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { testClient } from '../support/client.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { wireServer } from '../support/wire-server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Memory in use, in MB. */
function used(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

const chunksOf = (text: string) => [...text].map((character) => `1\r\n${character}\r\n`).join('');
const blanks = chunksOf(' ').repeat(10_000);

/** Sends chunks of one blank each, until the other side has most of them. */
async function sendBlanks(socket: Socket, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 10_000) if (!socket.write(blanks)) await once(socket, 'drain');
}

test('an answer of the service', async () => {
  const held = Promise.withResolvers<number>();
  const server = await wireServer(async (_, socket) => {
    const start = used();
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n');
    socket.write(chunksOf('{"code":0,"data":{"list":[]}'));
    await sendBlanks(socket, 300_000);
    held.resolve(used() - start);
    socket.write(`${chunksOf('}')}0\r\n\r\n`);
  });
  const { list } = await testClient(server.origin).creators.list({ pageSize: 1, pageNumber: 1 });

  expect(list).toEqual([]);
  expect(await held.promise).toBeLessThan(10);
});

test('a form of somebody who has not signed in', async () => {
  const { server } = await openConsoleApp();
  const { host, hostname, port } = new URL(server.url);
  const start = used();
  const head = 'content-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n';
  const socket = createConnection(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(`POST /sign-in HTTP/1.1\r\nhost: ${host}\r\n${head}`);
  await sendBlanks(socket, 450_000);

  expect(used() - start).toBeLessThan(5);
});
