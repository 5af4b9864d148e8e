/** Notifications by e-mail. An attempt is one connection to the server, to a permitted address. */
import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { NotificationEvent, ReceiverSetting } from '../../../config/notify.ts';
import { AddressPolicy } from '../../service/media/addresses.ts';
import { chatText } from './chat.ts';
import {
  type Answer,
  attemptMs,
  type Message,
  type Receiver,
  type ReceiverOptions,
  tooLate,
  unreachable,
} from './receiver.ts';

/** Ports of submission without and with TLS from the first byte (RFC 8314). */
const ports = { 'smtp:': 587, 'smtps:': 465 } as const;

export class MailReceiver implements Receiver {
  readonly key: string;
  readonly host: string;
  readonly protocol = 'SMTP';
  readonly events: ReadonlySet<NotificationEvent>;
  /** Mail is signed by its servers. */
  readonly isSigned = true;
  readonly #setting: ReceiverSetting;
  readonly #password: string | undefined;
  readonly #options: ReceiverOptions;
  readonly #addresses: AddressPolicy;

  constructor(setting: ReceiverSetting, password: string | undefined, options: ReceiverOptions = {}) {
    const { url, to = [], events, allowPrivateAddresses } = setting;
    this.key = createHash('sha256')
      .update([url, ...to].join(' '))
      .digest('hex')
      .slice(0, 16);
    this.host = new URL(url).host;
    this.events = new Set(events);
    this.#setting = setting;
    this.#password = password;
    this.#options = options;
    this.#addresses = new AddressPolicy(allowPrivateAddresses);
  }

  async send({ id, body }: Message, now: number, signal?: AbortSignal): Promise<Answer> {
    const { longestMs = attemptMs, consoleUrl } = this.#options;
    const deadline = AbortSignal.timeout(longestMs);
    const ends = signal ? AbortSignal.any([deadline, signal]) : deadline;
    const { from, to = [] } = this.#setting;
    const { title, lines, page } = chatText(body, consoleUrl);
    try {
      const sent = await this.#deliver(ends, {
        from,
        to: [...to],
        subject: title,
        text: [...lines, ...(page === undefined ? [] : [page])].join('\n\n'),
        date: new Date(now),
        // The same in all attempts, so that mail programs show one.
        messageId: `<${id}@campaign-runner>`,
        headers: { 'auto-submitted': 'auto-generated' },
      });
      return { kind: 'delivered', status: Number(/^\d{3}/.exec(sent.response)?.[0] ?? 250) };
    } catch (error) {
      return deadline.aborted ? tooLate(longestMs) : readError(error);
    }
  }

  async #deliver(signal: AbortSignal, mail: Parameters<ReturnType<typeof createTransport>['sendMail']>[0]) {
    const url = new URL(this.#setting.url);
    const { user } = this.#setting;
    const port = Number(url.port) || ports[url.protocol as keyof typeof ports];
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    const socket = await this.#addresses.connect(hostname, port, signal);
    const transport = createTransport({
      host: hostname,
      port,
      secure: url.protocol === 'smtps:',
      // A password goes through TLS only.
      requireTLS: user !== undefined,
      ...(user !== undefined && { auth: { user, pass: this.#password ?? '' } }),
      getSocket: (_options, callback) => callback(null, { connection: socket }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      return await transport.sendMail(mail);
    } finally {
      socket.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** The texts of servers stay out: they may repeat what was sent. */
function readError(error: unknown): Answer {
  const { responseCode, code } = error as { readonly responseCode?: number; readonly code?: string };
  if (code === 'EAUTH') {
    const fix = 'In the notify setting, check user and secretFile for this mail server.';
    return { kind: 'failed', problem: 'it refused the user name or the password', fix, isFinal: false };
  }
  if (responseCode !== undefined) {
    return { kind: 'failed', problem: `it answered with SMTP ${responseCode}`, isFinal: false };
  }
  return unreachable(error);
}
