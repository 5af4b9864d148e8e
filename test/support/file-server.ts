/** A web server of media on loopback, for rows that name a URL. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';
import { mp4, png } from './sheets/media.ts';

export interface FileServer {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** Headers of every request so far. */
  readonly requests: readonly NodeJS.Dict<string | string[]>[];
}

/**
 * Serves any name that ends with `.mp4` or `.png`. The path seeds the bytes, or `?as=NAME`; `?padding=N` makes a video larger. Ends with
 * the test.
 */
export async function serveMedia(test: Pick<TestContext, 'onTestFinished'>): Promise<FileServer> {
  const requests: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://media');
    const name = searchParams.get('as') ?? pathname;
    const body = pathname.endsWith('.mp4') ? mp4(name, Number(searchParams.get('padding') ?? 0)) : png(name);
    response
      .writeHead(200, { 'content-type': pathname.endsWith('.mp4') ? 'video/mp4' : 'image/png' })
      .end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
