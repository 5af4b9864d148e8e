/** A bare TCP exchange: the exact answer, and how the connection ends. */
import { connect } from 'node:net';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

export interface RawExchange {
  /** Everything that came, head and body. */
  readonly text: string;
  /** How many pieces it came in. */
  readonly pieces: number;
  /** `ECONNRESET` after an RST, undefined after a FIN. */
  readonly error: string | undefined;
}

/** Sends one call with the full key; resolves when the connection has ended, or as soon as `until` is satisfied. */
export function exchange(
  sandbox: Sandbox,
  path: string,
  body: unknown,
  until: (text: string) => boolean = () => false,
): Promise<RawExchange> {
  const { promise, resolve } = Promise.withResolvers<RawExchange>();
  const { hostname, port } = new URL(sandbox.url);
  const content = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  const came: string[] = [];
  let error: string | undefined;
  const end = () => resolve({ text: came.join(''), pieces: came.length, error });
  socket.on('data', (bytes) => {
    came.push(bytes.toString());
    if (!until(came.join(''))) return;
    end();
    socket.destroy();
  });
  socket.on('error', (cause: NodeJS.ErrnoException) => {
    error = cause.code;
  });
  socket.on('close', end);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nx-api-key: ${sandbox.apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`,
  );
  return promise;
}
