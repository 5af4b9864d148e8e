import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/runtime/http-server.ts';

const loopback = { host: '127.0.0.1', port: 0 };

describe('an HTTP server', () => {
  it('answers running requests before it ends, and nothing after that', async () => {
    const came = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const server = await listen(async (_request, response) => {
      came.resolve();
      await goOn.promise;
      response.end('done');
    }, loopback);
    const answer = fetch(server.url);
    await came.promise;
    const closed = server.close();
    goOn.resolve();
    expect(await (await answer).text()).toBe('done');
    await closed;
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  });

  it('ends a request whose body stands still', async () => {
    await using server = await listen((request) => request.resume(), { ...loopback, stillMs: 50 });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    await once(socket, 'close');
    expect(socket.bytesRead).toBe(0);
  });

  it('times only the body: an answer may take longer', async () => {
    await using server = await listen(
      async (request, response) => {
        const { socket } = request;
        const meanwhile = socket.timeout;
        for await (const _ of request);
        response.end(`${meanwhile} ${socket.timeout}`);
      },
      { ...loopback, stillMs: 50_000 },
    );
    const answer = await fetch(server.url, { method: 'POST', body: 'abc' });
    expect(await answer.text()).toBe('50000 0');
  });

  it('reports a taken port', async () => {
    await using first = await listen((_request, response) => response.end(), loopback);
    const port = Number(new URL(first.url).port);
    const second = listen((_request, response) => response.end(), { ...loopback, port });
    await expect(second).rejects.toThrow(`127.0.0.1, port ${port}: another process listens there`);
    await expect(second).rejects.toMatchObject({ code: 'address_unusable' });
  });

  it('reports an address of another machine', async () => {
    const server = listen((_request, response) => response.end(), { host: '192.0.2.1', port: 0 });
    await expect(server).rejects.toThrow('192.0.2.1, port 0: this machine has no such address');
  });
});
