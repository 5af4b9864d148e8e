/** A TCP proxy on loopback, between a worker and its Redis, that tests can disturb. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'vitest';

export interface TcpProxy {
  readonly port: number;
  /** Resets every connection. */
  reset(): void;
  /** Silently holds all data in both directions; it goes on afterwards. */
  swallow(on: boolean): void;
  /** Delays every piece of data by this time. */
  delay(ms: number): void;
}

/** Starts one in front of `port`, until the test ends. */
export async function tcpProxy(port: number, test: Pick<TestContext, 'onTestFinished'>): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let swallowing = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    if (swallowing) socket.pause();
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }
  function pass(from: Socket, to: Socket): void {
    from.on('data', (piece) => {
      if (delayMs === 0) to.write(piece);
      else setTimeout(() => to.write(piece), delayMs);
    });
    from.on('close', () => to.destroy());
  }

  const server = createServer((near) => {
    const far = keep(connect(port, '127.0.0.1'));
    keep(near);
    pass(near, far);
    pass(far, near);
    if (swallowing) for (const socket of [near, far]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    port: (server.address() as AddressInfo).port,
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    swallow: (on) => {
      swallowing = on;
      for (const socket of sockets) {
        if (on) socket.pause();
        else socket.resume();
      }
    },
    delay: (ms) => {
      delayMs = ms;
    },
  };
}
