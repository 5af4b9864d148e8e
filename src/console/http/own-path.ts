/** Paths of the console that a person may be sent on to: none that leads to another site. */

/** Longest path that the sign-in redirects to, in characters. */
const longest = 2000;

const origin = 'http://console.invalid';
const anyBase = '/base';

/** Browsers read `//host` and `/\host` as other sites, skip line breaks and tabs, and resolve `..`. @param path without the base. */
export function isOwnPath(path: string): boolean {
  if (path.length > longest || !/^\/(?![/\\])/.test(path) || !/^[\x21-\x7e]*$/.test(path)) return false;
  const url = URL.parse(path, origin);
  if (url?.origin !== origin || /^\/sign-(?:in|out)(?:\/|$)/.test(url.pathname)) return false;
  // A path with more `..` than folders leads out of the base.
  return URL.parse(`${anyBase}${path}`, origin)?.pathname === `${anyBase}${url.pathname}`;
}

/** @returns the path if it is a path of the console, else the path of the first page. */
export function ownPath(path: string | null | undefined): string {
  return path !== null && path !== undefined && isOwnPath(path) ? path : '/campaigns';
}
