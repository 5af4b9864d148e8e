/** Carries out a call with its faults: those before the effect, the effect, those after it. The first that ends the exchange is the last. */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxOperation } from '../description/operations.ts';
import { type Answer, content, envelope, send, success } from '../http.ts';
import type { Parts } from '../parts.ts';
import { UploadCut } from '../storage.ts';
import type { Fault, FaultOf } from './schema.ts';

/** @param perform the effect. @returns undefined when a fault has already ended the exchange. @throws {AbortError} at the close. */
export async function strike(
  faults: readonly Fault[],
  operation: SandboxOperation,
  response: ServerResponse,
  perform: () => Promise<Answer>,
  { holds, clock, adminUrl, closing: { signal } }: Parts,
): Promise<Answer | undefined> {
  /** Delays are in real time. @returns whether a fault has ended the exchange. */
  const strikeAt = async (phase: 'before' | 'after', answer: Answer) => {
    for (const fault of faults.filter((candidate) => phaseOf(candidate) === phase)) {
      if (fault.kind === 'delay') await sleep(fault.ms, undefined, { signal });
      else if (fault.kind === 'hold') await holds.hold(operation, signal);
      else {
        sendBroken(response, fault, answer, clock.now(), `${adminUrl}/decoy`);
        return true;
      }
      signal.throwIfAborted();
    }
    return false;
  };
  if (await strikeAt('before', success({}))) return undefined;
  try {
    const answer = await perform();
    return (await strikeAt('after', answer)) ? undefined : answer;
  } catch (error) {
    if (!(error instanceof UploadCut)) throw error;
    breakOff(response, error.by);
    return undefined;
  }
}

/** Whether the fault strikes before the effect or after it; undefined for one that the operation itself applies. */
function phaseOf(fault: Fault): 'before' | 'after' | undefined {
  if ('when' in fault) return fault.when;
  if (fault.kind === 'reset' || fault.kind === 'throttle') return 'before';
  return fault.kind === 'lost-answer' ? 'after' : undefined;
}

/** Ends the connection without an answer: by RST, which the peer reads as ECONNRESET, or by FIN, a plain end. */
function breakOff({ socket }: ServerResponse, by: 'reset' | 'fin'): void {
  if (by === 'reset') socket?.resetAndDestroy();
  else socket?.end();
}

const gatewayPage = '<!doctype html><html><body><h1>Welcome to nginx!</h1></body></html>';

/** @param now in ms, for `Retry-After` as a date. @param decoy default target of a redirect. */
function sendBroken(response: ServerResponse, fault: Fault, answer: Answer, now: number, decoy: string) {
  const body = Buffer.from(answer.body);
  switch (fault.kind) {
    case 'reset':
    case 'lost-answer':
      return breakOff(response, fault.by);
    case 'no-answer':
      // Nothing ever comes; the connection stays open until the caller or the sandbox closes it.
      return;
    case 'half-body':
      return writeRaw(response, answer, body.length, body.subarray(0, body.length >> 1), () =>
        breakOff(response, fault.by),
      );
    case 'wrong-length':
      return writeRaw(response, answer, Math.max(0, body.length + fault.by), body);
    case 'oversize':
      return stream(response, answer, fault.bytes, padded(body, fault.bytes));
    case 'slow-body':
      return stream(response, answer, body.length, trickle(body, fault.bytesPerSecond));
    case 'status':
      return send(response, statusAnswer(fault));
    case 'throttle':
      return send(response, throttled(fault, now));
    case 'code': {
      const { code, data = {}, message } = fault;
      return send(response, envelope(200, { code, data, message }));
    }
    case 'redirect': {
      const headers = { location: fault.location ?? decoy };
      return send(response, { status: fault.status, headers, body: '' });
    }
    case 'malformed-json':
      return send(response, { ...answer, body: `${String(answer.body).slice(0, -1)},}` });
    case 'html':
      return send(response, { ...content('text/html', gatewayPage), status: fault.status });
    case 'empty':
      return send(response, { ...answer, status: 200, body: '' });
    default:
      return send(response, answer);
  }
}

function statusAnswer({ status, headers, body }: FaultOf<'status'>): Answer {
  if (typeof body === 'string') return { status, headers, body };
  const refusal = { code: status * 100, data: {}, message: `HTTP ${status} on demand` };
  return envelope(status, body ?? refusal, headers);
}

function throttled(fault: FaultOf<'throttle'>, now: number): Answer {
  const { retryAfterSeconds: seconds, retryAfterForm: form } = fault;
  const answer = { code: 42900, data: {}, message: 'too many requests' };
  if (seconds === undefined) return envelope(429, answer);
  const retryAfter = form === 'date' ? new Date(now + seconds * 1000).toUTCString() : String(seconds);
  return envelope(429, answer, { 'retry-after': retryAfter });
}

/** Bypasses the HTTP library, which would refuse a wrong length. */
function writeRaw(
  { socket }: ServerResponse,
  { status, headers }: Answer,
  length: number,
  bytes: Buffer,
  done = () => {},
): void {
  const fields = Object.entries({ ...headers, 'content-length': length });
  const head = [`HTTP/1.1 ${status} OK`, ...fields.map(([name, value]) => `${name}: ${value}`)];
  socket?.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]), done);
}

function stream(response: ServerResponse, answer: Answer, length: number, body: AsyncIterable<Buffer>): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': length });
  response.flushHeaders();
  // A caller who goes away ends it.
  pipeline(body, response, () => {});
}

/** So many bytes: the true answer, then padding. */
async function* padded(body: Buffer, bytes: number): AsyncGenerator<Buffer> {
  yield body.subarray(0, bytes);
  const padding = Buffer.alloc(64 * 1024, 0x20);
  for (let left = bytes - body.length; left > 0; left -= padding.length) yield padding.subarray(0, left);
}

async function* trickle(body: Buffer, bytesPerSecond: number): AsyncGenerator<Buffer> {
  for (const byte of body) {
    await sleep(1000 / bytesPerSecond, undefined, { ref: false });
    yield Buffer.of(byte);
  }
}
