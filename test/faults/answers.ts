/** Faults of the service: lost, broken, late and refusing answers. */

import type { SandboxOperation } from '../../src/sandbox/description/operations.ts';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import type { Random } from '../fuzz/random.ts';
import type { Strike } from './kinds.ts';

type Trouble = FaultInput extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'operation'>
    : never
  : never;

const journalled = ['createCreatorPost', 'createAiGenerationSchedule'] as const;
const others = [
  ...(['createFileUpload', 'putFile', 'confirmUpload', 'addSocialShowcaseProducts'] as const),
  ...(['listAiTasksByScheduleId', 'getAsset'] as const),
];

/** A fault that strikes some calls of an operation for a while. */
function striking(random: Random, trouble: Trouble, operations: readonly SandboxOperation[]): Strike {
  const operation = random.pick(operations);
  const fault = {
    ...trouble,
    operation,
    times: random.integer(1, 8),
    probability: random.pick([0.3, 0.7, 1]),
    seed: random.integer(1, 1e9),
  } as FaultInput;
  const ms = random.integer(500, 5000);
  return async (site) => {
    site.strikes += 1;
    site.timeline.note(`the service, for ${(ms / 1000).toFixed(1)} s: ${JSON.stringify(fault)}`);
    const id = await site.service.add(fault);
    await site.lasting(ms);
    await site.service.remove(id);
  };
}

const most = [...journalled, ...journalled, ...journalled, ...others];

export const answerKinds = {
  'answer-lost': (random: Random): Strike => {
    const by = random.pick(['reset', 'fin'] as const);
    const trouble = random.pick<Trouble>([
      { kind: 'lost-answer', by },
      { kind: 'reset', by },
      { kind: 'no-answer' },
    ]);
    return striking(random, trouble, most);
  },

  'answer-broken': (random: Random): Strike => {
    const trouble = random.pick<Trouble>([
      { kind: 'half-body' },
      { kind: 'html' },
      { kind: 'empty' },
      { kind: 'malformed-json' },
    ]);
    return striking(random, trouble, most);
  },

  'answer-500': (random: Random): Strike => {
    const when = random.pick(['before', 'after'] as const);
    return striking(random, { kind: 'status', status: 500, when }, most);
  },

  'answer-late': (random: Random): Strike =>
    // The effect itself must come while its caller may still wait, even if three of these strike: nobody can guard against
    // one that comes later.
    random.once(2)
      ? striking(random, { kind: 'delay', when: 'before', ms: random.integer(100, 900) }, most)
      : striking(random, { kind: 'delay', when: 'after', ms: random.integer(1000, 30_000) }, most),

  'answer-429': (random: Random): Strike => {
    const retryAfterSeconds = random.pick([undefined, 0, 1, 2]);
    const trouble: Trouble = {
      kind: 'throttle',
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
    return striking(random, trouble, [...journalled, ...others]);
  },
} as const;
