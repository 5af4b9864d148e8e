/** Opens a connection to an address of any kind. */
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from './address.ts';
import { clusterConnector } from './cluster-connector.ts';
import type { TlsFiles } from './tls-files.ts';

/** Options beyond the address. All our code reads answers in the default mapping, so that is not among them. */
export type ConnectionOverrides = Omit<RedisOptions, 'replyMapping'>;

/** The hash tag that all keys share, so that one node of a cluster holds them all. */
export const keyTag = '{campaigns}';

export function openConnection(address: RedisAddress, tls: TlsFiles, options: ConnectionOverrides): Redis {
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
      return new Redis({
        Connector: clusterConnector({ hosts: address.hosts, tag: keyTag }),
        ...login,
        ...options,
      });
  }
}
