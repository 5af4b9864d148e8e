/** Paths that a page may lead to after signing in. */

const longest = 2000;

/**
 * Whether a text is a path of the console. `//host` and `/\host` lead elsewhere, and browsers leave out line breaks and tabs.
 * @param path without the base.
 */
export function isOwnPath(path: string): boolean {
  if (path.length > longest || !/^\/(?![/\\])/.test(path) || !/^[\x21-\x7e]*$/.test(path)) return false;
  const url = URL.parse(path, 'http://console.invalid');
  return url?.origin === 'http://console.invalid' && !/^\/sign-(?:in|out)(?:\/|$)/.test(url.pathname);
}

/** @returns the path if it is one of ours, else that of the first page. */
export function ownPath(path: string | null | undefined): string {
  return path !== null && path !== undefined && isOwnPath(path) ? path : '/campaigns';
}
