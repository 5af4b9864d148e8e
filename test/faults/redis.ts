/** The Redis of a round: a server of its own that syncs every write, and what can happen to it. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { durable, type RedisNode, redisNode } from '../support/redis/redis-topologies.ts';
import type { Ends } from './ends.ts';

export class RoundRedis {
  readonly #node: RedisNode;
  /** A connection past all relays. Its commands fail soon if the server is away. */
  readonly connection: Redis;

  private constructor(node: RedisNode, connection: Redis) {
    this.#node = node;
    this.connection = connection;
  }

  static async start(folder: string, ends: Ends): Promise<RoundRedis> {
    const node = await redisNode(folder, ends, durable);
    const connection = new Redis({ port: node.port, maxRetriesPerRequest: 2, retryStrategy: () => 100 });
    connection.on('error', () => undefined);
    ends.onTestFinished(() => connection.disconnect());
    return new RoundRedis(node, connection);
  }

  get port(): number {
    return this.#node.port;
  }

  freeze(): void {
    process.kill(this.#node.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.#node.pid, 'SIGCONT');
  }

  kill(): Promise<void> {
    return this.#node.stop('SIGKILL');
  }

  /** Starts it again, on its append-only file. */
  restart(): Promise<void> {
    return this.#node.restart();
  }

  /** Lets it refuse writes because its memory is full, or take them again. */
  async refuseWrites(on: boolean): Promise<void> {
    await this.connection.config('SET', 'maxmemory', on ? '1mb' : '0');
  }

  /** Copies its append-only file as it is at one moment. */
  copy(): void {
    this.freeze();
    try {
      rmSync(this.#copy, { recursive: true, force: true });
      cpSync(this.#file, this.#copy, { recursive: true });
    } finally {
      this.thaw();
    }
  }

  /** Puts the copy in the place of the append-only file. The server must not run. */
  putBack(): void {
    rmSync(this.#file, { recursive: true, force: true });
    cpSync(this.#copy, this.#file, { recursive: true });
  }

  get #file(): string {
    return join(this.#node.folder, 'appendonlydir');
  }

  get #copy(): string {
    return join(this.#node.folder, 'copy');
  }
}
