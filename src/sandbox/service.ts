/**
 * One call from its first byte to its answer:
 * record it -> take its body -> check key and rate -> faults before the effect -> the effect -> faults after it -> answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Refusal, success } from './answer.ts';
import type { Clock } from './clock.ts';
import type { Endpoint, Endpoints, Incoming } from './endpoints.ts';
import type { Holds } from './faults/holds.ts';
import type { FaultRules } from './faults/rules.ts';
import type { Fault } from './faults/schema.ts';
import { breakOff, send, sendBroken } from './faults/wire.ts';
import { readQuery } from './query.ts';
import { readBody } from './read-body.ts';
import type { CallRecord, OpenCall } from './record.ts';

interface Parts {
  readonly endpoints: Endpoints;
  readonly record: CallRecord;
  readonly rules: FaultRules;
  readonly holds: Holds;
  readonly clock: Clock;
  /** Pages and documents that are no operations: answered without a record. */
  readonly documents: (method: string, path: string) => Answer | undefined;
  /** Where a redirect leads to by default. */
  readonly decoy: () => string;
  readonly closing: AbortSignal;
}

/** An upload that a fault has cut in the middle. */
class UploadCut extends Error {}

const emptyBody = Buffer.alloc(0);
/** Kinds that change what an operation answers; the operation itself sees to them. */
const contentKinds: ReadonlySet<string> = new Set([
  'presign-expired',
  'product-errors',
  'generation-outcome',
  'task-status',
  'empty-list',
  'cut-upload',
]);

export class Service {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The listener of the HTTP server. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#serve(request, response).catch((error: unknown) => {
      // A caller that went away, or an end of the sandbox: there is nobody to answer.
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
    const endpoint = this.#parts.endpoints.find(method, path);
    const document = endpoint ? undefined : this.#parts.documents(method, path);
    if (document) return send(response, document);

    const withKey = request.headers['x-api-key'] !== undefined;
    const now = this.#parts.clock.now();
    const call = this.#parts.record.open(endpoint?.operation ?? 'unknown', method, target, now, withKey);
    const body = await this.#takeBody(request, call, endpoint);
    if (body instanceof Refusal) return this.#finish(request, response, call, body.answer());
    if (!endpoint) return this.#finish(request, response, call, this.#unknown(path).answer());
    const incoming = { request, path, search, body, onBytes: () => {} };
    await this.#answer(endpoint, incoming, response, call);
  }

  async #takeBody(request: IncomingMessage, call: OpenCall, endpoint?: Endpoint): Promise<Buffer | Refusal> {
    if (!endpoint?.takesBody) return emptyBody;
    try {
      const body = await readBody(request);
      call.text = body.toString();
      return body;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  async #answer(
    endpoint: Endpoint,
    incoming: Incoming,
    response: ServerResponse,
    call: OpenCall,
  ): Promise<void> {
    const refusal = attempt(() => endpoint.admit(incoming.request));
    if (refusal) return this.#finish(incoming.request, response, call, refusal.answer());

    const faults = this.#parts.rules.take(endpoint.operation, {
      target: call.target,
      body: call.text,
      value: () => readValue(call.text, incoming.search),
    });
    if (faults.length === 0) {
      const answer = await this.#perform(endpoint, incoming, call, faults);
      return this.#finish(incoming.request, response, call, answer);
    }
    call.faults = faults.map((fault) => fault.kind);
    await this.#answerFaulty(endpoint, incoming, response, call, faults);
  }

  /** The same with faults: the first that ends the exchange is the last thing that happens. */
  async #answerFaulty(
    endpoint: Endpoint,
    incoming: Incoming,
    response: ServerResponse,
    call: OpenCall,
    faults: readonly Fault[],
  ): Promise<void> {
    const early = faults.filter((fault) => isEarly(fault));
    for (const fault of early) {
      if (!(await this.#putOff(fault, endpoint))) return this.#break(response, call, fault, success({}));
    }
    const late = faults.filter((fault) => !isEarly(fault) && !contentKinds.has(fault.kind));
    let answer: Answer;
    try {
      const watched = { ...incoming, onBytes: uploadCutter(faults) };
      answer = await this.#perform(endpoint, watched, call, faults);
    } catch (error) {
      if (!(error instanceof UploadCut)) throw error;
      const cut = faults.find((fault) => fault.kind === 'cut-upload');
      return breakOff(response, cut?.by ?? 'reset');
    }
    for (const fault of late) {
      if (!(await this.#putOff(fault, endpoint))) return this.#break(response, call, fault, answer);
    }
    this.#finish(incoming.request, response, call, answer);
  }

  async #perform(
    endpoint: Endpoint,
    incoming: Incoming,
    call: OpenCall,
    faults: readonly Fault[],
  ): Promise<Answer> {
    const facts = {
      number: call.number,
      at: faults.length === 0 ? call.at : this.#parts.clock.now(),
      faults,
    };
    try {
      return await endpoint.perform(incoming, facts);
    } catch (error) {
      if (error instanceof Refusal) return error.answer();
      throw error;
    }
  }

  /** Waits where the fault is one that only waits; answers whether it was. */
  async #putOff(fault: Fault, endpoint: Endpoint): Promise<boolean> {
    const { closing, holds } = this.#parts;
    if (fault.kind === 'delay') await sleep(fault.ms, undefined, { signal: closing });
    else if (fault.kind === 'hold') await holds.hold(endpoint.operation, closing);
    else return false;
    closing.throwIfAborted();
    return true;
  }

  #break(response: ServerResponse, call: OpenCall, fault: Fault, answer: Answer): void {
    sendBroken(response, fault, answer, this.#parts.clock.now(), this.#parts.decoy());
    if (response.headersSent) call.status = response.statusCode;
  }

  #finish(request: IncomingMessage, response: ServerResponse, call: OpenCall, answer: Answer): void {
    send(response, answer);
    call.status = answer.status;
    // What is left of a refused upload is read and thrown away, so that the caller gets to read the answer.
    if (!request.complete) request.resume();
  }

  #unknown(path: string): Refusal {
    return this.#parts.endpoints.isKnownPath(path)
      ? new Refusal(405, 'the operation has another method')
      : new Refusal(404, 'there is no such operation');
  }
}

/** Whether the fault strikes before the effect. */
function isEarly(fault: Fault): boolean {
  if ('when' in fault) return fault.when === 'before';
  return fault.kind === 'reset' || fault.kind === 'throttle';
}

function uploadCutter(faults: readonly Fault[]): (received: number) => void {
  const fault = faults.find((one) => one.kind === 'cut-upload');
  return (received) => {
    if (fault && received > fault.afterBytes) throw new UploadCut();
  };
}

function attempt(work: () => void): Refusal | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function readValue(text: string, search: string): unknown {
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
