/**
 * Opens a connection to an address of any kind.
 *
 * Of a cluster it connects to the one master that holds our keys. All keys share a hash tag, so no other master is needed. Each new
 * connection asks the cluster again for that master, as with Sentinel. A failover is then only a lost connection, even for
 * blocking commands.
 */
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';
import type { Certificates, Host, RedisAddress } from './address.ts';
import { RedisUrlError, reasonOf } from './errors.ts';

/** Options beyond the address. All our code reads answers in the default mapping, so that is not among them. */
export type ConnectionOverrides = Omit<RedisOptions, 'replyMapping'>;

/** @param tag the hash tag of our keys, which decides their master in a cluster. */
export function openConnection(
  address: RedisAddress,
  tls: TlsFiles,
  tag: string,
  options: ConnectionOverrides,
): Redis {
  const login: ConnectionOverrides = {
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls } : {}),
    db: address.db,
  };
  switch (address.kind) {
    case 'server':
      return new Redis({ host: address.host, port: address.port, ...login, ...options });
    case 'socket':
      return new Redis({ path: address.path, ...login, ...options });
    case 'sentinel':
      return new Redis({
        sentinels: [...address.hosts],
        name: address.name,
        enableTLSForSentinelMode: address.tls,
        ...(address.tls ? { sentinelTLS: tls } : {}),
        ...(address.sentinelPassword === undefined ? {} : { sentinelPassword: address.sentinelPassword }),
        ...login,
        ...options,
      });
    case 'cluster':
      return new Redis({ Connector: clusterConnector(address.hosts, tag), ...login, ...options });
  }
}

/** Sends the commands of one turn of the event loop in one write, to save system calls. A disconnect sends what was given before. */
export function joinWrites(connection: Redis): Redis {
  const send = connection.sendCommand.bind(connection);
  connection.sendCommand = (command, stream) => {
    const socket: Socket | undefined = connection.stream;
    if (socket !== undefined && socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return send(command, stream);
  };
  return connection;
}

export type TlsFiles = { readonly [Name in keyof Certificates]: Buffer };

/** @throws {RedisUrlError} naming the file that cannot be read. */
export function readTlsFiles({ certificates = {} }: RedisAddress): TlsFiles {
  const read: { -readonly [Name in keyof TlsFiles]: Buffer } = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const file = certificates[name];
    if (file !== undefined) read[name] = readCertificate(name, file);
  }
  return read;
}

function readCertificate(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new RedisUrlError(`its ${name} cannot be read (${reasonOf(error)}).`);
  }
}

/** Time for one node to answer; then the next one is asked. */
const answerMs = 2000;

/** Makes the `Connector` option of a connection. @param hosts nodes to ask first. The nodes that they report are asked too. */
function clusterConnector(hosts: readonly Host[], tag: string): NonNullable<RedisOptions['Connector']> {
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
      // The nodes in the URL may be gone later.
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

/** Asks one node after the other. @throws the last node's error if no node knows. */
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
      connectTimeout: answerMs,
      commandTimeout: answerMs,
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

/** A node reports itself without a host when it does not know its own address. */
function hostOf([host, port]: NodeEntry, asked: Host): Host {
  return { host: host || asked.host, port };
}

function nodesOf(ranges: readonly SlotRange[], asked: Host): readonly Host[] {
  const entries = ranges.flatMap(([, , ...nodes]) => nodes.map((node) => hostOf(node, asked)));
  return [...new Map(entries.map((node) => [`${node.host}:${node.port}`, node])).values()];
}
