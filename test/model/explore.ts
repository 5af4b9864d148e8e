/** Visits every state of a model, in the order of the shortest traces, until an invariant is violated. */
import { after, eventsOf, say } from './events.ts';
import { type Invariant, invariants, violated } from './invariants.ts';
import type { Event } from './rule.ts';
import { type Concern, type Extra, firstWorld, type World } from './world.ts';
import { keyOf } from './world-key.ts';

export interface Explored {
  readonly states: number;
  /** The first violation: what is violated, then the shortest trace to it, one line an event. Empty for none. */
  readonly violation: readonly string[];
}

const all = Object.keys(invariants) as readonly Invariant[];

/** @param expected the invariants to check. */
export function explore(concern: Concern, expected: readonly Invariant[] = all): Explored {
  const first = firstWorld(concern);
  const has = (extra: Extra): boolean => concern.with.has(extra);
  const seen = new Set([keyOf(first)]);
  /** How each state was reached first: from which state, by which event. */
  const parents: number[] = [-1];
  const events: (Event | undefined)[] = [undefined];

  function traceTo(state: number): string[] {
    const lines: string[] = [];
    for (let at = state; at > 0; at = parents[at] ?? 0) lines.unshift(say(events[at] as Event));
    return lines;
  }

  let frontier: [number, World][] = [[0, first]];
  while (frontier.length > 0) {
    const next: [number, World][] = [];
    for (const [state, before] of frontier) {
      for (const event of eventsOf(before, concern)) {
        const reached = after(before, concern, event);
        if (reached.rows.some(({ revision }) => revision >= concern.revisions)) continue;
        const key = keyOf(reached);
        const isNew = !seen.has(key);
        const [name] = violated(expected, { before, after: reached, event, has }, isNew);
        if (name) {
          const violation = [`${name}: ${invariants[name]}`, ...traceTo(state), say(event)];
          return { states: parents.length, violation };
        }
        if (!isNew) continue;
        seen.add(key);
        next.push([parents.length, reached]);
        parents.push(state);
        events.push(event);
      }
    }
    frontier = next;
  }
  return { states: parents.length, violation: [] };
}
