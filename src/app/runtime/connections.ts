/**
 * Keeps the connections of an HTTP server within bounds, so that nobody who only holds them open keeps others out: the idle ones that
 * are oldest give way to new ones, each address has a bound of its own, and probes find room when all others are busy.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionBounds {
  readonly most: number;
  readonly mostOfAddress: number;
  /** Connections beyond `most` that are answered only if they are of a probe. */
  readonly forProbes: number;
  /** Whether an address is that of a proxy, whose connections are those of many people. */
  readonly isProxy: (address: string) => boolean;
}

const probes: readonly string[] = ['/healthz', '/readyz'];
const busySeconds = 10;

export class Connections {
  readonly #bounds: ConnectionBounds;
  /** Open connections, with the number of requests that are not answered yet. */
  readonly #open = new Map<Socket, number>();
  /** Connections without such a request, the longest idle first. */
  readonly #idle = new Set<Socket>();
  readonly #spare = new Set<Socket>();
  readonly #ofAddress = new Map<string, number>();

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds;
  }

  /** Adds listeners before all others. */
  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => this.#add(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#begin(request.socket, response),
    );
  }

  /** Whether a request may be answered. If not, it is refused, and its connection ends. */
  takes({ socket, url = '' }: IncomingMessage, response: ServerResponse): boolean {
    const [path = ''] = url.split('?');
    if (!this.#spare.has(socket) || probes.includes(path)) return true;
    response.writeHead(503, { connection: 'close', 'retry-after': String(busySeconds) }).end();
    return false;
  }

  #add(socket: Socket): void {
    const { most, mostOfAddress, forProbes, isProxy } = this.#bounds;
    const address = socket.remoteAddress;
    // Reset before it was accepted. Its request would be carried out, but neither bounded nor noted by an address.
    if (address === undefined) return void socket.destroy();
    const ofAddress = this.#ofAddress.get(address) ?? 0;
    const isOver = ofAddress >= mostOfAddress && !isProxy(address);
    if (isOver && !this.#endIdle((other) => other.remoteAddress === address)) return void socket.destroy();
    if (this.#open.size - this.#spare.size >= most && !this.#endIdle((other) => !this.#spare.has(other))) {
      if (this.#spare.size >= forProbes && !this.#endIdle((other) => this.#spare.has(other)))
        return void socket.destroy();
      this.#spare.add(socket);
    }
    this.#open.set(socket, 0);
    this.#idle.add(socket);
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
    socket.once('close', () => this.#remove(socket, address));
  }

  /** Ends the connection that has been idle for longest, among those that are meant. @returns whether there was one. */
  #endIdle(isMeant: (socket: Socket) => boolean): boolean {
    for (const socket of this.#idle) {
      if (!isMeant(socket)) continue;
      this.#remove(socket, socket.remoteAddress ?? '');
      socket.destroy();
      return true;
    }
    return false;
  }

  /** Its socket may still be closing, but counts no more. */
  #remove(socket: Socket, address: string): void {
    if (!this.#open.delete(socket)) return;
    this.#idle.delete(socket);
    this.#spare.delete(socket);
    const left = (this.#ofAddress.get(address) ?? 0) - 1;
    if (left <= 0) this.#ofAddress.delete(address);
    else this.#ofAddress.set(address, left);
  }

  #begin(socket: Socket, response: ServerResponse): void {
    this.#count(socket, 1);
    response.once('close', () => this.#count(socket, -1));
  }

  #count(socket: Socket, change: 1 | -1): void {
    const before = this.#open.get(socket);
    if (before === undefined) return;
    this.#open.set(socket, before + change);
    if (before + change === 0) this.#idle.add(socket);
    else this.#idle.delete(socket);
  }
}
