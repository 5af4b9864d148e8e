/**
 * Decides which addresses may be connected to for a URL from outside: of media, results and receivers of notifications. A URL in
 * a spreadsheet must not reach the runner's own network: every address of a name is checked, and the connection goes to a checked
 * address.
 */
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { createConnection, isIP, type LookupFunction, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import type { Proxies } from '../../platform/net/proxy.ts';
import { MediaError } from './errors.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Names that no public server has: of one label, or below a domain that private networks use. */
const localName =
  /^[^.]+\.?$|\.(?:local|localhost|localdomain|internal|intranet|lan|corp|home|private|home\.arpa)\.?$/i;

/** Global unicast: IPv6 has no other public addresses. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Hosts such as `0x7f000001` become the address that they mean. @throws {MediaError} `media_url_invalid` */
export function parseMediaUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    throw new MediaError('media_url_invalid', 'This is not an http or https URL.', text);
  }
  if (url.username !== '' || url.password !== '') {
    throw new MediaError('media_url_invalid', 'The URL contains a user name or password.', redactUser(url));
  }
  return url;
}

/** Public-looking addresses that a cloud answers from within: Azure's host, metadata (Oracle, Equinix), IBM's services, Google's APIs. */
const ofClouds = [
  ...['168.63.129.16/32', '192.0.0.0/24', '192.80.8.124/32', '161.26.0.0/16', '166.8.0.0/14'],
  '199.36.153.0/28',
].map((range) => ipaddr.parseCIDR(range));

export class AddressPolicy {
  readonly #allowed: ReadonlyArray<readonly [Address, number]>;

  readonly #proxies: Proxies | undefined;

  /** @param allowPrivateAddresses private addresses and CIDR ranges to permit. @param proxies on the way to all others. */
  constructor(allowPrivateAddresses: readonly string[], proxies?: Proxies) {
    this.#proxies = proxies;
    this.#allowed = allowPrivateAddresses.map((text) => {
      if (text.includes('/')) return ipaddr.parseCIDR(text);
      const address = ipaddr.process(text);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    });
  }

  /** Whether media may be fetched from an IP address. An IPv4 address mapped into IPv6 counts as IPv4. */
  permits(address: string): boolean {
    const parsed = parseAddress(address);
    if (!parsed) return false;
    return isPublic(parsed) || this.#allowed.some((range) => isWithin(parsed, range));
  }

  /** Only hosts that are addresses: names are checked when they are resolved. @throws {MediaError} `media_address_refused` */
  checkWritten(url: URL): void {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.permits(host)) throw refused(url.hostname, [host]);
  }

  /** A connector for undici: connects only to permitted addresses, or fails with a `MediaError`. @param timeoutMs for the connection. */
  connector(timeoutMs: number): buildConnector.connector {
    const connect = buildConnector({ allowH2: false, timeout: timeoutMs, lookup: this.#lookup });
    const direct: buildConnector.connector = (options, callback) => {
      // Node calls `lookup` only for names.
      const { hostname } = options;
      if (isIP(hostname) !== 0 && !this.permits(hostname)) callback(refused(hostname, [hostname]), null);
      else connect(options, callback);
    };
    return this.#proxies?.connector(direct, timeoutMs, (hostname) => this.#checkName(hostname)) ?? direct;
  }

  /** Connects by TCP, to a permitted address only. @throws {MediaError} `media_address_refused` */
  async connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    if (isIP(host) !== 0 && !this.permits(host)) throw refused(host, [host]);
    const socket = createConnection({ host, port, lookup: this.#lookup, signal });
    await once(socket, 'connect');
    return socket;
  }

  /** A proxy looks up names itself, so only what is written can be checked. @throws {MediaError} */
  #checkName(hostname: string): void {
    if (isIP(hostname) !== 0) {
      if (!this.permits(hostname)) throw refused(hostname, [hostname]);
    } else if (localName.test(hostname)) {
      const problem = `${hostname} is a name of a private network.`;
      throw new MediaError('media_address_refused', problem, hostname);
    }
  }

  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      // A mix of good and bad addresses looks like an attack: none of them is used.
      const bad = addresses.filter(({ address }) => !this.permits(address)).map(({ address }) => address);
      const [first] = addresses;
      if (bad.length > 0 || !first) return callback(refused(hostname, bad), '');
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(hostname: string, addresses: readonly string[]): MediaError {
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const problem = isAddress
    ? `${hostname} is not a public address.`
    : `${hostname} has no public address (${addresses.join(', ') || 'it has none'}).`;
  return new MediaError('media_address_refused', problem, hostname);
}

/** Converts a dotted part of an IPv6 address to hex first: `::8.8.8.8` and `::ffff:8.8.8.8` are different addresses. */
function parseAddress(text: string): Address | undefined {
  switch (isIP(text)) {
    case 4:
      return ipaddr.IPv4.parse(text);
    case 6: {
      const hostname = URL.parse(`http://[${text}]/`)?.hostname;
      return hostname ? ipaddr.process(hostname.slice(1, -1)) : undefined;
    }
    default:
      return undefined;
  }
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || ofClouds.some((range) => isWithin(address, range))) return false;
  return address.kind() === 'ipv4' || isWithin(address, publicIPv6);
}

function isWithin(address: Address, [base, bits]: readonly [Address, number]): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

function redactUser(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain.href;
}
