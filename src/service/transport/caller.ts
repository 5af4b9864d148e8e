/** Calls an operation by its name, and checks both the request and the answer against the contract. */
import type { z } from 'zod';
import { writeJson } from '../contract/json.ts';
import {
  type OperationContract,
  type OperationId,
  operations,
  type RequestOf,
  type ResponseOf,
} from '../contract/operations.ts';
import { InvalidRequestError, MalformedAnswerError } from '../errors.ts';
import type { Answered, Transport } from './transport.ts';

export interface CallOptions {
  /** Gives up the call. Before its first byte nothing is sent; later the outcome is unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Asked right before the first byte leaves. If so, nothing is sent (`TooLateError`). */
  readonly isTooLate?: (() => boolean) | undefined;
}

/** Entries of a list that lack what the runner needs of them. */
export interface SkippedEntries {
  readonly operation: string;
  readonly skipped: number;
  readonly sent: number;
}

/** A list, how many entries the service sent of it, and the size of its answer. */
export type Listed<T> = T & { readonly sent: number; readonly bytes: number };

type ListOperation = {
  [O in OperationId]: (typeof operations)[O] extends { readonly entries: string } ? O : never;
}[OperationId];

export class OperationCaller {
  readonly #transport: Transport;
  readonly #skipped: (found: SkippedEntries) => void;

  /** @param skipped called for every page with unusable entries. */
  constructor(transport: Transport, skipped: (found: SkippedEntries) => void) {
    this.#transport = transport;
    this.#skipped = skipped;
  }

  /**
   * Calls a documented operation (contract, section 4).
   * @returns the envelope's `data`.
   * @throws {InvalidRequestError} when the request breaks a rule of the contract; nothing was sent.
   * @throws {ApiError} for everything else that is no success, one class per meaning.
   */
  async call<O extends OperationId>(
    operation: O,
    request: RequestOf<O>,
    options: CallOptions = {},
  ): Promise<ResponseOf<O>> {
    const { envelope } = await this.#fetch(operation, request, options);
    return checkData(operation, operations[operation].response, envelope.data) as ResponseOf<O>;
  }

  /** Calls an operation that answers with a list, and counts its entries. @throws as `call`. */
  async callList<O extends ListOperation>(
    operation: O,
    request: RequestOf<O>,
    options: CallOptions = {},
  ): Promise<Listed<ResponseOf<O>>> {
    const { response, entries } = operations[operation] as OperationContract;
    const { envelope, bytes } = await this.#fetch(operation, request, options);
    const kept = checkData(operation, response, envelope.data) as ResponseOf<O>;
    const sent = countOf(envelope.data, entries);
    const skipped = sent - countOf(kept, entries);
    if (skipped > 0) this.#skipped({ operation, skipped, sent });
    return { ...kept, sent, bytes };
  }

  async #fetch(
    operation: OperationId,
    request: object,
    { signal, isTooLate }: CallOptions,
  ): Promise<Answered> {
    const { method, path, once, request: schema }: OperationContract = operations[operation];
    const checked = checkRequest(operation, schema, request);
    const sent = method === 'GET' ? { query: queryOf(checked) } : { body: writeJson(checked) };
    return this.#transport.call({ operation, method, path, ...sent, signal, isTooLate, once });
  }
}

function countOf(data: unknown, field: OperationContract['entries']): number {
  const list = field === undefined ? undefined : (data as Readonly<Record<string, unknown>>)[field];
  return Array.isArray(list) ? list.length : 0;
}

function checkRequest(operation: OperationId, schema: z.ZodType, request: unknown): object {
  const result = schema.safeParse(request);
  if (result.success) return result.data as object;
  const issue = result.error.issues[0];
  const field = fieldOf(issue);
  const message = `${operation} was not sent: ${field}: ${issue?.message}`;
  throw new InvalidRequestError(message, { operation, field });
}

function checkData(operation: OperationId, schema: z.ZodType, data: unknown): unknown {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new MalformedAnswerError(
    `${operation}: the answer has no usable data.${fieldOf(issue)}: ${issue?.message}`.replace(
      'data.:',
      'data:',
    ),
    { operation, status: 200, serviceCode: 0 },
  );
}

function fieldOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return [...issue.path, issue.keys[0]].join('.');
  return issue?.path.join('.') ?? '';
}

/** A list repeats its parameter; undefined fields are left out. */
function queryOf(request: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) query.append(name, String(item));
    }
  }
  return query;
}
