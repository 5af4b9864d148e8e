/**
 * Serves the calls:
 * record -> body -> key and rate -> faults before the effect -> the effect -> faults after it -> answer.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { describeApi, frontPage } from './description/openapi.ts';
import {
  type ApiOperationId,
  apiOperationIds,
  apiOperations,
  asDocumented,
  type SandboxOperation,
} from './description/operations.ts';
import { download } from './downloads.ts';
import { strike } from './faults/strike.ts';
import { type Answer, badField, content, Refusal, send } from './http.ts';
import { creatorHandlers } from './operations/creators.ts';
import { fileHandlers } from './operations/files.ts';
import { generationHandlers } from './operations/generations.ts';
import type { CallFacts, Handlers } from './operations/operation.ts';
import { postHandlers } from './operations/posts.ts';
import { videoHandlers } from './operations/videos.ts';
import type { Parts } from './parts.ts';
import type { Call, OpenCall } from './record.ts';
import {
  bodyReader,
  bodyRefusal,
  bodyText,
  formReader,
  readBody,
  readFields,
  readQuery,
} from './requests.ts';

/** Carries out a call. @throws {Refusal} */
type Perform = (request: Request, call: CallFacts) => Answer | Promise<Answer>;

export class Service {
  /** The listener of the HTTP server. */
  readonly app = express().disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const operation of apiOperationIds) this.#route(operation);
    const receive: Perform = (request, { faults }) => parts.storage.receive(request, faults);
    const give: Perform = ({ path }, { at }) => download(path, at, parts);
    this.app.put(/^\/storage\//, this.#open('putFile'), this.#answer('putFile', receive));
    this.app.get(/^\/(?:files|assets)\//, this.#open('getAsset'), this.#answer('getAsset', give));
    this.app.get('/openapi.json', (_request, response) => {
      const description = describeApi(parts.url, parts.strict);
      send(response, content('application/json', JSON.stringify(description, null, 2)));
    });
    this.app.get('/', (_request, response) => {
      send(response, content('text/html; charset=utf-8', frontPage(parts.url, parts.adminUrl)));
    });
    this.app.use(this.#open('unknown'), () => {
      throw new Refusal(404, 'there is no operation at this path');
    });
    this.app.use(this.#fail);
  }

  #route(operation: ApiOperationId): void {
    const { keys, rates, clock } = this.#parts;
    const { method, path, ...contract } = apiOperations[operation];
    const takesForm = 'takesForm' in contract;
    const admit: RequestHandler = (request, response, next) => {
      callOf(response).text = bodyText(request);
      keys.check(request.headers['x-api-key'], operation);
      rates.take(operation, clock.now());
      next();
    };
    const answer = this.#answer(operation, async (request, call) => {
      const input = method === 'POST' ? await readBody(request, takesForm) : readQuery(request.url);
      return answerOperation(operation, input, call, this.#parts);
    });
    const route = this.app.route(path);
    if (method === 'GET') route.get(this.#open(operation), admit, answer);
    else route.post(this.#open(operation), takesForm ? formReader : [], bodyReader, admit, answer);
    route.all(this.#open('unknown'), () => {
      throw new Refusal(405, 'the operation has another method');
    });
  }

  #open(operation: Call['operation']): RequestHandler {
    const { record, clock } = this.#parts;
    return (request, response, next) => {
      response.locals.call = record.open(operation, request, clock.now());
      next();
    };
  }

  #answer(operation: SandboxOperation, perform: Perform): RequestHandler {
    const { rules, clock } = this.#parts;
    return async (request, response) => {
      const call = callOf(response);
      const { target, text: body } = call;
      const faults = rules.take(operation, { target, body, value: () => readFields(body, target) });
      call.faults = faults;
      // Reads the time again, because a fault may have delayed the effect. A refusal is an answer, too, which faults may break.
      const performLate = async () => {
        try {
          return await perform(request, { ...call, at: clock.now() });
        } catch (error) {
          if (error instanceof Refusal) return error.answer;
          throw error;
        }
      };
      finish(request, response, await strike(faults, operation, response, performLate, this.#parts));
    };
  }

  readonly #fail: ErrorRequestHandler = (error, request, response, _next) => {
    // The caller has gone, or the sandbox is closing: nobody reads an answer.
    if (response.socket?.destroyed !== false || this.#parts.closing.signal.aborted) {
      response.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : bodyRefusal(error);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const failure = refusal ?? new Refusal(500, `defect of the sandbox: ${message}`);
    finish(request, response, failure.answer);
  };
}

function callOf(response: Response): OpenCall {
  return response.locals.call;
}

/** @param answer undefined when a fault has already ended the exchange. */
function finish(request: Request, response: Response, answer: Answer | undefined): void {
  if (answer) send(response, answer);
  if (answer || response.headersSent) callOf(response).status = response.statusCode;
  // Read and discard the rest of a refused upload, so that the caller gets to read the answer.
  if (!request.complete) request.resume();
}

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
function answerOperation(
  operation: ApiOperationId,
  input: unknown,
  call: CallFacts,
  parts: Parts,
): Answer | Promise<Answer> {
  const strict = apiOperations[operation].request;
  const schema = parts.strict ? strict : (documented.get(operation) ?? strict);
  const result = schema.safeParse(input);
  if (!result.success) throw refusalOf(result.error);
  return handlers[operation](result.data as never, call, parts);
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
