/** Checks the environment variable of traces. */

/** @returns the address of the endpoint for traces; undefined for anything but an http or https URL without a password. */
export function readTracesUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (url.search || url.hash) return undefined;
  const base = url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
  return `${base}/v1/traces`;
}
