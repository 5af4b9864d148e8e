/** Breaks answers as a fault says. Every function here ends the exchange. */
import type { ServerResponse } from 'node:http';
import { type Answer, content, envelope, send } from '../answer.ts';
import type { Fault, FaultOf } from './schema.ts';

/** Ends the connection without an answer: by RST, which the peer reads as ECONNRESET, or by FIN, a plain end. */
export function breakOff(response: ServerResponse, by: 'reset' | 'fin'): void {
  const socket = response.socket;
  if (by === 'reset') socket?.resetAndDestroy();
  else socket?.end();
}

/**
 * Sends the answer as the fault breaks it.
 * @param date the time now, in milliseconds, to which `Retry-After` as a date adds.
 */
export function sendBroken(
  response: ServerResponse,
  fault: Fault,
  answer: Answer,
  date: number,
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
      sendHalf(response, answer, body, fault.by);
      break;
    case 'wrong-length':
      writeRaw(response, answer, Math.max(0, body.length + fault.by), body);
      break;
    case 'oversize':
      pour(response, answer, fault.bytes);
      break;
    case 'slow-body':
      trickle(response, answer, body, fault.bytesPerSecond);
      break;
    default:
      send(response, replacement(fault, answer, date, decoy));
  }
}

/** The answer to send instead; the same answer for faults that delay or that the operation has applied. */
function replacement(fault: Fault, answer: Answer, date: number, decoy: string): Answer {
  switch (fault.kind) {
    case 'status':
      return statusAnswer(fault);
    case 'throttle':
      return throttled(fault, date);
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

function statusAnswer(fault: FaultOf<'status'>): Answer {
  const content = fault.body ?? {
    code: fault.status * 100,
    data: {},
    message: `HTTP ${fault.status} on demand`,
  };
  if (typeof content === 'string') return { status: fault.status, headers: fault.headers, body: content };
  return envelope(fault.status, content as object, fault.headers);
}

function throttled(fault: FaultOf<'throttle'>, date: number): Answer {
  const headers: Record<string, string> = {};
  const seconds = fault.retryAfterSeconds;
  if (seconds !== undefined) {
    headers['retry-after'] =
      fault.retryAfterForm === 'date' ? new Date(date + seconds * 1000).toUTCString() : String(seconds);
  }
  return envelope(429, { code: 42900, data: {}, message: 'too many requests' }, headers);
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

/** Ends the connection in the middle of the body. */
function sendHalf(response: ServerResponse, answer: Answer, body: Buffer, by: 'reset' | 'fin'): void {
  writeRaw(response, answer, body.length, body.subarray(0, body.length >> 1), () => breakOff(response, by));
}

/** Sends this many bytes as fast as they are read: the true answer, then padding. */
function pour(response: ServerResponse, answer: Answer, bytes: number): void {
  const body = Buffer.from(answer.body).subarray(0, bytes);
  const padding = Buffer.alloc(64 * 1024, 0x20);
  let left = bytes - body.length;
  response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes });
  response.write(body);
  const pump = () => {
    while (left > 0) {
      const chunk = padding.subarray(0, Math.min(left, padding.length));
      left -= chunk.length;
      if (!response.write(chunk) && left > 0) {
        response.once('drain', pump);
        return;
      }
    }
    response.end();
  };
  pump();
}

function trickle(response: ServerResponse, answer: Answer, body: Buffer, bytesPerSecond: number): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
  response.flushHeaders();
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= body.length) response.end();
  }, 1000 / bytesPerSecond);
  response.once('close', () => clearInterval(timer));
}
