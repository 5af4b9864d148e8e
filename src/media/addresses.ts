/**
 * Which addresses media may be fetched from. A URL in a spreadsheet must not reach into the network that the runner
 * stands in: every address that a name resolves to is checked, and the connection goes to the very address checked.
 */
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { MediaError } from './errors.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Global unicast. Outside of it IPv6 has nothing that is public. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Reads a media URL. Hosts such as `0x7f000001` or `127.1` come out as the address that they stand for.
 * @throws {MediaError} `media_url_invalid` unless it is an http(s) URL without user and password.
 */
export function parseMediaUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    throw new MediaError('media_url_invalid', 'This is not an http or https URL.', text);
  }
  if (url.username !== '' || url.password !== '') {
    throw new MediaError('media_url_invalid', 'The URL holds a user name or password.', redactUser(url));
  }
  return url;
}

export class AddressPolicy {
  readonly #allowed: ReadonlyArray<readonly [Address, number]>;

  /** @param allowPrivateAddresses addresses and CIDR ranges that are let through although they are not public. */
  constructor(allowPrivateAddresses: readonly string[]) {
    this.#allowed = allowPrivateAddresses.map((text) => {
      if (text.includes('/')) return ipaddr.parseCIDR(text);
      const address = ipaddr.process(text);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    });
  }

  /** Whether media may be fetched from an IP address. An IPv4 address mapped into IPv6 counts as what it is. */
  permits(address: string): boolean {
    const parsed = parseAddress(address);
    if (!parsed) return false;
    return isPublic(parsed) || this.#allowed.some((range) => isWithin(parsed, range));
  }

  /**
   * Judges a host that is an address itself; names are judged when they are resolved, at the connection.
   * @throws {MediaError} `media_address_refused`.
   */
  checkWritten(url: URL): void {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.permits(host)) throw refused(url.hostname, [host]);
  }

  /**
   * A connector for undici that connects to permitted addresses only. Its error is a `MediaError`.
   * @param timeoutMs milliseconds for a connection to be made.
   */
  connector(timeoutMs: number): buildConnector.connector {
    const connect = buildConnector({ allowH2: false, timeout: timeoutMs, lookup: this.#lookup });
    return (options, callback) => {
      // Node asks `lookup` for names only.
      const { hostname } = options;
      if (isIP(hostname) !== 0 && !this.permits(hostname)) callback(refused(hostname, [hostname]), null);
      else connect(options, callback);
    };
  }

  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      // One bad address among good ones is no accident: none of them is used.
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
    : `The address of ${hostname} is not public (${addresses.join(', ') || 'it has none'}).`;
  return new MediaError('media_address_refused', problem, hostname);
}

/** In IPv6 the last dotted part is written as hex first: `::8.8.8.8` and `::ffff:8.8.8.8` are not the same address. */
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
  if (address.range() !== 'unicast') return false;
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
