/** What a rule of the model is. */
import type { Guard, Source } from './guards.ts';
import type { Concern, Extra, World } from './world.ts';

/** One event of a trace: a rule, and what it is about (a worker, a row, a call, a search, a post). */
export interface Event {
  readonly rule: string;
  readonly on: number;
  readonly what: number;
}

/** What a rule looks at. */
export interface At {
  readonly world: World;
  readonly concern: Concern;
  readonly has: (extra: Extra) => boolean;
  readonly on: (guard: Guard) => boolean;
}

export interface Rule {
  /** The line that it is; none for what the world does. */
  readonly source?: Source;
  /** What it may be about now: pairs of `on` and `what`. */
  readonly options: (at: At) => readonly (readonly [on: number, what?: number])[];
  /** Changes the world, which is a copy. */
  readonly apply: (at: At, on: number, what: number) => void;
  /** As a line of a trace. Rows, workers, calls and posts count from 1. */
  readonly says: (on: number, what: number) => string;
}

export type Rules = Readonly<Record<string, Rule>>;

export const lua = (file: string, line: string): Source => [`src/ledger/lua/${file}.lua`, line];

/** Numbers of the items that fit. */
export function indexes<T>(list: readonly T[], fits: (item: T, index: number) => boolean): [number][] {
  const found: [number][] = [];
  for (let index = 0; index < list.length; index += 1) {
    if (fits(list[index] as T, index)) found.push([index]);
  }
  return found;
}
