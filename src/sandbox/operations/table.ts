/** Every operation and its handler. The contract's own schemas check the requests. */
import type { z } from 'zod';
import { type Answer, badField } from '../answer.ts';
import {
  type ApiOperationId,
  apiOperationIds,
  apiOperations,
  asDocumented,
} from '../description/operations.ts';
import type { Surroundings } from '../parts.ts';
import { creatorHandlers } from './creators.ts';
import { fileHandlers } from './files.ts';
import { generationHandlers } from './generations.ts';
import type { CallFacts, Handlers } from './operation.ts';
import { postHandlers } from './posts.ts';
import { videoHandlers } from './videos.ts';

const handlers: Handlers = {
  ...creatorHandlers,
  ...fileHandlers,
  ...generationHandlers,
  ...postHandlers,
  ...videoHandlers,
};

/** The schemas of requests without the rules that a strict sandbox adds. */
const documented = new Map<ApiOperationId, z.ZodType>(
  apiOperationIds.map((operation) => [operation, asDocumented(apiOperations[operation].request)]),
);

/** @param input the parsed body of a POST or query of a GET. @throws {Refusal} 400 with the field, if the schema does not accept it. */
export function answerOperation(
  operation: ApiOperationId,
  input: unknown,
  call: CallFacts,
  surroundings: Surroundings,
): Answer | Promise<Answer> {
  const strict = apiOperations[operation].request;
  const schema = surroundings.strict ? strict : (documented.get(operation) ?? strict);
  const result = schema.safeParse(input);
  if (!result.success) throw refusalOf(result.error);
  return handlers[operation](result.data as never, call, surroundings);
}

function refusalOf({ issues: [issue] }: z.ZodError) {
  if (issue === undefined) return badField('body', 'is invalid');
  const unknownField = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknownField === undefined ? issue.path : [...issue.path, unknownField];
  return badField(fieldName(path), unknownField === undefined ? issue.message : 'there is no such field');
}

/** `socialShopPhoto.productLinks[0].title` */
function fieldName(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'body';
}
