/** A TCP proxy on loopback, between a worker and its Redis or the service, that tests can disturb. */
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
  /** Resets every connection, and refuses new ones until it accepts again. */
  refuse(on: boolean): Promise<void>;
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
  async function listen(on: number): Promise<number> {
    server.listen(on, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  async function close(): Promise<void> {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await once(server, 'close');
  }

  const own = await listen(0);
  test.onTestFinished(close);
  return {
    port: own,
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    refuse: async (on) => {
      if (on) await close();
      else await listen(own);
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
