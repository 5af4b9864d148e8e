/**
 * Serves one call:
 * record it -> read its body -> check key and rate -> faults before the effect -> the effect -> faults after it -> answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint, Endpoints, Incoming } from './description/endpoints.ts';
import type { FaultRules } from './faults/rules.ts';
import type { Fault } from './faults/schema.ts';
import { type StrikeTools, strike } from './faults/strike.ts';
import { send } from './faults/wire.ts';
import { type Answer, Refusal } from './http/answer.ts';
import { readQuery } from './http/query.ts';
import { readBody } from './http/read-body.ts';
import type { CallRecord, OpenCall } from './record.ts';

interface Parts extends StrikeTools {
  readonly endpoints: Endpoints;
  readonly record: CallRecord;
  readonly rules: FaultRules;
  /** Pages and documents, answered without a record. */
  readonly documents: (method: string, path: string) => Answer | undefined;
}

const emptyBody = Buffer.alloc(0);
const ignoreBytes = () => {};

export class Service {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The listener of the HTTP server. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#serve(request, response).catch((error: unknown) => {
      // The caller has gone, or the sandbox is closing: nobody reads an answer.
      if (response.socket?.destroyed !== false || this.#parts.closing.aborted) {
        response.destroy();
        return;
      }
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      send(response, new Refusal(500, `defect of the sandbox: ${message}`).answer());
    });
  };

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/' } = request;
    const [path, search] = split(target);
    const { endpoints, documents, record, clock } = this.#parts;
    const endpoint = endpoints.find(method, path);
    const document = endpoint ? undefined : documents(method, path);
    if (document) return send(response, document);

    const withKey = request.headers['x-api-key'] !== undefined;
    const call = record.open(endpoint?.operation ?? 'unknown', method, target, clock.now(), withKey);
    const answer = await refusalsAsAnswers(async () => {
      if (!endpoint) throw this.#unknown(path);
      const body = endpoint.body ? await readBody(request, endpoint.body) : emptyBody;
      call.text = body.toString();
      endpoint.admit?.(request);
      return this.#carryOut(endpoint, { request, path, search, body }, response, call);
    });
    if (answer) {
      send(response, answer);
      call.status = answer.status;
    } else if (response.headersSent) {
      call.status = response.statusCode;
    }
    // Read and discard the rest of a refused upload, so that the caller gets to read the answer.
    if (!request.complete) request.resume();
  }

  /** @returns undefined when a fault has already ended the exchange. */
  async #carryOut(
    endpoint: Endpoint,
    incoming: Omit<Incoming, 'onBytes'>,
    response: ServerResponse,
    call: OpenCall,
  ): Promise<Answer | undefined> {
    const { rules, clock } = this.#parts;
    const { operation } = endpoint;
    const faults = rules.take(operation, {
      target: call.target,
      body: call.text,
      value: () => readFields(call.text, incoming.search),
    });
    const perform = async (onBytes: Incoming['onBytes'], at: number) => {
      return endpoint.perform({ ...incoming, onBytes }, { number: call.number, at, faults });
    };
    if (faults.length === 0) return perform(ignoreBytes, call.at);

    call.faults = faults.map((fault: Fault) => fault.kind);
    // Reads the time again, because a fault may have delayed the effect. A refusal is an answer, too, which faults may break.
    const performLate = async (onBytes: Incoming['onBytes']) => {
      return refusalsAsAnswers(() => perform(onBytes, clock.now()));
    };
    return strike(faults, operation, response, performLate, this.#parts);
  }

  #unknown(path: string): Refusal {
    return this.#parts.endpoints.isKnownPath(path)
      ? new Refusal(405, 'the operation has another method')
      : new Refusal(404, 'there is no operation at this path');
  }
}

async function refusalsAsAnswers<T>(work: () => Promise<T>): Promise<T | Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error.answer();
    throw error;
  }
}

/** The fields that an object match is compared with: those of the body, else of the query. */
function readFields(text: string, search: string): unknown {
  if (text === '') return readQuery(search);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function split(target: string): [path: string, search: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}
