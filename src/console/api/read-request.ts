/** Reads a request to the API: query, JSON body, sheet. One that is repeated with the same `Idempotency-Key` is carried out once, and gets the same answer. */

import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { z } from 'zod';
import type { Operation } from '../../app/operations/operation.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { openUploadedSheet, type UploadedSheet } from '../../importers/open/uploaded-sheet.ts';
import type { Claim, KeptAnswer } from '../../ledger/kept-answers.ts';
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

/** Printable ASCII. */
const keyForm = /^[\x21-\x7e]{1,255}$/;

export interface Keyed {
  readonly user: string;
  /** Method and path, with the parameters of the path filled in. */
  readonly route: string;
  readonly key: string;
  /** Query and body: they tell one request from another. */
  readonly asks: readonly string[];
}

/** Answers below 500 are kept; a failure frees the key. @throws {HttpProblem} `key_invalid`, `key_reused`, `key_in_use`. */
export async function onceFor(
  { ledger }: Pick<Runtime, 'ledger'>,
  { user, route, key, asks }: Keyed,
  carryOut: () => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  if (!keyForm.test(key)) {
    throw new HttpProblem(
      400,
      'key_invalid',
      'the Idempotency-Key must be 1 to 255 visible ASCII characters',
      {
        fix: 'Use a random UUID, a new one for each thing that you start.',
      },
    );
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(asks)).digest('base64url');
  const found = await ledger.keptAnswers.claim({ user, route, key, fingerprint });
  switch (found.kind) {
    case 'answered':
      return found.answer;
    case 'reused':
      throw new HttpProblem(422, 'key_reused', 'another request was sent with this Idempotency-Key', {
        fix: 'Use a new key for a new request. To repeat a request, send it unchanged.',
      });
    case 'running':
      throw new HttpProblem(
        409,
        'key_in_use',
        'the first request with this Idempotency-Key is still running',
        {
          fix: 'Send it again later. If the console was killed, its key is free after a minute.',
        },
      );
    case 'claimed':
      return carryOutWith(found.claim, carryOut);
  }
}

/** Identifies the request among all that were ever sent. */
export function digestOf({ user, route, key, asks }: Keyed): string {
  return createHash('sha256')
    .update(JSON.stringify([user, route, key, ...asks]))
    .digest('base64url');
}

async function carryOutWith(claim: Claim, carryOut: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
  let answer: KeptAnswer | undefined;
  try {
    answer = await carryOut();
    return answer;
  } finally {
    if (answer !== undefined && answer.status < 500) await claim.keep(answer);
    else await claim.release();
  }
}
