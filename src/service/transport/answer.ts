/** Reads an answer of the service: its data, or the one error that says what became of the call (contract, sections 1 and 7). */

import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';
import type { CodeMeaning } from '../contract/codes.ts';
import { authorizationExpiredCode } from '../contract/creators.ts';
import { type Envelope, envelope } from '../contract/envelope.ts';
import { parseJson } from '../contract/json.ts';
import {
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  GoneError,
  KeyRefusedError,
  MalformedAnswerError,
  OutcomeUnknownError,
  RefusedError,
  ServerError,
  ThrottledError,
} from '../errors.ts';
import type { HttpAnswer } from './exchange.ts';
import { type KeyRedactor, markEchoes } from './redact.ts';

export interface AnswerContext {
  readonly operation: string;
  readonly redactor: KeyRedactor;
  readonly now: () => number;
  /** What a code other than 0 means; undefined: it refuses this call. */
  readonly meaningOf: (code: number) => CodeMeaning | undefined;
}

/** HTTP 2xx and `code` 0. @throws {ApiError} for everything else, one class per meaning. */
export function readEnvelope(answer: HttpAnswer, context: AnswerContext): Envelope {
  if (answer.status < 200 || answer.status > 299) throw unsuccessful(answer, context);
  const { operation, redactor } = context;
  const malformed = (what: string) =>
    new MalformedAnswerError(`${operation}: the answer ${what}.`, { operation, status: answer.status });
  if (answer.broken) throw malformed(`is incomplete (${answer.broken})`);
  const content = read(answer.body, redactor);
  if (content === undefined) throw malformed(`is not JSON, or has more than ${mostValues} values`);
  const result = envelope.safeParse(content);
  if (!result.success) {
    const field = result.error.issues[0]?.path.join('.') || 'envelope';
    throw malformed(`is not an envelope: ${field} is missing or invalid`);
  }
  const { code } = result.data;
  if (code === 0) return result.data;
  throw refusedByCode(code, answer, detailsOf(answer, result.data, operation), context);
}

/** A code other than 0 with HTTP 2xx refuses this call alone, unless the contract or the settings give it another meaning. */
function refusedByCode(code: number, answer: HttpAnswer, details: Details, context: AnswerContext): Error {
  const { operation, meaningOf } = context;
  const shown = `code ${code}`;
  const message = `${operation} was refused with ${shown}${quote(details.serviceMessage)}`;
  if (isOfCreator(details)) return new CreatorAuthorizationExpiredError(message, details);
  switch (meaningOf(code)) {
    case 'throttled':
      return failure({ status: 429, shown, answer, details, context });
    case 'keyRefused':
      return failure({ status: 401, shown, answer, details, context });
    case 'creatorExpired':
      return new CreatorAuthorizationExpiredError(message, details);
    case 'forbidden':
      return new ForbiddenError(message, details);
    case 'retry':
      // Of the others, nobody knows whether the call took effect.
      return failure({ status: code === 500 ? 500 : 503, shown, answer, details, context });
    case undefined:
      return new RefusedError(message, details);
  }
}

/** The contract gives this code a meaning for one operation (sections 4.4, 5 and 7); with others it may have another one. */
function isOfCreator({ serviceCode, operation }: Details): boolean {
  return serviceCode === authorizationExpiredCode && operation === 'addSocialShowcaseProducts';
}

function unsuccessful(answer: HttpAnswer, context: AnswerContext): Error {
  const { status } = answer;
  const { data } = envelope.safeParse(read(answer.body, context.redactor));
  const details = detailsOf(answer, data, context.operation);
  return failure({ status, shown: `HTTP ${status}`, answer, details, context });
}

type Details = ReturnType<typeof detailsOf>;

interface Failure {
  /** HTTP status, or the one that a code of the envelope stands for. */
  readonly status: number;
  readonly shown: string;
  readonly answer: HttpAnswer;
  readonly details: Details;
  readonly context: AnswerContext;
}

