/** Checks the environment variables of the console. */
import { cidr } from './cidr.ts';

/** @returns `https://console.example:8443`, without a slash at the end; undefined for anything but such an origin. */
export function readOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined;
}

/** @returns a path such as `/tools/campaigns`, empty for the root; undefined for anything else. */
export function readBase(text: string): string | undefined {
  const parts = text.replace(/\/$/, '').split('/');
  if (parts.shift() !== '') return undefined;
  const isPlain = (part: string) => /^[A-Za-z0-9._~-]+$/.test(part) && !/^\.\.?$/.test(part);
  return parts.every(isPlain) ? parts.map((part) => `/${part}`).join('') : undefined;
}

/** @returns IP addresses and CIDR ranges; undefined if one of them is neither. */
export function readProxies(text: string): readonly string[] | undefined {
  const proxies = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return proxies.every((proxy) => cidr.safeParse(proxy).success) ? proxies : undefined;
}
