/** Paths that the sign-in may redirect to. */

const longest = 2000;

/**
 * Whether a text is a path of the console. Browsers read `//host` and `/\host` as other sites, and skip line breaks and tabs.
 * @param path without the base.
 */
export function isOwnPath(path: string): boolean {
  if (path.length > longest || !/^\/(?![/\\])/.test(path) || !/^[\x21-\x7e]*$/.test(path)) return false;
  const url = URL.parse(path, 'http://console.invalid');
  return url?.origin === 'http://console.invalid' && !/^\/sign-(?:in|out)(?:\/|$)/.test(url.pathname);
}

/** @returns the path if it is a path of the console, else the path of the first page. */
export function ownPath(path: string | null | undefined): string {
  return path !== null && path !== undefined && isOwnPath(path) ? path : '/campaigns';
}
