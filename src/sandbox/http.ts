/** What a call brings: its body and its query. And what it is answered: the envelope (contract, section 1) or a refusal (section 7). */
import type { ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import { writeJson } from '../service/contract/json.ts';
import type { FormFile } from './description/operations.ts';
import { jsonOrText } from './record.ts';

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

const form = 'multipart/form-data';

/** Reads a whole body, which is larger than any call of the contract. */
export const bodyReader = express.raw({ type: () => true, inflate: false, limit: 1024 * 1024 });
export const formReader = express.raw({ type: form, inflate: false, limit: 20 * 1024 * 1024 });

/** The refusal for an error of these readers; undefined for other errors. */
export function bodyRefusal({ type, limit, message }: Record<string, unknown>): Refusal | undefined {
  if (typeof type !== 'string') return undefined;
  return badField('body', type === 'entity.too.large' ? `must be at most ${limit} bytes` : String(message));
}

/** The text of a body that was read; empty without one. */
export function bodyText({ body }: Request): string {
  return body instanceof Buffer ? body.toString() : '';
}

/** The value of a body that was read. @throws {Refusal} 400 for another content type, or invalid JSON or form data. */
export async function readBody(request: Request, takesForm: boolean): Promise<unknown> {
  const type = request.headers['content-type'];
  if (takesForm && type?.startsWith(form)) return readForm(type, request.body);
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    throw badField('Content-Type', 'must be application/json');
  }
  try {
    return JSON.parse(bodyText(request));
  } catch {
    throw badField('body', 'is not JSON');
  }
}

async function readForm(contentType: string, body: Buffer | undefined): Promise<unknown> {
  const headers = { 'content-type': contentType };
  const parts = await new Response(new Uint8Array(body ?? []), { headers }).formData().catch(() => {
    throw badField('body', 'is not form data');
  });
  const fields: Record<string, unknown> = {};
  for (const [name, value] of parts) fields[name] = typeof value === 'string' ? value : await fileOf(value);
  return fields;
}

async function fileOf(file: File): Promise<FormFile> {
  return { name: file.name, contentType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}

const integers: readonly string[] = ['id', 'pageSize', 'pageNumber', 'createdFrom'];
const booleans: readonly string[] = ['valid', 'hasPhotoPermission'];

/** Reads the query of a target, with the types that the contract gives. A value of the wrong type stays text, and the schema refuses it by name. */
export function readQuery(target: string): Record<string, unknown> {
  const mark = target.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const query: Record<string, unknown> = {};
  for (const [name, text] of parameters) {
    if (name === 'usernames') query[name] = parameters.getAll(name);
    else if (integers.includes(name) && /^-?\d{1,16}$/.test(text)) query[name] = Number(text);
    else if (booleans.includes(name) && /^(true|false)$/.test(text)) query[name] = text === 'true';
    else query[name] = text;
  }
  return query;
}

/** The fields of a call: those of its body, else of its query. */
export function readFields(text: string, target: string): unknown {
  return text === '' ? readQuery(target) : jsonOrText(text);
}
