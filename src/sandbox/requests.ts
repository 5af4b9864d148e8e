/** What a call brings: its body and its query. Apart from the answers: the package shows their types, and has none of Express. */
import express, { type Request } from 'express';
import type { FormFile } from './description/operations.ts';
import { badField, type Refusal } from './http.ts';
import { jsonOrText } from './record.ts';

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
