/**
 * Serves the calls:
 * record -> body -> key and rate -> faults before the effect -> the effect -> faults after it -> answer.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { ApiKeys, RateLimits } from './admission.ts';
import { type Answer, content, Refusal, send } from './answer.ts';
import { bodyReader, bodyRefusal, formReader, readBody, readFields, readQuery } from './body.ts';
import { describeApi } from './description/openapi.ts';
import {
  type ApiOperationId,
  apiOperationIds,
  apiOperations,
  type SandboxOperation,
} from './description/operations.ts';
import { frontPage } from './description/page.ts';
import { download } from './downloads.ts';
import type { FaultRules } from './faults/rules.ts';
import { type StrikeTools, strike } from './faults/strike.ts';
import type { CallFacts, Surroundings } from './operations/operation.ts';
import { answerOperation } from './operations/table.ts';
import type { Call, CallRecord, OpenCall } from './record.ts';
import type { OnBytes } from './storage.ts';

interface Parts extends StrikeTools {
  readonly surroundings: Surroundings;
  readonly keys: ApiKeys;
  readonly rates: RateLimits;
  readonly record: CallRecord;
  readonly rules: FaultRules;
}

/** Carries out a call. @param onBytes is to be called as an upload's bytes arrive. @throws {Refusal} */
type Perform = (request: Request, call: CallFacts, onBytes: OnBytes) => Answer | Promise<Answer>;

export class Service {
  /** The listener of the HTTP server. */
  readonly app = express().disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { surroundings, adminUrl } = parts;
    for (const operation of apiOperationIds) this.#route(operation);
    this.app.put(
      /^\/storage\//,
      this.#open('putFile'),
      this.#answer('putFile', (request, _call, onBytes) => surroundings.storage.receive(request, onBytes)),
    );
    this.app.get(
      /^\/(?:files|assets)\//,
      this.#open('getAsset'),
      this.#answer('getAsset', ({ path }, { at }) => download(path, at, surroundings)),
    );
    this.app.get('/openapi.json', (_request, response) => {
      const description = describeApi(surroundings.url, surroundings.strict);
      send(response, content('application/json', JSON.stringify(description, null, 2)));
    });
    this.app.get('/', (_request, response) => {
      send(response, content('text/html; charset=utf-8', frontPage(surroundings.url, adminUrl())));
    });
    this.app.use(this.#open('unknown'), () => {
      throw new Refusal(404, 'there is no operation at this path');
    });
    this.app.use(this.#fail);
  }

  #route(operation: ApiOperationId): void {
    const { surroundings, keys, rates, now } = this.#parts;
    const { method, path, ...contract } = apiOperations[operation];
    const takesForm = 'takesForm' in contract;
    const admit: RequestHandler = ({ headers, body }, response, next) => {
      if (body instanceof Buffer) callOf(response).text = body.toString();
      keys.check(headers['x-api-key'], operation);
      rates.take(operation, now());
      next();
    };
    const answer = this.#answer(operation, async (request, call) => {
      const input = method === 'POST' ? await readBody(request, takesForm) : readQuery(request.url);
      return answerOperation(operation, input, call, surroundings);
    });
    const readers = method === 'POST' ? [...(takesForm ? [formReader] : []), bodyReader] : [];
    const route = this.app.route(path);
    route[method === 'POST' ? 'post' : 'get'](this.#open(operation), ...readers, admit, answer);
    route.all(this.#open('unknown'), () => {
      throw new Refusal(405, 'the operation has another method');
    });
  }

  #open(operation: Call['operation']): RequestHandler {
    const { record, now } = this.#parts;
    return ({ method, originalUrl: target, headers }, response, next) => {
      const withKey = headers['x-api-key'] !== undefined;
      response.locals.call = record.open({ operation, method, target, at: now(), withKey });
      next();
    };
  }

  #answer(operation: SandboxOperation, perform: Perform): RequestHandler {
    const { rules, now } = this.#parts;
    return async (request, response) => {
      const call = callOf(response);
      const { number, at, target, text } = call;
      const faults = rules.take(operation, { target, body: text, value: () => readFields(text, target) });
      if (faults.length === 0) {
        finish(request, response, await perform(request, { number, at, faults }, () => {}));
        return;
      }
      call.faults = faults.map(({ kind }) => kind);
      // Reads the time again, because a fault may have delayed the effect. A refusal is an answer, too, which faults may break.
      const performLate = async (onBytes: OnBytes) => {
        try {
          return await perform(request, { number, at: now(), faults }, onBytes);
        } catch (error) {
          if (error instanceof Refusal) return error.answer();
          throw error;
        }
      };
      finish(request, response, await strike(faults, operation, response, performLate, this.#parts));
    };
  }

  readonly #fail: ErrorRequestHandler = (error, request, response, _next) => {
    // The caller has gone, or the sandbox is closing: nobody reads an answer.
    if (response.socket?.destroyed !== false || this.#parts.closing.aborted) {
      response.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : bodyRefusal(error);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const failure = refusal ?? new Refusal(500, `defect of the sandbox: ${message}`);
    finish(request, response, failure.answer());
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
