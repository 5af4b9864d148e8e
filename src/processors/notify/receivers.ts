/**
 * The receivers in the setting `notify`. Each connects only to public addresses, and those that its entry permits, follows no redirect,
 * and has a limit for the time and the size of an answer. Messages are signed as Standard Webhooks 1.0 describes. `config/notify.ts`
 * checks the form of the URL.
 */
import { createHash, createHmac } from 'node:crypto';
import { Agent } from 'undici';
import type { NotificationEvent, ReceiverFormat, ReceiverSetting } from '../../../config/notify.ts';
import { type Proxies, ProxyError } from '../../platform/net/proxy.ts';
import { AddressPolicy } from '../../service/media/addresses.ts';
import { MediaError } from '../../service/media/errors.ts';
import { retryAfterMs } from '../../service/transport/answer.ts';
import { chatBody, chatRefusal, chatText, chatUrl, takesNoSignature } from './chat.ts';

/** From the look-up of the name to the last byte of the answer; Standard Webhooks recommend 15 to 30 seconds. */
const attemptMs = 15_000;
/** Most that is read of an answer: only some chats say in it whether they took the message. */
const mostAnswerBytes = 64 * 1024;

export interface Message {
  readonly id: string;
  readonly body: string;
}

export type Answer =
  | { readonly kind: 'delivered'; readonly status: number }
  /** `isFinal`: the receiver asked for no more messages. */
  | {
      readonly kind: 'failed';
      readonly problem: string;
      readonly cure?: string | undefined;
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

interface ReceiverOptions {
  readonly longestMs?: number;
  readonly proxies?: Proxies | undefined;
  /** Address of the console for links in chats, without a slash at the end; undefined: chats name the command. */
  readonly consoleUrl?: string | undefined;
}

export class Receiver {
  /** Names the receiver in jobs and in Redis, because its URL may hold a token. */
  readonly key: string;
  /** Host and port, to name it to people. */
  readonly host: string;
  readonly events: ReadonlySet<NotificationEvent>;
  readonly #url: URL;
  readonly #format: ReceiverFormat;
  readonly #secret: Buffer | undefined;
  readonly #agent: Agent;
  readonly #attemptMs: number;
  readonly #consoleUrl: string | undefined;

  /** @param secret bytes of the key to sign with; undefined: messages are not signed. */
  constructor(
    { url, events, format, allowPrivateAddresses }: ReceiverSetting,
    secret: Buffer | undefined,
    { longestMs = attemptMs, proxies, consoleUrl }: ReceiverOptions = {},
  ) {
    this.#format = format;
    this.#consoleUrl = consoleUrl;
    this.#attemptMs = longestMs;
    this.key = createHash('sha256').update(url).digest('hex').slice(0, 16);
    this.#url = new URL(url);
    this.host = this.#url.host;
    this.events = new Set(events);
    this.#secret = secret;
    this.#agent = receiverAgent(allowPrivateAddresses, proxies);
  }

  /** False if it could be sent signed messages, and is not. */
  get isSigned(): boolean {
    return this.#secret !== undefined || takesNoSignature.has(this.#format);
  }

  /** Tries once. @param now Unix epoch, milliseconds. @param signal aborts the attempt. */
  async send({ id, body }: Message, now: number, signal?: AbortSignal): Promise<Answer> {
    const deadline = AbortSignal.timeout(this.#attemptMs);
    const ends = signal ? AbortSignal.any([deadline, signal]) : deadline;
    try {
      const { url, headers, text } = this.#request({ id, body }, now);
      const answer = await this.#agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'campaign-runner', ...headers },
        body: text,
        signal: ends,
      });
      // A late or torn body changes nothing about the status.
      const said = await readBeginning(answer.body).catch(() => '');
      const status = readStatus(answer.statusCode, retryAfterMs(answer.headers['retry-after'], now));
      const refusal = status.kind === 'delivered' ? chatRefusal(this.#format, said) : undefined;
      return refusal === undefined ? status : { kind: 'failed', problem: refusal, isFinal: false };
    } catch (error) {
      return deadline.aborted ? tooLate(this.#attemptMs) : readError(error);
    }
  }

  #request({ id, body }: Message, now: number) {
    const format = this.#format;
    if (format === 'standard') {
      return { url: this.#url, headers: signedHeaders(this.#secret, { id, body, at: now }), text: body };
    }
    const secret = this.#secret?.toString();
    const text = chatBody(format, chatText(body, this.#consoleUrl), now, secret);
    return { url: chatUrl(format, this.#url, now, secret), headers: {}, text };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Reads an answer up to its bound. A longer one ends the connection. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > mostAnswerBytes) break;
  }
  return Buffer.concat(pieces).toString();
}

export class Receivers implements AsyncDisposable {
  readonly all: readonly Receiver[];

  /** @param secretOf secret of the entry at an index. @throws as `secretOf` does. */
  constructor(
    settings: readonly ReceiverSetting[],
    secretOf: (index: number) => Buffer | undefined = () => undefined,
    options: ReceiverOptions = {},
  ) {
    this.all = settings.map((setting, index) => new Receiver(setting, secretOf(index), options));
  }

  find(key: string): Receiver | undefined {
    return this.all.find((receiver) => receiver.key === key);
  }

  of(event: NotificationEvent): readonly string[] {
    return this.all.filter(({ events }) => events.has(event)).map(({ key }) => key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((receiver) => receiver[Symbol.asyncDispose]()));
  }
}

function readStatus(status: number, retryAfter: number | undefined): Answer {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const isRedirect = status >= 300 && status < 400;
  const problem = isRedirect
    ? `it redirects (HTTP ${status}), and redirects are not followed`
    : `it answered with HTTP ${status}`;
  const cure = isRedirect ? 'Put the address that it redirects to into the setting notify.' : undefined;
  // 410 asks the sender to stop.
  return { kind: 'failed', problem, cure, isFinal: status === 410, retryAfterMs: retryAfter };
}

function tooLate(ms: number): Answer {
  return { kind: 'failed', problem: `it did not answer within ${ms / 1000} seconds`, isFinal: false };
}

function readError(error: unknown): Answer {
  const refused = addressProblem(error);
  if (refused) return { kind: 'failed', ...refused, isFinal: false };
  if (error instanceof ProxyError) return { kind: 'failed', problem: error.message, isFinal: false };
  const { code } = error as NodeJS.ErrnoException;
  const why = typeof code === 'string' ? ` (${code})` : '';
  return { kind: 'failed', problem: `it could not be reached${why}`, isFinal: false };
}

/** @param key bytes of the secret; undefined: not signed. @param id the same in all attempts. @param at Unix epoch, milliseconds. */
export function signedHeaders(
  key: Buffer | undefined,
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (!key) return headers;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}

const connectMs = 10_000;
const connectionsPerReceiver = 4;

/** Resolves and checks the name at each connection; else requests fail with an error that `addressProblem` reads. */
export function receiverAgent(allowPrivateAddresses: readonly string[], proxies?: Proxies): Agent {
  return new Agent({
    connect: new AddressPolicy(allowPrivateAddresses, proxies).connector(connectMs),
    connections: connectionsPerReceiver,
    pipelining: 1,
    allowH2: false,
    // The deadline of the attempt replaces these limits, which restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Why a request was not sent, and what to do about it; undefined unless it was because of its address. */
export function addressProblem(
  error: unknown,
): { readonly problem: string; readonly cure: string } | undefined {
  if (!(error instanceof MediaError)) return undefined;
  return {
    problem: error.message.replace(/\.$/, ''),
    cure: 'Use a public URL, or add the address to allowPrivateAddresses of its entry in the setting notify.',
  };
}
