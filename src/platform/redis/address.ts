/**
 * Reads `REDIS_URL`:
 *
 *     redis://[[user]:password@]host[:port][/db]                        one server; rediss:// with TLS
 *     unix://[[user]:password@]/path/to.sock[?db=N]                     a Unix socket; or just its absolute path
 *     redis+sentinel://[[user]:password@]host[:port],host[:port]/name[/db][?sentinelPassword=...]
 *     redis+cluster://[[user]:password@]host[:port],host[:port]         one node is enough; the others are found
 *
 * `rediss+sentinel://` (also to the sentinels) and `rediss+cluster://` use TLS. With TLS, `?ca=FILE` names the certificate of
 * a private authority, and `&cert=FILE&key=FILE` our own certificate. Users and passwords are percent-decoded.
 */
import { RedisUrlError } from './errors.ts';

export interface Host {
  readonly host: string;
  readonly port: number;
}

interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

/** Paths of PEM files, if TLS needs certificates that the system does not have. */
export interface Certificates {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export type RedisAddress = Credentials & {
  readonly tls: boolean;
  readonly certificates?: Certificates;
  readonly db: number;
} & (
    | { readonly kind: 'server'; readonly host: string; readonly port: number }
    | { readonly kind: 'socket'; readonly path: string }
    | {
        readonly kind: 'sentinel';
        readonly hosts: readonly Host[];
        readonly name: string;
        readonly sentinelPassword?: string;
      }
    | { readonly kind: 'cluster'; readonly hosts: readonly Host[] }
  );

const form = /^(?<scheme>[a-z+]+):\/\/(?<authority>[^/]*)(?<rest>\/.*)?$/is;
const locationForm = /^(?<hosts>[^/?]*)(?<path>\/[^?]*)?(?:\?(?<query>.*))?$/;

/** Reads a URL of one of the forms above. @throws {RedisUrlError} without the URL, which may hold a password. */
export function parseRedisAddress(url: string): RedisAddress {
  if (url.startsWith('/')) return { kind: 'socket', path: url, db: 0, tls: false };
  const whole = form.exec(url)?.groups;
  const { authority = '', rest = '' } = whole ?? {};
  // A password may hold `@` or `?`.
  const at = authority.lastIndexOf('@');
  const parts = locationForm.exec(authority.slice(at + 1) + rest)?.groups;
  if (!whole || !parts) throw new RedisUrlError('it is not a URL.');
  const scheme = whole.scheme?.toLowerCase() ?? '';
  const path = parts.path ?? '';
  const query = new URLSearchParams(parts.query ?? '');
  const tls = scheme.startsWith('rediss');
  const shared = {
    ...credentials(at < 0 ? undefined : authority.slice(0, at)),
    tls,
    ...certificates(query, tls),
  };

  switch (scheme.replace('rediss', 'redis')) {
    case 'redis': {
      const [host, ...more] = hostList(parts.hosts ?? '', 6379);
      if (!host || more.length > 0) throw new RedisUrlError('redis:// takes exactly one host.');
      return { kind: 'server', ...host, ...shared, db: database(path.slice(1) || query.get('db')) };
    }
    case 'unix': {
      if (path.length < 2 || parts.hosts) throw new RedisUrlError('unix:// needs an absolute path.');
      return { kind: 'socket', path: decode(path), ...shared, db: database(query.get('db')) };
    }
    case 'redis+sentinel': {
      const [name = '', db] = path.slice(1).split('/');
      if (!name) throw new RedisUrlError('redis+sentinel:// needs the name of the master after the hosts.');
      const sentinelPassword = query.get('sentinelPassword');
      return {
        kind: 'sentinel',
        hosts: hostList(parts.hosts ?? '', 26379),
        name: decode(name),
        ...shared,
        ...(sentinelPassword ? { sentinelPassword } : {}),
        db: database(db),
      };
    }
    case 'redis+cluster': {
      if (database(path.slice(1)) !== 0) throw new RedisUrlError('a cluster has only database 0.');
      return { kind: 'cluster', hosts: hostList(parts.hosts ?? '', 6379), ...shared, db: 0 };
    }
    default:
      throw new RedisUrlError('its scheme is unknown.');
  }
}

/** Names the server for people, without user or password. */
export function describeRedisAddress(address: RedisAddress): string {
  const db = address.db === 0 ? '' : `, database ${address.db}`;
  const tls = address.tls ? ' (TLS)' : '';
  switch (address.kind) {
    case 'server':
      return `Redis at ${hostText(address)}${tls}${db}`;
    case 'socket':
      return `Redis at ${address.path}${db}`;
    case 'sentinel':
      return `Redis "${address.name}" by Sentinel at ${address.hosts.map(hostText).join(', ')}${tls}${db}`;
    case 'cluster':
      return `Redis Cluster at ${address.hosts.map(hostText).join(', ')}${tls}`;
  }
}

function hostText({ host, port }: Host): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function credentials(text: string | undefined): Credentials {
  if (!text) return {};
  const colon = text.indexOf(':');
  const username = decode(colon < 0 ? text : text.slice(0, colon));
  const password = colon < 0 ? '' : decode(text.slice(colon + 1));
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}

function certificates(query: URLSearchParams, tls: boolean): { readonly certificates?: Certificates } {
  const files: { -readonly [Name in keyof Certificates]: string } = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const file = query.get(name);
    if (file) files[name] = file;
  }
  if (Object.keys(files).length === 0) return {};
  if (!tls) throw new RedisUrlError('only rediss:// takes certificates.');
  if ((files.cert === undefined) !== (files.key === undefined)) {
    throw new RedisUrlError('cert and key must be given together.');
  }
  return { certificates: files };
}

function hostList(text: string, defaultPort: number): Host[] {
  return text.split(',').map((entry) => {
    const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(entry.trim());
    const host = match?.[1] ?? match?.[2];
    const port = match?.[3] === undefined ? defaultPort : Number(match[3]);
    if (!host || port < 1 || port > 65_535) throw new RedisUrlError('a host or port is invalid.');
    return { host, port };
  });
}

function database(text: string | null | undefined): number {
  if (!text) return 0;
  if (!/^\d{1,6}$/.test(text)) throw new RedisUrlError('the database must be a number.');
  return Number(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisUrlError('write a % as %25.');
  }
}

export const usualPrefix = 'campaigns';

/** The hash tag that all keys share, so that one node of a cluster holds them all. In production it is their whole prefix. */
export function keyTag(prefix: string = usualPrefix): string {
  return `{${prefix}}`;
}
