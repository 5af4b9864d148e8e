/**
 * Notifications by HTTP. A webhook connects only to public addresses, and those that its entry permits, follows no redirect, and has a
 * limit for the time and the size of an answer. Messages to programs are signed as Standard Webhooks 1.0 describes.
 */
import { createHash, createHmac } from 'node:crypto';
import { Agent } from 'undici';
import type { NotificationEvent, ReceiverSetting } from '../../../config/notify.ts';
import { type Proxies, ProxyError } from '../../platform/net/proxy.ts';
import { AddressPolicy } from '../../service/media/addresses.ts';
import { retryAfterMs } from '../../service/transport/answer.ts';
import { type ChatFormat, chatBody, chatRefusal, chatText, chatUrl, takesNoSignature } from './chat.ts';
import {
  type Answer,
  attemptMs,
  type Message,
  type Receiver,
  type ReceiverOptions,
  tooLate,
  unreachable,
} from './receiver.ts';

/** Most that is read of an answer: only some chats say in it whether they took the message. */
const mostAnswerBytes = 64 * 1024;

export class WebhookReceiver implements Receiver {
  readonly protocol = 'HTTP';
  readonly key: string;
  readonly host: string;
  readonly events: ReadonlySet<NotificationEvent>;
  readonly #url: URL;
  /** Undefined for programs. */
  readonly #chat: ChatFormat | undefined;
  readonly #secret: Buffer | undefined;
  readonly #agent: Agent;
  readonly #attemptMs: number;
  readonly #consoleUrl: string | undefined;

  /** @param secret bytes of the key to sign with; undefined: messages are not signed. */
  constructor(
    { url, events, format, allowPrivateAddresses }: ReceiverSetting,
    secret: Buffer | undefined,
    options: ReceiverOptions & { readonly proxies?: Proxies | undefined } = {},
  ) {
    const { longestMs = attemptMs, consoleUrl, proxies } = options;
    this.#chat = format === 'standard' || format === 'email' ? undefined : format;
    this.#consoleUrl = consoleUrl;
    this.#attemptMs = longestMs;
    this.key = createHash('sha256').update(url).digest('hex').slice(0, 16);
    this.#url = new URL(url);
    this.host = this.#url.host;
    this.events = new Set(events);
    this.#secret = secret;
    this.#agent = receiverAgent(allowPrivateAddresses, proxies);
  }

  get isSigned(): boolean {
    return this.#secret !== undefined || takesNoSignature.has(this.#chat);
  }

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
      const refusal = status.kind === 'delivered' ? chatRefusal(this.#chat, said) : undefined;
      return refusal === undefined ? status : { kind: 'failed', problem: refusal, isFinal: false };
    } catch (error) {
      if (deadline.aborted) return tooLate(this.#attemptMs);
      if (error instanceof ProxyError) return { kind: 'failed', problem: error.message, isFinal: false };
      return unreachable(error);
    }
  }

  #request({ id, body }: Message, now: number) {
    const chat = this.#chat;
    if (chat === undefined) {
      return { url: this.#url, headers: signedHeaders(this.#secret, { id, body, at: now }), text: body };
    }
    const secret = this.#secret?.toString();
    const text = chatBody(chat, chatText(body, this.#consoleUrl), now, secret);
    return { url: chatUrl(chat, this.#url, now, secret), headers: {}, text };
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

function readStatus(status: number, retryAfter: number | undefined): Answer {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const isRedirect = status >= 300 && status < 400;
  const problem = isRedirect
    ? `it redirects (HTTP ${status}), and redirects are not followed`
    : `it answered with HTTP ${status}`;
  const fix = isRedirect ? 'Put the address that it redirects to into the setting notify.' : undefined;
  // 410 asks the sender to stop.
  return { kind: 'failed', problem, fix, isFinal: status === 410, retryAfterMs: retryAfter };
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

/** Resolves and checks the name at each connection; else requests fail with a `MediaError`. */
function receiverAgent(allowPrivateAddresses: readonly string[], proxies?: Proxies): Agent {
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
