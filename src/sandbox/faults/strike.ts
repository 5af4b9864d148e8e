/** Carries out a call with its faults: those before the effect, the effect, those after it. The first that ends the exchange is the last. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, success } from '../answer.ts';
import type { SandboxOperation } from '../description/operations.ts';
import { Waiters } from '../record.ts';
import { UploadCut } from '../storage.ts';
import type { Fault } from './schema.ts';
import { breakOff, sendBroken } from './wire.ts';

interface Tools {
  readonly holds: Holds;
  readonly clock: { now(): number };
  /** The decoy of the admin address is the default target of a redirect. */
  readonly addresses: { readonly adminUrl: string };
  readonly closing: AbortController;
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

/**
 * @param perform carries out the effect.
 * @returns the answer to send; undefined when a fault has already ended the exchange.
 * @throws {AbortError} when the sandbox closes meanwhile.
 */
export async function strike(
  faults: readonly Fault[],
  operation: SandboxOperation,
  response: ServerResponse,
  perform: () => Promise<Answer>,
  tools: Tools,
): Promise<Answer | undefined> {
  if (await strikeAt('before', success({}))) return undefined;
  try {
    const answer = await perform();
    return (await strikeAt('after', answer)) ? undefined : answer;
  } catch (error) {
    if (!(error instanceof UploadCut)) throw error;
    breakOff(response, error.by);
    return undefined;
  }

  /** @returns whether a fault has ended the exchange. */
  async function strikeAt(phase: 'before' | 'after', answer: Answer): Promise<boolean> {
    for (const fault of faults.filter((one) => phaseOf(one) === phase)) {
      if (await putOff(fault, operation, tools)) continue;
      sendBroken(response, fault, answer, tools.clock.now(), `${tools.addresses.adminUrl}/decoy`);
      return true;
    }
    return false;
  }
}

/** Whether the fault strikes before the effect or after it; undefined for one that the operation itself applies. */
function phaseOf(fault: Fault): 'before' | 'after' | undefined {
  if ('when' in fault) return fault.when;
  if (fault.kind === 'reset' || fault.kind === 'throttle') return 'before';
  return fault.kind === 'lost-answer' ? 'after' : undefined;
}

/** Waits, for a fault that only delays. @returns whether it does. Delays are in real time. */
async function putOff(fault: Fault, operation: SandboxOperation, tools: Tools): Promise<boolean> {
  const { holds } = tools;
  const closing = tools.closing.signal;
  if (fault.kind === 'delay') await sleep(fault.ms, undefined, { signal: closing });
  else if (fault.kind === 'hold') await holds.hold(operation, closing);
  else return false;
  closing.throwIfAborted();
  return true;
}
