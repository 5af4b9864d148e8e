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

/** `W`: a state. `E`: an event. */
export interface Model<W, E> {
  readonly first: W;
  readonly eventsOf: (world: W) => readonly E[];
  readonly after: (world: W, event: E) => W;
  /** Whether a state is not visited any more. */
  readonly isBeyond: (world: W) => boolean;
  /** Equal for equal states. */
  readonly keyOf: (world: W) => string;
  /** What an event violates, or the state after it, if that is new. */
  readonly violated: (at: {
    readonly before: W;
    readonly after: W;
    readonly event: E;
    readonly isNew: boolean;
  }) => string | undefined;
  readonly say: (event: E) => string;
}

export function visit<W, E>({
  first,
  eventsOf,
  after,
  isBeyond,
  keyOf,
  violated,
  say,
}: Model<W, E>): Explored {
  const seen = new Set([keyOf(first)]);
  /** How each state was reached first: from which state, by which event. */
  const parents: number[] = [-1];
  const events: (E | undefined)[] = [undefined];

  function traceTo(state: number): string[] {
    const lines: string[] = [];
    for (let at = state; at > 0; at = parents[at] ?? 0) lines.unshift(say(events[at] as E));
    return lines;
  }

  let frontier: [number, W][] = [[0, first]];
  while (frontier.length > 0) {
    const next: [number, W][] = [];
    for (const [state, before] of frontier) {
      for (const event of eventsOf(before)) {
        const reached = after(before, event);
        if (isBeyond(reached)) continue;
        const key = keyOf(reached);
        const isNew = !seen.has(key);
        const broken = violated({ before, after: reached, event, isNew });
        if (broken !== undefined)
          return { states: parents.length, violation: [broken, ...traceTo(state), say(event)] };
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

const all = Object.keys(invariants) as readonly Invariant[];

/** @param expected the invariants to check. */
export function explore(concern: Concern, expected: readonly Invariant[] = all): Explored {
  const has = (extra: Extra): boolean => concern.with.has(extra);
  return visit<World, Event>({
    first: firstWorld(concern),
    eventsOf: (world) => eventsOf(world, concern),
    after: (world, event) => after(world, concern, event),
    isBeyond: ({ rows }) => rows.some(({ revision }) => revision >= concern.revisions),
    keyOf,
    violated: ({ isNew, ...at }) => {
      const [name] = violated(expected, { ...at, has }, isNew);
      return name && `${name}: ${invariants[name]}`;
    },
    say,
  });
}
