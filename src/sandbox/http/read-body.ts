/** Reads the body of a call: JSON, or form data for the one operation that takes a file. */
import type { IncomingMessage } from 'node:http';
import { badField } from './answer.ts';

const maxBytes = 1024 * 1024;
const maxFormBytes = 20 * 1024 * 1024;

/** A file in form data. */
export interface FormFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** What the body of a call may be: JSON, or form data as well. */
export type BodyForm = 'json' | 'form';

/** Reads the whole body. @throws {Refusal} 400 when it is larger than any call of the contract. */
export async function readBody(request: IncomingMessage, form: BodyForm = 'json'): Promise<Buffer> {
  const limit = form === 'form' && isForm(request) ? maxFormBytes : maxBytes;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw badField('body', `must be at most ${limit} bytes`);
    chunks.push(chunk);
  }
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}

/** @throws {Refusal} 400 for another content type, or invalid JSON or form data. */
export async function parseBody(request: IncomingMessage, body: Buffer, form: BodyForm): Promise<unknown> {
  if (form === 'form' && isForm(request)) return readForm(request, body);
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    throw badField('Content-Type', 'must be application/json');
  }
  try {
    return JSON.parse(body.toString());
  } catch {
    throw badField('body', 'is not JSON');
  }
}

function isForm(request: IncomingMessage): boolean {
  return request.headers['content-type']?.startsWith('multipart/form-data') ?? false;
}

async function readForm(request: IncomingMessage, body: Buffer): Promise<unknown> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw badField('body', 'is not form data');
  });
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    fields[name] = typeof value === 'string' ? value : await readFile(value);
  }
  return fields;
}

async function readFile(file: File): Promise<FormFile> {
  return { name: file.name, contentType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}
