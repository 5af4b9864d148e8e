/** Checks the address and the key of an account of the service. */
import { withoutTrailingSlashes } from '../src/api/contract/uri.ts';

/** The account of the environment variables. */
export const defaultAccount = 'default';

export const headerValue = /^[\x21-\x7e]+$/;
export const keyRule = 'has a space, a line break or another character that a header cannot carry';
export const serviceUrlRule = 'must be an http or https URL without user, query or fragment';

/** @returns the URL without a slash at the end; undefined for an invalid one. */
export function serviceUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    return undefined;
  }
  return withoutTrailingSlashes(url.href);
}
