/** Calls an operation by its name, and checks both the request and the answer against the contract. */
import type { z } from 'zod';
import {
  type OperationContract,
  type OperationId,
  operations,
  type RequestOf,
  type ResponseOf,
} from './contract/operations.ts';
import { InvalidRequestError, MalformedAnswerError } from './errors.ts';
import type { Transport } from './transport.ts';

export interface CallOptions {
  /** Gives up the call. Before its first byte nothing is sent; later the outcome is unknown. */
  readonly signal?: AbortSignal | undefined;
}

export class OperationCaller {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
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
    { signal }: CallOptions = {},
  ): Promise<ResponseOf<O>> {
    const contract: OperationContract = operations[operation];
    const checked = checkRequest(operation, contract.request, request);
    const { data } = await this.#transport.call({
      operation,
      method: contract.method,
      path: contract.path,
      ...(contract.method === 'GET' ? { query: queryOf(checked) } : { body: JSON.stringify(checked) }),
      signal,
    });
    return checkData(operation, contract.response, data) as ResponseOf<O>;
  }
}

function checkRequest(operation: OperationId, schema: z.ZodType, request: unknown): object {
  const result = schema.safeParse(request);
  if (result.success) return result.data as object;
  const issue = result.error.issues[0];
  const field = fieldOf(issue);
  throw new InvalidRequestError(`${operation} was not sent: ${field}: ${issue?.message}`, {
    operation,
    field,
  });
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
