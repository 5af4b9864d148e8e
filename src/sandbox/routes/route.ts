/** Handlers of operations: their input and output. The contract's own schemas check the requests. */
import type { z } from 'zod';
import { type ApiOperationId, apiOperations, asDocumented } from '../description/operations.ts';
import type { Fault, FaultKind, FaultOf } from '../faults/schema.ts';
import { type Answer, badField } from '../http/answer.ts';
import type { Storage } from '../storage.ts';
import type { Store } from '../store/store.ts';

/** The parts of the sandbox that handlers use. */
export interface Surroundings {
  readonly store: Store;
  readonly storage: Storage;
  readonly speed: number;
  /** Refuses what the contract allows, though a client hardly means it. */
  readonly strict: boolean;
  /** Files that were given out and are not the result of a generation: what they are, by hash. */
  readonly wrongAssets: ReadonlyMap<string, string>;
  /** Origin of the sandbox, without a slash at the end. */
  readonly url: string;
  /** Most entries on a page, whatever the request says. */
  readonly maxPageSize: number;
  /** Whether a request for more is refused. */
  readonly refuseLargerPages: boolean;
  /** How long a presigned URL is valid, in milliseconds. */
  readonly presignLifetime: number;
  /** When each video was looked up first, in milliseconds. */
  readonly firstLooks: Map<string, number>;
}

/** The call that is being answered. */
export interface CallFacts {
  readonly number: number;
  /** Milliseconds. */
  readonly at: number;
  readonly faults: readonly Fault[];
}

export interface Route {
  readonly operation: ApiOperationId;
  /** @param input the parsed body of a POST or query of a GET. @throws {Refusal} 400 with the field. */
  answer(input: unknown, call: CallFacts, surroundings: Surroundings): Answer;
}

type RequestOf<O extends ApiOperationId> = z.output<(typeof apiOperations)[O]['request']>;

/** A route whose handler gets only requests that the schema of the contract accepts, with our own rules if the sandbox is strict. */
export function route<O extends ApiOperationId>(
  operation: O,
  handle: (request: RequestOf<O>, call: CallFacts, surroundings: Surroundings) => Answer,
): Route {
  const strict = apiOperations[operation].request as unknown as z.ZodType<RequestOf<O>>;
  const documented = asDocumented(strict);
  return {
    operation,
    answer: (input, call, surroundings) => {
      const schema = surroundings.strict ? strict : documented;
      return handle(read(schema, input), call, surroundings);
    },
  };
}

/** The content fault of this kind that strikes the call, if any. */
export function faultOf<Kind extends FaultKind>(call: CallFacts, kind: Kind): FaultOf<Kind> | undefined {
  return call.faults.find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw badField('body', 'is invalid');
  const unknownField = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknownField === undefined ? issue.path : [...issue.path, unknownField];
  throw badField(fieldName(path), unknownField === undefined ? issue.message : 'there is no such field');
}

/** `socialShopPhoto.productLinks[0].title` */
function fieldName(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'body';
}
