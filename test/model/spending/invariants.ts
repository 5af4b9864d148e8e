/** What must hold in every state, and at every event. */
import type { Event } from './events.ts';
import type { Call, World } from './world.ts';

export const invariants = {
  S1: 'what is counted are the generations that exist or may exist, as far as answers and people have told',
  S2: 'no generation begins beyond the limit without an allowance of its own',
  S3: 'a row does not ask for an allowance while it has one that is not used up',
} as const;

export type Invariant = keyof typeof invariants;

const stands = ({ told }: Call): boolean => told !== 'no';

/** @param limit of outputs. @returns the invariant that an event violates, or the state after it; undefined for none. */
export function violated({ rule }: Event, before: World, after: World, limit: number): Invariant | undefined {
  const { calls, outputs, allowed } = after;
  const standing = calls.filter(stands);
  if (outputs !== standing.length) return 'S1';
  // A generation that was begun because of an untrue decision has no allowance of its own.
  const begun = standing.filter(({ isReplaced }) => !isReplaced).length;
  if (rule === 'start' && calls.length > before.calls.length && begun > limit + allowed) return 'S2';
  const waits = after.row.place === 'unpaid' && before.row.place !== 'unpaid';
  return waits && limit === 0 && allowed > standing.length ? 'S3' : undefined;
}
