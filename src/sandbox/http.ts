/** What a call is answered: the envelope (contract, section 1) or a refusal (section 7). */
import type { ServerResponse } from 'node:http';
import { writeJson } from '../service/contract/json.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export function send(response: ServerResponse, answer: Answer): void {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
  response.end(body);
}

export function envelope(status: number, content: object, headers: Record<string, string> = {}): Answer {
  const json = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...json, ...headers }, body: writeJson(content) };
}

/** Success: HTTP 200, `code` 0. `timestamp` (milliseconds) only where the contract has it. */
export function success(data: unknown, timestamp?: number): Answer {
  return envelope(200, { code: 0, data, message: 'success', ...(timestamp !== undefined && { timestamp }) });
}

/** A business error: HTTP 200, and a `code` other than 0. */
export function businessError(code: number, message: string, timestamp?: number): Answer {
  return envelope(200, { code, data: {}, message, ...(timestamp !== undefined && { timestamp }) });
}

/** Something else than an envelope. */
export function content(contentType: string, body: string | Buffer): Answer {
  return { status: 200, headers: { 'content-type': contentType }, body };
}

/** A refusal by HTTP status. The envelope's code is the status times 100; the contract names none. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly answer: Answer;

  /** @param field the invalid field of the request, as a dotted path. */
  constructor(status: number, message: string, field?: string, headers: Record<string, string> = {}) {
    super(field === undefined ? message : `${field}: ${message}`);
    const data = field === undefined ? {} : { field };
    this.answer = envelope(status, { code: status * 100, data, message: this.message }, headers);
  }
}

/** HTTP 400 that names the field. */
export function badField(field: string, problem: string): Refusal {
  return new Refusal(400, problem, field);
}
