/** A browser without a screen: keeps cookies, follows no redirect, sends any header. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { goodPassword } from './access.ts';

export interface Seen {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Where a redirect leads; empty without one. */
  readonly to: string;
}

type Headers = Readonly<Record<string, string>>;

export class Visitor {
  readonly #url: string;
  readonly #headers: Headers;
  readonly cookies = new Map<string, string>();

  /** @param url origin of the server, with the base. @param headers of every request. */
  constructor(url: string, headers: Headers = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  get(path: string, headers: Headers = {}): Promise<Seen> {
    return this.#send('GET', path, headers);
  }

  /** Sends a form. */
  post(path: string, fields: Headers | string = {}, headers: Headers = {}): Promise<Seen> {
    const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#send('POST', path, { ...type, ...headers }, body);
  }

  send(method: string, path: string, headers: Headers = {}, body?: string | Uint8Array): Promise<Seen> {
    return this.#send(method, path, headers, body);
  }

  async signIn(user: string, password = goodPassword, to = '/campaigns'): Promise<Seen> {
    return this.post('/sign-in', { user, password, to });
  }

  /** The proof that forms of this visitor carry. */
  async csrf(): Promise<string> {
    return hidden((await this.get('/campaigns')).text, '_csrf');
  }

  async #send(method: string, path: string, headers: Headers, body?: string | Uint8Array): Promise<Seen> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = request(`${this.#url}${path}`, {
      method,
      headers: { ...(cookie && { cookie }), ...this.#headers, ...headers },
      setHost: !('host' in { ...this.#headers, ...headers }),
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await answer.toArray()).toString();
    for (const line of answer.headers['set-cookie'] ?? []) this.#keep(line);
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      text,
      to: answer.headers.location ?? '',
    };
  }

  #keep(line: string): void {
    const [pair = '', ...rest] = line.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    if (rest.some((part) => /expires=Thu, 01 Jan 1970/i.test(part))) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(at + 1));
  }
}

/** Value of a hidden field of a page. @throws when there is none. */
export function hidden(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1];
  if (value === undefined) throw new Error(`the page has no field ${name}:\n${page.slice(0, 2000)}`);
  return value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
