/** What it takes to call an account of the service: an address, and a key that a header can carry. */

/** The account that the environment names. */
export const defaultAccount = 'default';

export const headerValue = /^[\x21-\x7e]+$/;
export const keyRule = 'has a space, a line break or a character that a header cannot carry';
export const serviceUrlRule = 'must be an http or https URL without user, query or fragment';

/** A base address without its last slash; undefined for a text that is none. */
export function serviceUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    return undefined;
  }
  return url.href.replace(/\/+$/, '');
}
