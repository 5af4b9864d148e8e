import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../fuzz/random.ts';
import { testLedger } from '../../support/ledger.ts';
import { seededRandom } from '../../support/random.ts';
import { visit } from '../explore.ts';
import { after, type Concern, eventsOf } from './events.ts';
import { type Guard, guards } from './guards.ts';
import { type Invariant, invariants, violated } from './invariants.ts';
import { Replay } from './replay.ts';
import { firstWorld, type World } from './world.ts';

/** Revisions of the row. */
const revisions = 4;

/** Every generation needs an allowance; the first one does not. */
const concerns = {
  none: { limit: 0, calls: 2, without: new Set() },
  one: { limit: 1, calls: 2, without: new Set() },
} as const satisfies Record<string, Concern>;

/** Equal for equal worlds. Workers are told apart by nothing but what they do. */
function keyOf({ workers, ...world }: World): string {
  const places = workers.map((worker) => JSON.stringify(worker)).sort();
  return JSON.stringify([world, places]);
}

function explore(concern: Concern) {
  return visit({
    first: firstWorld,
    eventsOf: (world) => eventsOf(world, concern),
    after: (world, event) => after(world, concern, event),
    isBeyond: ({ row }) => row.revision >= revisions,
    keyOf,
    violated: ({ before, after, event }) => {
      const name = violated(event, before, after, concern.limit);
      return name && `${name}: ${invariants[name]}`;
    },
    say: ({ rule, which }) => `${rule} ${which + 1}`,
  });
}

describe('AI outputs', () => {
  it.each(Object.keys(concerns) as (keyof typeof concerns)[])('are counted and allowed: limit %s', (name) => {
    const { states, violation } = explore(concerns[name]);
    expect(violation.join('\n')).toBe('');
    expect(states).toBeGreaterThan(10_000);
  });
});

/** What each rule prevents. */
const prevented: Readonly<Record<Guard, Invariant>> = {
  'used up': 'S2',
  'counted once': 'S1',
  'counted already': 'S3',
  'given back': 'S1',
  'allowance given back': 'S3',
  'decided not to exist': 'S1',
  'undo counts again': 'S1',
  'late answer': 'S1',
  'token of a late answer': 'S1',
  'late answer ends the undo': 'S1',
  'late answer uses the allowance up': 'S2',
  'edited generation': 'S2',
};

describe('without its rule', () => {
  it.each(Object.keys(guards) as Guard[])('%s, a promise is broken', (guard) => {
    const [first = ''] = explore({ ...concerns.none, without: new Set([guard]) }).violation;
    expect(first.split(':')[0]).toBe(prevented[guard]);
  });
});

const longest = 40;
/** Each has its own ledger and clock, and waits for Redis while others compute. */
const lanes = 10;

it.each([0, 1, 2])('the scripts do what the model says: limit %i', async (limit) => {
  const concern: Concern = { limit, calls: 6, without: new Set() };
  const random = seededRandom();
  const played = Array.from({ length: lanes }, async () => {
    const test = testLedger();
    const lane = randomFrom(random.integer(0, 2 ** 31));
    for (let trace = 0; trace < 15; trace += 1) {
      const replay = new Replay(test, await test.campaign(1), limit);
      const lines: string[] = [];
      let world = firstWorld;
      for (let step = 0; step < longest; step += 1) {
        const events = eventsOf(world, concern);
        // All calls are made, and the row would need another one.
        if (events.length === 0) break;
        const event = lane.pick(events);
        const next = after(world, concern, event);
        lines.push(`${event.rule} ${event.which + 1}`);
        await replay.run(event, world, next, lines);
        world = next;
      }
    }
  });
  await expect(Promise.all(played)).resolves.toBeDefined();
});
