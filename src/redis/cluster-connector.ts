/**
 * A way into a cluster to the one master that holds our keys: they share a hash tag, so the other masters are never needed. Every time
 * that a connection is made, the cluster is asked anew which master that is, as Sentinel is asked; so a failover is no more than a
 * connection that is lost, for commands that block as for all others.
 */
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';
import type { Host } from './address.ts';

export interface ClusterEntrance {
  /** Nodes that the cluster may be asked by; those that it tells of are asked, too. */
  readonly hosts: readonly Host[];
  /** The hash tag of our keys, braces included. */
  readonly tag: string;
}

/** A node that does not answer must not keep the others from being asked. */
const askedForMs = 2000;

/** Makes the `Connector` option of a connection. */
export function clusterConnector({ hosts, tag }: ClusterEntrance): NonNullable<RedisOptions['Connector']> {
  let known: readonly Host[] = hosts;

  return class ClusterConnector extends AbstractConnector {
    readonly #options: RedisOptions;

    constructor(options: unknown) {
      super((options as RedisOptions).disconnectTimeout ?? 0);
      this.#options = options as RedisOptions;
    }

    async connect() {
      this.connecting = true;
      const { master, nodes } = await findMaster([...known, ...hosts], tag, this.#options);
      // The nodes of today: those that were named may be gone tomorrow.
      known = nodes;
      if (!this.connecting) throw new Error('Connection is closed.');
      const { tls } = this.#options;
      this.stream = tls ? connectTls({ ...tls, ...master }) : connectTcp(master);
      this.stream.once('error', (error: Error) => {
        this.firstError = error;
      });
      return this.stream;
    }
  };
}

/** Asks one node after the other. @throws the last node's error when none of them can tell. */
async function findMaster(
  hosts: readonly Host[],
  tag: string,
  options: RedisOptions,
): Promise<{ readonly master: Host; readonly nodes: readonly Host[] }> {
  let last: unknown = new Error('the cluster has no nodes');
  for (const host of hosts) {
    const node = new Redis({
      ...host,
      ...(options.username === undefined ? {} : { username: options.username }),
      ...(options.password === undefined ? {} : { password: options.password }),
      ...(options.tls ? { tls: options.tls } : {}),
      lazyConnect: true,
      retryStrategy: () => null,
      connectTimeout: askedForMs,
      commandTimeout: askedForMs,
    });
    node.on('error', () => undefined);
    try {
      await node.connect();
      const slot = Number(await node.cluster('KEYSLOT', tag));
      const ranges = (await node.cluster('SLOTS')) as unknown as SlotRange[];
      const range = ranges.find(([from, to]) => from <= slot && slot <= to);
      if (!range) throw new Error('no node of the cluster holds our keys');
      const [, , master] = range;
      return { master: hostOf(master, host), nodes: nodesOf(ranges, host) };
    } catch (error) {
      last = error;
    } finally {
      node.disconnect();
    }
  }
  throw last;
}

type NodeEntry = readonly [host: string | null, port: number, ...unknown[]];
type SlotRange = readonly [from: number, to: number, master: NodeEntry, ...replicas: NodeEntry[]];

/** A node that does not know its own address is the one that was asked. */
function hostOf([host, port]: NodeEntry, asked: Host): Host {
  return { host: host || asked.host, port };
}

function nodesOf(ranges: readonly SlotRange[], asked: Host): readonly Host[] {
  const entries = ranges.flatMap(([, , ...nodes]) => nodes.map((node) => hostOf(node, asked)));
  return [...new Map(entries.map((node) => [`${node.host}:${node.port}`, node])).values()];
}
