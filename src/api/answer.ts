/** What an answer of the service means: its data, or the one error that says what became of the call (contract, sections 1 and 7). */
import { type Envelope, envelope } from './contract/envelope.ts';
import { authorizationExpiredCode } from './contract/showcase.ts';
import {
  CreatorAuthorizationExpiredError,
  GoneError,
  KeyRefusedError,
  MalformedAnswerError,
  OutcomeUnknownError,
  RefusedError,
  ServerError,
  ThrottledError,
} from './errors.ts';
import type { HttpAnswer } from './exchange.ts';
import { retryAfterMs } from './retry-after.ts';

const longestServiceMessage = 300;

export interface AnswerContext {
  readonly operation: string;
  /** Takes secrets out of a text that the service wrote. */
  readonly redact: (text: string) => string;
  readonly now: () => number;
}

/**
 * Reads an answer as the envelope of a success: HTTP 2xx and `code` 0.
 * @throws {ApiError} one class per meaning, for everything else.
 */
export function readEnvelope(answer: HttpAnswer, context: AnswerContext): Envelope {
  if (answer.status < 200 || answer.status > 299) throw unsuccessful(answer, context);
  const { operation } = context;
  const malformed = (what: string) =>
    new MalformedAnswerError(`${operation}: the answer ${what}.`, { operation, status: answer.status });
  if (answer.broken) throw malformed(`broke off (${answer.broken})`);
  const content = parseJson(answer.body);
  if (content === undefined) throw malformed('is not JSON');
  const result = envelope.safeParse(content);
  if (!result.success) {
    const field = result.error.issues[0]?.path.join('.') || 'envelope';
    throw malformed(`is not an envelope: ${field} is missing or wrong`);
  }
  if (result.data.code === 0) return result.data;
  const details = detailsOf(answer, result.data, context);
  const message = `${operation} was refused with code ${result.data.code}${quote(details.serviceMessage)}`;
  if (result.data.code === authorizationExpiredCode) {
    throw new CreatorAuthorizationExpiredError(message, details);
  }
  throw new RefusedError(message, details);
}

function unsuccessful(answer: HttpAnswer, context: AnswerContext): Error {
  const { operation } = context;
  const { status } = answer;
  const result = envelope.safeParse(parseJson(answer.body));
  const details = detailsOf(answer, result.data, context);
  const said = quote(details.serviceMessage);
  if (status === 429) {
    const wait = retryAfterMs(answer.headers['retry-after'], context.now());
    return new ThrottledError(`${operation}: too many requests (HTTP 429)${said}`, {
      ...details,
      retryAfterMs: wait,
    });
  }
  if (status === 500)
    return new ServerError(`${operation}: the service had an error (HTTP 500)${said}`, details);
  if (status >= 300 && status < 400) {
    return new OutcomeUnknownError(
      `${operation} was answered with a redirect (HTTP ${status}), which is never followed.`,
      details,
    );
  }
  if (status < 400 || status >= 500 || status === 408) {
    return new OutcomeUnknownError(`${operation} was answered with HTTP ${status}${said}`, details);
  }
  // A refusal. The envelope says more than the status where it names the creator's authorization.
  if (result.data?.code === authorizationExpiredCode) {
    return new CreatorAuthorizationExpiredError(
      `${operation} was refused with code ${result.data.code}${said}`,
      details,
    );
  }
  if (status === 401 || status === 403) {
    return new KeyRefusedError(`${operation}: the API key was refused (HTTP ${status})${said}`, details);
  }
  if (status === 404 && operation === 'fetchPublicVideoData') {
    return new GoneError('The public video does not exist or was deleted.', details);
  }
  return new RefusedError(`${operation} was refused with HTTP ${status}${said}`, details);
}

function detailsOf(answer: HttpAnswer, content: Envelope | undefined, context: AnswerContext) {
  // Bodies of errors have no shape in the contract: an envelope, or whatever text there is.
  const text = content?.message ?? answer.body.toString('utf8');
  return {
    operation: context.operation,
    status: answer.status,
    serviceCode: content?.code,
    serviceMessage: presentable(context.redact(text)),
  };
}

function presentable(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const plain = text.replaceAll(/[\s\u0000-\u001f\u007f\ufffd]+/g, ' ').trim();
  return plain ? plain.slice(0, longestServiceMessage) : undefined;
}

/** The end of a sentence that another may follow: what a service says often lacks its full stop. */
function quote(said: string | undefined): string {
  if (!said) return '.';
  return /[.!?…。！？]$/.test(said) ? `: ${said}` : `: ${said}.`;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
