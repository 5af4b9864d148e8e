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
