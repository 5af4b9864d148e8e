/** Carries out a call with its faults: those before the effect, the effect, those after it. The first that ends the exchange is the last. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, success } from '../answer.ts';
import type { SandboxOperation } from '../description/operations.ts';
import { Waiters } from '../record.ts';
import type { OnBytes } from '../storage.ts';
import type { Fault } from './schema.ts';
import { breakOff, sendBroken } from './wire.ts';

export interface StrikeTools {
  readonly holds: Holds;
  readonly now: () => number;
  /** Origin of the admin address: its decoy is the default target of a redirect. */
  readonly adminUrl: () => string;
  readonly closing: AbortSignal;
}

/** Calls that a `hold` fault keeps waiting until they are released. */
export class Holds {
  readonly #held = new Map<() => void, SandboxOperation>();
  readonly #waiters = new Waiters();

  /**
   * Holds a call; resolves when it is released or the sandbox closes. A caller that goes away changes nothing: a service
   * would not notice either, and the effect of the call comes late.
   */
  hold(operation: SandboxOperation, closing: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const letGo = () => {
      this.#held.delete(letGo);
      resolve();
    };
    this.#held.set(letGo, operation);
    closing.addEventListener('abort', letGo, { once: true });
    if (closing.aborted) letGo();
    this.#waiters.wake();
    return promise;
  }

  /** Releases the calls of one operation, or all. @returns how many. */
  release(operation?: SandboxOperation): number {
    const held = this.#of(operation);
    for (const letGo of held) letGo();
    return held.length;
  }

  count(operation?: SandboxOperation): number {
    return this.#of(operation).length;
  }

  /** Resolves when that many calls are held at once. */
  whenHeld(operation?: SandboxOperation, count = 1): Promise<void> {
    return this.#waiters.until(() => this.count(operation) >= count);
  }

  #of(operation?: SandboxOperation): (() => void)[] {
    const held = [...this.#held].filter(([, one]) => operation === undefined || one === operation);
    return held.map(([letGo]) => letGo);
  }
}

/** Kinds that change the content of an answer; the operations apply them. */
const contentKinds: ReadonlySet<Fault['kind']> = new Set([
  'presign-expired',
  'product-errors',
  'generation-outcome',
  'task-status',
  'empty-list',
  'cut-upload',
]);

/** A fault has cut an upload in the middle. */
class UploadCut extends Error {}

/**
 * @param perform carries out the effect; its argument watches an upload's bytes.
 * @returns the answer to send; undefined when a fault has already ended the exchange.
 * @throws {AbortError} when the sandbox closes meanwhile.
 */
export async function strike(
  faults: readonly Fault[],
  operation: SandboxOperation,
  response: ServerResponse,
  perform: (onBytes: OnBytes) => Promise<Answer>,
  tools: StrikeTools,
): Promise<Answer | undefined> {
  const early = faults.filter(isEarly);
  const late = faults.filter((fault) => !isEarly(fault) && !contentKinds.has(fault.kind));
  if (await strikeWith(early, success({}))) return undefined;
  try {
    const answer = await perform(uploadCutter(faults));
    return (await strikeWith(late, answer)) ? undefined : answer;
  } catch (error) {
    if (!(error instanceof UploadCut)) throw error;
    breakOff(response, faults.find((fault) => fault.kind === 'cut-upload')?.by ?? 'reset');
    return undefined;
  }

  /** @returns whether one of them has ended the exchange. */
  async function strikeWith(some: readonly Fault[], answer: Answer): Promise<boolean> {
    for (const fault of some) {
      if (await putOff(fault, operation, tools)) continue;
      sendBroken(response, fault, answer, tools.now(), `${tools.adminUrl()}/decoy`);
      return true;
    }
    return false;
  }
}

/** Waits, for a fault that only delays. @returns whether it does. Delays are in real time. */
async function putOff(fault: Fault, operation: SandboxOperation, tools: StrikeTools): Promise<boolean> {
  const { closing, holds } = tools;
  if (fault.kind === 'delay') await sleep(fault.ms, undefined, { signal: closing });
  else if (fault.kind === 'hold') await holds.hold(operation, closing);
  else return false;
  closing.throwIfAborted();
  return true;
}

/** Whether the fault strikes before the effect. */
function isEarly(fault: Fault): boolean {
  if ('when' in fault) return fault.when === 'before';
  return fault.kind === 'reset' || fault.kind === 'throttle';
}

function uploadCutter(faults: readonly Fault[]): OnBytes {
  const fault = faults.find((one) => one.kind === 'cut-upload');
  return (received) => {
    if (fault && received > fault.afterBytes) throw new UploadCut();
  };
}