function failure({ status, shown, answer, details, context }: Failure): Error {
  const { operation } = context;
  const quoted = quote(details.serviceMessage);
  if (status === 429) {
    // A date is meant by the clock of the service. With a wrong clock here, the operation would pause for up to an hour everywhere.
    const answeredAt = Date.parse(String(answer.headers.date));
    const now = Number.isNaN(answeredAt) ? context.now() : answeredAt;
    const wait = retryAfterMs(answer.headers['retry-after'], now);
    const message = `${operation}: too many requests (${shown})${quoted}`;
    return new ThrottledError(message, { ...details, retryAfterMs: wait });
  }
  if (status === 500)
    return new ServerError(`${operation}: the service had an error (${shown})${quoted}`, details);
  if (status >= 300 && status < 400) {
    return new OutcomeUnknownError(
      `${operation} was answered with a redirect (${shown}), which is never followed.`,
      details,
    );
  }
  if (status < 400 || status >= 500 || status === 408) {
    return new OutcomeUnknownError(`${operation} was answered with ${shown}${quoted}`, details);
  }
  if (status === 401 || status === 403) {
    return new KeyRefusedError(`${operation}: the API key was refused (${shown})${quoted}`, details);
  }
  if (status === 404 && operation === 'fetchPublicVideoData') {
    return new GoneError('The public video does not exist or was deleted.', details);
  }
  // Refused in any case: a code in the body may say why.
  const { serviceCode } = details;
  const why = serviceCode === undefined ? undefined : context.meaningOf(serviceCode);
  const message = `${operation} was refused with code ${serviceCode}${quoted}`;
  if (isOfCreator(details) || why === 'creatorExpired')
    return new CreatorAuthorizationExpiredError(message, details);
  if (why === 'forbidden') return new ForbiddenError(message, details);
  return new RefusedError(`${operation} was refused with ${shown}${quoted}`, details);
}

/** The contract gives error bodies no shape. One that is no envelope comes from elsewhere, and may echo the whole request. */
function detailsOf({ status }: HttpAnswer, content: Envelope | undefined, operation: string) {
  return { operation, status, serviceCode: content?.code, serviceMessage: content?.message || undefined };
}

/** Ends a sentence with the service's own words and a full stop, which they often lack. */
function quote(text: string | undefined): string {
  if (!text) return '.';
  return /[.!?…。！？]$/.test(text) ? `: ${text}` : `: ${text}.`;
}

/** 10,000 entries of 20 fields, and more. Each takes about 60 bytes, however short: `{},` twenty times its length. */
const mostValues = 250_000;

function read(body: Buffer, redactor: KeyRedactor): unknown {
  if (hasMoreValues(body)) return undefined;
  try {
    return markEchoes(parseJson(body.toString('utf8')), redactor);
  } catch {
    return undefined;
  }
}

function hasMoreValues(body: Buffer): boolean {
  if (body.length <= mostValues) return false;
  let values = 0;
  // A comma, a bracket or a brace comes before each.
  for (const byte of body) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  return values > mostValues;
}

/** The longest wait: a service that asks for a day is asked again sooner. */
const longestMs = 3_600_000;

/** Seconds, or an HTTP date. @param nowMs Unix epoch. @returns at most an hour; undefined without a readable header. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(inGmt(text)) - nowMs;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(Math.ceil(wait), 0), longestMs);
}

/** The oldest of the three forms of an HTTP date names no zone; it means GMT, too. */
function inGmt(date: string): string {
  return /(GMT|UTC|Z|[+-]\d{4})$/i.test(date) ? date : `${date} GMT`;
}

type Decoder = (body: Buffer, options: ZlibOptions) => Buffer;

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', (body, { maxOutputLength }) => brotliDecompressSync(body, { maxOutputLength })],
  ['zstd', (body, { maxOutputLength }) => zstdDecompressSync(body, { maxOutputLength })],
]);

/** A proxy may add one to that of the service. A header has room for thousands, and each can take 4 MB to undo. */
const mostEncodings = 3;

/**
 * Undoes the `content-encoding` of an answer. The client asks for none (`accept-encoding: identity`), but a proxy may not heed that,
 * and an answer that nobody can read is an unknown outcome.
 * @param maxBytes largest body when decoded.
 */
export function decodeAnswer(answer: HttpAnswer, maxBytes: number): HttpAnswer {
  const names = encodingsOf(answer);
  if (names.length === 0) return answer;
  const nothing = Buffer.alloc(0);
  // Half of an encoded body says nothing.
  if (answer.broken) return { ...answer, body: nothing };
  if (names.length > mostEncodings) return { ...answer, body: nothing, broken: 'unknown encoding' };
  let { body } = answer;
  try {
    // The last encoding was applied last.
    for (const name of names.reverse()) {
      const decode = decoders.get(name);
      if (!decode) return { ...answer, body: nothing, broken: 'unknown encoding' };
      body = body.length === 0 ? body : decode(body, { maxOutputLength: maxBytes });
    }
    return { ...answer, body };
  } catch (error) {
    const isLarge = error instanceof RangeError;
    return { ...answer, body: nothing, broken: isLarge ? 'too large' : 'unknown encoding' };
  }
}

function encodingsOf({ headers }: HttpAnswer): string[] {
  return String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/** Some servers leave out the zlib header. */
function inflateEither(body: Buffer, options: ZlibOptions): Buffer {
  const hasHeader = body.length > 1 && ((body[0] ?? 0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
  return hasHeader ? inflateSync(body, options) : inflateRawSync(body, options);
}
