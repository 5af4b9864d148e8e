/** Breaks answers as a fault says. Every function here ends the exchange. */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, content, envelope, send } from '../answer.ts';
import type { Fault, FaultOf } from './schema.ts';

/** Ends the connection without an answer: by RST, which the peer reads as ECONNRESET, or by FIN, a plain end. */
export function breakOff(response: ServerResponse, by: 'reset' | 'fin'): void {
  const socket = response.socket;
  if (by === 'reset') socket?.resetAndDestroy();
  else socket?.end();
}

/**
 * Sends the answer as the fault breaks it, or another instead.
 * @param now in milliseconds, to which `Retry-After` as a date adds. @param decoy default target of a redirect.
 */
export function sendBroken(
  response: ServerResponse,
  fault: Fault,
  answer: Answer,
  now: number,
  decoy: string,
): void {
  const body = Buffer.from(answer.body);
  switch (fault.kind) {
    case 'reset':
    case 'lost-answer':
      breakOff(response, fault.by);
      break;
    case 'no-answer':
      // Nothing ever comes; the connection stays open until the caller or the sandbox closes it.
      break;
    case 'half-body':
      writeRaw(response, answer, body.length, body.subarray(0, body.length >> 1), () => {
        breakOff(response, fault.by);
      });
      break;
    case 'wrong-length':
      writeRaw(response, answer, Math.max(0, body.length + fault.by), body);
      break;
    case 'oversize':
      stream(response, answer, fault.bytes, padded(body, fault.bytes));
      break;
    case 'slow-body':
      stream(response, answer, body.length, trickle(body, fault.bytesPerSecond));
      break;
    default:
      send(response, replacement(fault, answer, now, decoy));
  }
}

/** The answer to send instead; the same answer for faults that delay or that the operation has applied. */
function replacement(fault: Fault, answer: Answer, now: number, decoy: string): Answer {
  switch (fault.kind) {
    case 'status':
      return statusAnswer(fault);
    case 'throttle':
      return throttled(fault, now);
    case 'code':
      return envelope(200, { code: fault.code, data: fault.data ?? {}, message: fault.message });
    case 'redirect':
      return { status: fault.status, headers: { location: fault.location ?? decoy }, body: '' };
    case 'malformed-json':
      return { ...answer, body: `${String(answer.body).slice(0, -1)},}` };
    case 'html':
      return { ...content('text/html', gatewayPage), status: fault.status };
    case 'empty':
      return { ...answer, status: 200, body: '' };
    default:
      return answer;
  }
}

const gatewayPage = '<!doctype html><html><body><h1>Welcome to nginx!</h1></body></html>';

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
  response: ServerResponse,
  answer: Answer,
  length: number,
  bytes: Buffer,
  done = () => {},
): void {
  const headers = Object.entries({ ...answer.headers, 'content-length': length });
  const head = [`HTTP/1.1 ${answer.status} OK`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  response.socket?.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]), done);
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
