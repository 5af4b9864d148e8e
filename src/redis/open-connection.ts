/** Opens a connection to an address, in the way that its kind of server needs. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from './address.ts';
import type { TlsFiles } from './tls-files.ts';

/** What a connection may be given beyond its address. Answers keep the one shape that all code here reads. */
export type ConnectionOverrides = Omit<RedisOptions, 'replyMapping'>;

/** While a cluster is without a master for our slot, commands are tried again after this long. */
const failoverMs = 200;

/** A cluster is handed out under the type of a single connection: it takes the same commands. */
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
    case 'cluster': {
      const { retryStrategy, enableOfflineQueue, lazyConnect, ...redisOptions } = options;
      const cluster = new Cluster([...address.hosts], {
        clusterRetryStrategy: (times) => retryStrategy?.(times) ?? null,
        enableOfflineQueue: enableOfflineQueue ?? true,
        lazyConnect: lazyConnect ?? false,
        // Commands wait for a failover however long it takes, as they wait for a single server.
        maxRedirections: Number.POSITIVE_INFINITY,
        retryDelayOnFailover: failoverMs,
        retryDelayOnClusterDown: failoverMs,
        redisOptions: { ...login, ...redisOptions },
      });
      return cluster as unknown as Redis;
    }
  }
}
