/** What all receivers of notifications have in common, and why an attempt can fail. */
import type { NotificationEvent } from '../../../config/notify.ts';
import { MediaError } from '../../service/media/errors.ts';

export interface Message {
  readonly id: string;
  readonly body: string;
}

export type Answer =
  /** `status`: that of HTTP, or of SMTP. */
  | { readonly kind: 'delivered'; readonly status: number }
  /** `isFinal`: the receiver asked for no more messages. */
  | {
      readonly kind: 'failed';
      readonly problem: string;
      readonly fix?: string | undefined;
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

export interface Receiver extends AsyncDisposable {
  /** Names the receiver in jobs and in Redis, because its address may hold a token. */
  readonly key: string;
  /** Host and port, to name it to people. */
  readonly host: string;
  readonly protocol: 'HTTP' | 'SMTP';
  readonly events: ReadonlySet<NotificationEvent>;
  /** False if it could be sent signed messages, and is not. */
  readonly isSigned: boolean;
  /** Tries once. @param now Unix epoch, milliseconds. @param signal aborts the attempt. */
  send(message: Message, now: number, signal?: AbortSignal): Promise<Answer>;
}

export interface ReceiverOptions {
  /** Time of an attempt, in milliseconds. */
  readonly longestMs?: number;
  /** Address of the console for links, without a slash at the end; undefined: messages for people name the command. */
  readonly consoleUrl?: string | undefined;
}

/** From the look-up of the name to the last byte of the answer; Standard Webhooks recommend 15 to 30 seconds. */
export const attemptMs = 15_000;

export function tooLate(ms: number): Answer {
  return { kind: 'failed', problem: `it did not answer within ${ms / 1000} seconds`, isFinal: false };
}

export function unreachable(error: unknown): Answer {
  const refused = addressProblem(error);
  if (refused) return { kind: 'failed', ...refused, isFinal: false };
  const { code } = error as NodeJS.ErrnoException;
  const why = typeof code === 'string' ? ` (${code})` : '';
  return { kind: 'failed', problem: `it could not be reached${why}`, isFinal: false };
}

/** Why a message was not sent, and what to do about it; undefined unless it was because of the `AddressPolicy`. */
function addressProblem(error: unknown): { readonly problem: string; readonly fix: string } | undefined {
  if (!(error instanceof MediaError)) return undefined;
  return {
    problem: error.message.replace(/\.$/, ''),
    fix: 'Use a public URL, or add the address to allowPrivateAddresses of its entry in the setting notify.',
  };
}
