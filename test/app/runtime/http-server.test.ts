import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HttpServer, listen } from '../../../src/app/runtime/http-server.ts';
import { withDeadline } from '../../support/events.ts';

const loopback = { host: '127.0.0.1', port: 0 };

/** Opens a connection that ends with the test. @param localAddress any address of this machine's loopback. */
function open({ url }: HttpServer, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Program that sends a request to a port of this machine, and resets the connection. */
const hangUp = `
  const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1', () =>
    socket.write('POST /hung-up HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 0\\r\\n\\r\\n', () => socket.resetAndDestroy()));
`;

/** Program that answers an upload before all of it has come, and then stops. */
const answersEarly = `
  import { once } from 'node:events';
  import { connect } from 'node:net';
  const { listen } = await import('${new URL('../../../src/app/runtime/http-server.ts', import.meta.url)}');
  const server = await listen((_request, response) => response.end('no'), { host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 100000\\r\\n\\r\\nabc');
  await once(socket, 'data');
  socket.destroy();
  await server.close();
`;

/** Sends a request. @returns the status of its answer; undefined if the connection ended without one. */
async function ask(socket: Socket, path = '/'): Promise<number | undefined> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [bytes] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
  return Buffer.isBuffer(bytes) ? Number(bytes.toString().slice(9, 12)) : undefined;
}

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

  it('does nothing for a sender that has hung up before it was seen: nobody knows its address', async () => {
    const asked: string[] = [];
    await using server = await listen((request, response) => {
      asked.push(`${request.url} of ${request.socket.remoteAddress}`);
      response.end();
    }, loopback);
    // This process accepts the connection only after the other one has reset it.
    spawnSync(process.execPath, ['--eval', hangUp, new URL(server.url).port]);
    await fetch(`${server.url}/later`);
    expect(asked).toEqual(['/later of 127.0.0.1']);
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

  it('ends a connection whose request has no whole head in time', async () => {
    await using server = await listen((_request, response) => response.end(), { ...loopback, headMs: 100 });
    for (const part of ['', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ']) {
      const socket = open(server);
      socket.write(part);
      socket.resume();
      await withDeadline(once(socket, 'close'), 'the end of the connection');
      expect(socket.destroyed).toBe(true);
    }
  });

  it('lets the process end, if it answered before a request had ended', () => {
    const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', answersEarly], {
      timeout: 20_000,
    });
    expect(status).toBe(0);
  });

  it('ends a request that goes on for long after its answer', async () => {
    await using server = await listen((_request, response) => response.end('no'), {
      ...loopback,
      stillMs: 300,
    });
    const socket = open(server);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n');
    await once(socket, 'data');
    // Each piece is progress, but the answer has been given.
    const timer = setInterval(() => void socket.write('a'), 50);
    // A piece may meet the closed end: that is a reset, which `once` would throw.
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await withDeadline(closed, 'the end of the connection');
    clearInterval(timer);
    expect(socket.destroyed).toBe(true);
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

describe('connections of an HTTP server', () => {
  /** Holds requests for `/held` until `answer` is called. */
  async function serve(bounds: Partial<Parameters<typeof listen>[1]>) {
    const held: (() => void)[] = [];
    let came = Promise.withResolvers<void>();
    const server = await listen(
      (request, response) => {
        if (request.url !== '/held') return void response.end('ok');
        held.push(() => response.end('late'));
        came.resolve();
      },
      { ...loopback, ...bounds },
    );
    onTestFinished(() => server.close());
    /** Opens a connection whose request is not answered for now. */
    const hold = async (from?: string) => {
      came = Promise.withResolvers<void>();
      const socket = open(server, from);
      socket.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n');
      await came.promise;
      return socket;
    };
    return { server, hold, held };
  }

  it('give way to new ones if they are idle, the longest idle first', async () => {
    const { server } = await serve({ most: 2 });
    const [silent, used] = [open(server), open(server)];
    expect(await ask(used)).toBe(200);
    const closed = withDeadline(once(silent, 'close'), 'the end of the silent connection');
    silent.resume();
    const third = open(server);
    expect(await ask(third)).toBe(200);
    await closed;
    expect(await ask(used)).toBe(200);
    expect([silent.destroyed, third.destroyed]).toEqual([true, false]);
  });

  it('with an answer under way are kept, and beyond them only probes are answered', async () => {
    const { server, hold, held } = await serve({ most: 2, forProbes: 2 });
    const busy = [await hold(), await hold()];
    expect(await ask(open(server))).toBe(503);
    expect(await ask(open(server), '/healthz?a=1')).toBe(200);
    expect(await ask(open(server), '/readyz')).toBe(200);
    const answers = busy.map((socket) => once(socket, 'data'));
    for (const answer of held) answer();
    for (const [bytes] of await Promise.all(answers)) expect(String(bytes)).toContain('200 OK');
    expect(await ask(open(server))).toBe(200);
  });

  it('that are silent keep no probe out', async () => {
    const { server, hold } = await serve({ most: 1, forProbes: 2 });
    await hold();
    for (let index = 0; index < 5; index += 1) open(server);
    expect(await ask(open(server), '/healthz')).toBe(200);
  });

  it('of one address are bounded, and others come in', async () => {
    const { server, hold } = await serve({ most: 10, mostOfAddress: 2 });
    await hold('127.0.0.2');
    await hold('127.0.0.2');
    expect(await ask(open(server, '127.0.0.2'))).toBeUndefined();
    expect(await ask(open(server, '127.0.0.3'))).toBe(200);
  });

  it('of a proxy are bounded only as a whole', async () => {
    const isProxy = (address: string) => address === '127.0.0.2';
    const { server, hold } = await serve({ most: 3, mostOfAddress: 1, isProxy });
    await hold('127.0.0.2');
    await hold('127.0.0.2');
    expect(await ask(open(server, '127.0.0.2'))).toBe(200);
  });
});
