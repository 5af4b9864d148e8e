import { describe, expect, it } from 'vitest';
import { concerns, heldOnly } from './concerns.ts';
import { explore } from './explore.ts';
import { type Guard, guards } from './guards.ts';
import type { Invariant } from './invariants.ts';
import type { Concern, Extra, Unpromised } from './world.ts';

type Name = keyof typeof concerns;

/** The invariant that a model violates first. */
function firstOf(concern: Concern, expected?: readonly Invariant[]): string {
  return explore(concern, expected).violation[0]?.split(':')[0] ?? 'none';
}

describe('the protocol', () => {
  // All states of the last one take half a minute: it is there to show what one rule prevents.
  const explored = (Object.keys(concerns) as Name[]).filter((name) => name !== 'putBackOfTwo');

  it.each(explored)('keeps what it promises: %s', (name) => {
    const { states, violation } = explore(concerns[name], heldOnly[name]);
    expect(violation.join('\n')).toBe('');
    expect(states).toBeGreaterThan(10_000);
  });

  it('keeps every answer that tells of a post, also beside an untrue decision', () => {
    const extras = new Set<Extra>([...concerns.cancel.with, 'an untrue decision']);
    expect(firstOf({ ...concerns.cancel, with: extras }, ['I8'])).toBe('none');
  });
});

/** What each rule prevents. `I8` of a decision that was untrue: its evidence is not lost on top. */
const prevented: Readonly<Record<Guard, readonly [Name, Invariant, Extra?]>> = {
  'entry of another attempt': ['cancel', 'I1'],
  'row runs': ['cancel', 'I3'],
  'revision of the job': ['cancel', 'I6'],
  'not after a post': ['retries', 'I1'],
  'last look': ['retries', 'I1'],
  'position of the journal': ['putBack', 'I7'],
  'token of an entry': ['putBackOfTwo', 'I7'],
  'time to send': ['cancel', 'I3'],
  'no answer is an unknown outcome': ['cancel', 'I3'],
  'own entry': ['cancel', 'I3'],
  'gate beside a call': ['gates', 'I3'],
  'unknown outcome of another call': ['connection', 'I3'],
  'late post': ['undo', 'I8'],
  'answer confirms a decision': ['undo', 'I8'],
  'both posts are its own': ['records', 'I2'],
  'post beside a call': ['cancel', 'I8', 'an untrue decision'],
  'late post and a decision': ['cancel', 'I8', 'an untrue decision'],
  'age of an unknown outcome': ['cancel', 'I3'],
  'row as shown': ['undo', 'I3'],
  'post of another row': ['twins', 'I5'],
  'row as decided': ['undo', 'I3'],
  'claim of a record': ['twinSearches', 'I2'],
  'claim stands': ['twinSearches', 'I2'],
  'earlier post keeps its row': ['records', 'I2'],
  'answer has the last word': ['twins', 'I2'],
  'cancelled with an unknown outcome': ['cancel', 'I3'],
  'age of a search': ['records', 'I3'],
  'approval at the gate': ['approvals', 'I9'],
  'post as approved': ['approvals', 'I9'],
  'post as shown': ['approvals', 'I9'],
  'revision as shown': ['approvals', 'I9'],
  'only waiting posts are approved': ['approvals', 'I9'],
  'only ready posts lose their approval': ['approvals', 'I9'],
  'approval that is withdrawn': ['approvals', 'I9'],
  'revision of a withdrawn approval': ['approvals', 'I9'],
  'approval of a cancelled row': ['cancelledRows', 'I9'],
  'revision of a cancelled row': ['cancelledRows', 'I10'],
};

describe('without its rule', () => {
  it.each(Object.keys(guards) as Guard[])('%s, a promise is broken', (guard) => {
    const [name, invariant, extra] = prevented[guard];
    const concern: Concern = concerns[name];
    const extras = new Set([...concern.with, ...(extra ? [extra] : [])]);
    expect(firstOf({ ...concern, with: extras, without: new Set([guard]) }, [invariant])).toBe(invariant);
  });
});

/** What `docs/internals/states.md` says is not promised: what breaks if the world is like that. */
const unpromised: Readonly<Record<Unpromised, readonly [Name, Invariant]>> = {
  '500 after the effect, sent again': ['cancel', 'I1'],
  'the service works on after the connection': ['cancel', 'I1'],
  'the service works on after its time': ['cancel', 'I1'],
  'a look before the call was over': ['cancel', 'I1'],
  'an untrue decision': ['cancel', 'I1'],
  'published after it was sent again': ['retries', 'I1'],
  'a process without memory': ['putBack', 'I1'],
};

describe('not promised:', () => {
  it.each(Object.keys(unpromised) as Unpromised[])('%s', (extra) => {
    const [name, invariant] = unpromised[extra];
    const concern: Concern = concerns[name];
    expect(firstOf({ ...concern, with: new Set([...concern.with, extra]) }, [invariant])).toBe(invariant);
  });

  it('two alike rows: which of them has a post is known from answers only', () => {
    expect(firstOf(concerns.twins, ['I1'])).toBe('I1');
  });
});
