/** A server on loopback that passes calls on to the sandbox, and may change what is asked and answered: a service with other habits. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface RelayedCall {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /** Body as the client sent it. */
  readonly body: string;
}

export interface HttpRelay {
  readonly origin: string;
  readonly calls: readonly RelayedCall[];
}

export interface Changes {
  /** Changes target and body of a call. */
  readonly asked?: (text: string) => string;
  /** Changes the body of an answer. */
  readonly answered?: (text: string, call: RelayedCall) => string;
}

/** Starts a relay; it ends with the test. */
export async function httpRelay(
  origin: string,
  { asked = String, answered = String }: Changes,
): Promise<HttpRelay> {
  const calls: RelayedCall[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: target = '/', headers } = request;
    const call = { method, target, body: await text(request) };
    calls.push(call);
    const answer = await fetch(origin + asked(target), {
      method,
      headers: {
        'x-api-key': String(headers['x-api-key'] ?? ''),
        ...(call.body && { 'content-type': headers['content-type'] ?? '' }),
      },
      ...(call.body && { body: asked(call.body) }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answered(await answer.text(), call));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}
