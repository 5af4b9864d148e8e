/** Reads a request to the API: query, JSON body, sheet. */
import type { Request } from 'express';
import { z } from 'zod';
import type { Operation } from '../../app/operations/operation.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { openUploadedSheet, type UploadedSheet } from '../../importers/open/uploaded-sheet.ts';
import { readBytes } from '../http/body.ts';
import { HttpProblem } from '../http/problem.ts';

/** Largest JSON body, in bytes. */
const mostJsonBytes = 256 * 1024;
const shownErrors = 20;

/** Media types of sheets. A form of another site can send none of them. */
export const sheetTypes = [
  'text/csv',
  'application/json',
  'application/x-ndjson',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
] as const;

export interface ApiRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly sheet: UploadedSheet | undefined;
  /** JSON text of the body; empty if there is none. */
  readonly text: string;
}

/** Parameter that names the file of a sheet. */
export const fileParameter = z.string().max(500).default('upload');

/** @throws {HttpProblem} `request_invalid`, `address_unreadable`, `body_unreadable`, `body_too_large`, `type_unsupported`. @throws {UseCaseError} `manifest_unreadable`. */
export async function readApiRequest(
  runtime: Runtime,
  operation: Operation,
  request: Request,
): Promise<ApiRequest> {
  const { searchParams, search } = new URL(request.originalUrl, 'http://console');
  requireDecodable(search);
  const { file, ...query } = readQuery(operation, searchParams);
  if (operation.takesSheet) {
    requireType(request, sheetTypes);
    // The connection stays open for the answer.
    const bytes = request.iterator({ destroyOnReturn: false });
    const sheet = await openUploadedSheet(runtime, String(file), bytes);
    return { query, body: undefined, sheet, text: sheet.digest };
  }
  const text = (await readBytes(request, mostJsonBytes)).toString();
  if (operation.body === undefined) {
    if (text !== '') throw new HttpProblem(400, 'body_unreadable', 'this operation takes no body');
    return { query, body: undefined, sheet: undefined, text };
  }
  requireType(request, ['application/json']);
  return {
    query,
    body: check('body', operation.body as z.ZodType<Record<string, unknown>>, parse(text)),
    sheet: undefined,
    text,
  };
}

/** Otherwise a text would be read with other characters than it was sent with. */
function requireDecodable(search: string): void {
  try {
    decodeURIComponent(search);
  } catch {
    throw new HttpProblem(400, 'address_unreadable', 'the percent-encoding of the address is broken', {
      fix: 'Encode each value as UTF-8, and write % itself as %25.',
    });
  }
}

function readQuery({ query, takesSheet }: Operation, given: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of given.keys()) {
    const all = given.getAll(name);
    values[name] = isList(query[name]) ? all : all.length === 1 ? all[0] : all;
  }
  return check('query', z.strictObject({ ...query, ...(takesSheet && { file: fileParameter }) }), values);
}

/** Whether a parameter may be given several times. */
export function isList(schema: z.ZodType | undefined): boolean {
  return (schema instanceof z.ZodOptional ? schema.unwrap() : schema) instanceof z.ZodArray;
}

function check<T>(place: 'query' | 'body', schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (!error) return data as T;
  const errors = error.issues.slice(0, shownErrors).map((issue) => ({
    in: place,
    field:
      issue.path.join('.').slice(0, 100) ||
      (issue.code === 'unrecognized_keys' ? issue.keys.join(', ').slice(0, 200) : ''),
    problem: issue.message.slice(0, 300),
  }));
  const names = errors.map(({ field }) => field).filter((field) => field !== '');
  const what = names.length > 0 ? `: ${names.join(', ')}` : '';
  throw new HttpProblem(422, 'request_invalid', `the ${place} is not valid for this operation${what}`, {
    fix: 'See `errors`, and the operation in /api/v1/openapi.json.',
    errors,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    throw new HttpProblem(400, 'body_unreadable', 'the body is not JSON');
  }
}

function requireType(request: Request, types: readonly string[]): void {
  const given = (request.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const hasBody =
    request.get('content-length') !== '0' &&
    (request.get('content-length') ?? request.get('transfer-encoding')) !== undefined;
  if (types.includes(given) || (!hasBody && given === '' && types.length === 1)) return;
  throw new HttpProblem(
    415,
    'type_unsupported',
    `the body is ${given === '' ? 'of no type' : `"${given.slice(0, 100)}"`}`,
    {
      fix: `Send it with Content-Type: ${types.join(', or ')}`,
    },
  );
}
