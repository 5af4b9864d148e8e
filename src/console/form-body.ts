/** Reads the fields of a form that was sent, and its file. */
import type { Request, RequestHandler, Response } from 'express';
import { formText, readBytes } from './body.ts';
import type { Route, Upload } from './request.ts';

export interface FormBody {
  readonly fields: URLSearchParams;
  readonly upload: Upload | undefined;
}

/** Longest form without a file, in bytes: a page of selected rows, or an edited row. */
const maxFormBytes = 256 * 1024;

const text = formText(maxFormBytes);
const none: FormBody = { fields: new URLSearchParams(), upload: undefined };

/** @throws an error with `status` for a body that is too long or broken off; it answers 4xx. */
export async function readForm(
  route: Pick<Route, 'method' | 'maxUploadBytes'>,
  request: Request,
  response: Response,
): Promise<FormBody> {
  if (route.method !== 'post') return none;
  const type = request.get('content-type') ?? '';
  if (route.maxUploadBytes === undefined || !type.startsWith('multipart/form-data')) {
    await run(text, request, response);
    const body: unknown = request.body;
    return { ...none, fields: new URLSearchParams(typeof body === 'string' ? body : '') };
  }
  return readParts(await readBytes(request, route.maxUploadBytes), type);
}

async function readParts(body: Buffer, type: string): Promise<FormBody> {
  const fields = new URLSearchParams();
  let upload: Upload | undefined;
  for (const [name, value] of await formData(body, type)) {
    if (typeof value === 'string') fields.append(name, value);
    else upload ??= { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
  }
  return { fields, upload };
}

async function formData(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new globalThis.Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData();
  } catch (cause) {
    throw Object.assign(new Error('the form cannot be read', { cause }), { status: 400 });
  }
}

function run(parse: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(error as Error);
    });
  });
}
