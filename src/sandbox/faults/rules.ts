/** Decides which faults strike a call: in the order of their addition, by count, skip, probability and match. */
import type { SandboxOperation } from '../description/operations.ts';
import { type Fault, type FaultInput, faultSchema } from './schema.ts';

export interface Matchable {
  /** Path and query. */
  readonly target: string;
  readonly body: string;
  /** The parsed body or query; used by object matches only. */
  value(): unknown;
}

export interface FaultState {
  readonly id: number;
  readonly fault: Fault;
  /** How many calls it has met, including those that it let pass, and how many it has struck. */
  readonly met: number;
  readonly struck: number;
}

interface Rule extends FaultState {
  readonly limit: number;
  readonly random: () => number;
  met: number;
  struck: number;
}

/** Kinds that only delay, so that a later rule may strike the same call, too. */
const passing: ReadonlySet<string> = new Set(['delay', 'hold']);
/** Operations that `*` does not cover. */
const isolated: ReadonlySet<string> = new Set(['putFile', 'getAsset']);

export class FaultRules {
  #rules: Rule[] = [];
  #nextId = 1;

  /** Adds a fault. @returns its number. @throws {z.ZodError} for an invalid one. */
  add(input: FaultInput): number {
    const fault = faultSchema.parse(input);
    const times = fault.times ?? (fault.probability === undefined ? 1 : 'always');
    const id = this.#nextId++;
    const limit = times === 'always' ? Number.POSITIVE_INFINITY : times;
    this.#rules.push({ id, fault, limit, random: mulberry(fault.seed), met: 0, struck: 0 });
    return id;
  }

  clear(id?: number): void {
    this.#rules = this.#rules.filter((rule) => id !== undefined && rule.id !== id);
  }

  list(): FaultState[] {
    return this.#rules.map(({ id, fault, met, struck }) => ({ id, fault, met, struck }));
  }

  /** The faults that strike this call: any number of delays and holds, then at most one other. */
  take(operation: SandboxOperation, call: Matchable): readonly Fault[] {
    const taken: Fault[] = [];
    for (const rule of this.#rules) {
      if (rule.struck >= rule.limit || !concerns(rule.fault, operation, call)) continue;
      rule.met += 1;
      if (rule.met <= rule.fault.skip) continue;
      if (rule.fault.probability !== undefined && rule.random() >= rule.fault.probability) continue;
      rule.struck += 1;
      taken.push(rule.fault);
      if (!passing.has(rule.fault.kind)) break;
    }
    return taken;
  }
}

function concerns(fault: Fault, operation: SandboxOperation, call: Matchable): boolean {
  if (fault.operation === '*' ? isolated.has(operation) : fault.operation !== operation) return false;
  if (fault.match === undefined) return true;
  if (typeof fault.match === 'string') {
    return call.body.includes(fault.match) || call.target.includes(fault.match);
  }
  return contains(call.value(), fault.match);
}

/** Whether the value has every field of the pattern. A number equals its text; lists compare as sets. */
function contains(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) {
    return Array.isArray(value) && pattern.every((wanted) => value.some((item) => contains(item, wanted)));
  }
  if (typeof pattern === 'object' && pattern !== null) {
    if (typeof value !== 'object' || value === null) return false;
    const fields = value as Record<string, unknown>;
    return Object.entries(pattern).every(([name, wanted]) => contains(fields[name], wanted));
  }
  if (Array.isArray(value)) return value.some((item) => contains(item, pattern));
  return String(value) === String(pattern);
}

/** Mulberry32, a small seeded generator: a run with probabilities can be repeated. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
