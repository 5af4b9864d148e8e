/** The pages by which the sandbox describes itself. */
import type { Answer } from '../http/answer.ts';
import { describeApi } from './openapi.ts';
import { frontPage } from './page.ts';

interface Addresses {
  readonly url: string;
  readonly adminUrl: string;
}

/** Answers `/` and `/openapi.json`; undefined for other paths. The OpenAPI document is built on its first request. */
export function documents(
  addresses: () => Addresses,
  strict: boolean,
): (method: string, path: string) => Answer | undefined {
  let description: string | undefined;
  return (method, path) => {
    if (method !== 'GET') return undefined;
    if (path === '/openapi.json') {
      description ??= JSON.stringify(describeApi(addresses().url, strict), null, 2);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: description };
    }
    if (path !== '/') return undefined;
    const { url, adminUrl } = addresses();
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: frontPage(url, adminUrl),
    };
  };
}
