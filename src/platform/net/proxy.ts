/**
 * Connects through the proxy that the environment names for a host. Every connection is a tunnel (`CONNECT`), for `http:` URLs as well: so
 * the proxy sees host and port, and nothing else of a call to an `https:` URL; and a connection is made, or not, before a call begins, as without a proxy.
 */
import { BlockList, connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { buildConnector } from 'undici';
import type { ProxyServer, ProxySettings } from '../../../config/proxies.ts';

/** A longer answer to `CONNECT` is none. Bytes. */
const longestHead = 16 * 1024;
const endOfHead = '\r\n\r\n';

/** The connection to the proxy, or the tunnel through it, was not made: nothing was sent. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'PROXY_FAILED';

  /** @param why as the end of a sentence. */
  constructor({ name, variable }: ProxyServer, why: string, cause?: unknown) {
    super(`the proxy ${name} (${variable}) ${why}`, cause === undefined ? undefined : { cause });
  }
}

/** The proxies of the environment, and which of them leads to a host. */
export class Proxies {
  readonly #settings: ProxySettings;
  readonly #without: readonly ((hostname: string, port: number) => boolean)[];

  constructor(settings: ProxySettings = { https: undefined, http: undefined, without: [] }) {
    this.#settings = settings;
    this.#without = settings.without.map(readEntry);
  }

  /** All that are named, each once. */
  get all(): readonly ProxyServer[] {
    const { https, http } = this.#settings;
    return [https, http].filter((proxy) => proxy !== undefined);
  }

  /** Undefined for none, and for this machine. @param target `hostname` without brackets. */
  find({ protocol, hostname, port }: Target): ProxyServer | undefined {
    const proxy = protocol === 'https:' ? this.#settings.https : this.#settings.http;
    if (proxy === undefined) return undefined;
    const host = hostname.toLowerCase().replace(/\.$/, '');
    if (isLoopback(host)) return undefined;
    const at = Number(port) || (protocol === 'https:' ? 443 : 80);
    return this.#without.some((matches) => matches(host, at)) ? undefined : proxy;
  }

  /**
   * A connector that goes through the proxy of a host, if it has one.
   * @param direct for hosts without a proxy.
   * @param check throws for a host that may not be reached through a proxy: it is the proxy that looks up its name.
   * @param timeoutMs for the tunnel and its TLS handshake.
   */
  connector(
    direct: buildConnector.connector,
    timeoutMs: number,
    check: (hostname: string) => void = () => undefined,
  ): buildConnector.connector {
    if (this.all.length === 0) return direct;
    const secure = buildConnector({ allowH2: false, timeout: timeoutMs });
    return (options, callback) => {
      const { protocol, port } = options;
      const hostname = options.hostname.replace(/^\[|\]$/g, '');
      const proxy = this.find({ protocol, hostname, port });
      if (proxy === undefined) return direct(options, callback);
      try {
        check(hostname);
      } catch (error) {
        return callback(error as Error, null);
      }
      const at = Number(port) || (protocol === 'https:' ? 443 : 80);
      openTunnel(proxy, `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${at}`, timeoutMs).then(
        (httpSocket) => {
          if (protocol === 'https:') secure({ ...options, httpSocket }, callback);
          else callback(null, httpSocket);
        },
        (error: Error) => callback(error, null),
      );
    };
  }
}

/** Parts of a URL, as `URL` has them. */
export interface Target {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: string | undefined;
}

/** @throws {ProxyError} */
function openTunnel(proxy: ProxyServer, authority: string, timeoutMs: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { hostname: host, port, isEncrypted, authorization } = proxy;
  const socket = isEncrypted
    ? connectTls({
        host,
        port,
        ALPNProtocols: ['http/1.1'],
        ...(isIP(host) === 0 ? { servername: host } : {}),
      })
    : connectTcp({ host, port });
  const fail = (why: string, cause?: unknown) => {
    stop();
    socket.on('error', () => undefined).destroy();
    reject(new ProxyError(proxy, why, cause));
  };
  const timer = setTimeout(() => fail('does not answer in time'), timeoutMs);
  let head = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(endOfHead);
    if (end < 0) {
      if (head.length > longestHead) fail('does not answer as a proxy does');
      return;
    }
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, 12))?.[1] ?? 0);
    if (status < 200 || status > 299) return fail(refusalOf(status, authority));
    stop();
    socket.pause();
    const rest = head.subarray(end + endOfHead.length);
    if (rest.length > 0) socket.unshift(rest);
    resolve(socket);
  };
  const onError = (error: NodeJS.ErrnoException) =>
    fail(`cannot be reached (${error.code ?? error.name})`, error);
  const onClose = () => fail('closed the connection');
  const stop = () => {
    clearTimeout(timer);
    socket.off('data', onData).off('error', onError).off('close', onClose);
  };
  socket.on('error', onError).on('close', onClose).on('data', onData);
  socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
    const fields = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
    if (authorization !== undefined) fields.push(`Proxy-Authorization: ${authorization}`);
    socket.write(`${fields.join('\r\n')}${endOfHead}`);
  });
  return promise;
}

function refusalOf(status: number, authority: string): string {
  if (status === 407) return 'asks for a user name and password, or refuses those that it got (HTTP 407)';
  if (status === 0) return 'does not answer as a proxy does';
  return `refused a connection to ${authority} (HTTP ${status})`;
}

/** A program of this machine: no proxy leads there. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]+)$/.test(hostname);
}

/** Whether an entry of `NO_PROXY` names a host: a name with all below it, `*.name`, an address, a range, each with or without a port. */
function readEntry(entry: string): (hostname: string, port: number) => boolean {
  const range = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/i.exec(entry);
  if (range) return inRange(range[1] ?? '', Number(range[2]));
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const name = (bracketed ?? plain ?? entry).toLowerCase().replace(/\.$/, '');
  const isAny = name === '*';
  const onlyBelow = name.startsWith('*.');
  const base = name.replace(/^\*?\./, '');
  return (hostname, at) => {
    if (port !== undefined && Number(port) !== at) return false;
    return (
      isAny || (!onlyBelow && hostname === base) || (isIP(hostname) === 0 && hostname.endsWith(`.${base}`))
    );
  };
}

function inRange(address: string, bits: number): (hostname: string) => boolean {
  const family = isIP(address);
  if (family === 0 || bits > (family === 4 ? 32 : 128)) return () => false;
  const list = new BlockList();
  list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  return (hostname) => isIP(hostname) === family && list.check(hostname, family === 4 ? 'ipv4' : 'ipv6');
}
