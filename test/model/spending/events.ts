/** What can happen next, and what it changes. */

import type { Source } from '../guards.ts';
import { lua } from '../rule.ts';
import type { On } from './guards.ts';
import * as scripts from './scripts.ts';
import { type Call, copyOf, idle, isKnown, type Outcome, type Worker, type World } from './world.ts';

export interface Concern {
  /** Most outputs of the campaign. */
  readonly limit: number;
  /** Calls in all. */
  readonly calls: number;
  readonly without: ReadonlySet<Parameters<On>[0]>;
}

/** What a rule is about: a worker or a call. */
interface At {
  readonly world: World;
  readonly concern: Concern;
  readonly on: On;
}

interface Rule {
  /** The line that it is; none for what the world does. */
  readonly source?: Source;
  readonly options: (at: At) => readonly number[];
  /** Changes the world, which is a copy. */
  readonly apply: (at: At, which: number) => void;
}

export interface Event {
  readonly rule: string;
  readonly which: number;
}

const where = <T>(list: readonly T[], fits: (item: T) => boolean): number[] =>
  list.flatMap((item, index) => (fits(item) ? [index] : []));

const once = (isSo: boolean): readonly number[] => (isSo ? [0] : []);
const workerOf = ({ world }: At, which: number): Worker => world.workers[which] as Worker;
const callOf = ({ world }: At, { call }: Worker): Call | undefined => world.calls[call];

function end(worker: Worker): void {
  Object.assign(worker, idle);
}

/** Whether a call can take effect no more. */
function isOver({ workers, calls }: World, call: number): boolean {
  const { served } = calls[call] ?? {};
  if (served === 'unsent')
    return !workers.some((worker) => worker.phase === 'granted' && worker.call === call);
  return served !== 'under way';
}

function answering(outcome: Outcome, fits: (at: At, worker: Worker) => boolean): Rule {
  return {
    options: (at) => where(at.world.workers, (worker) => fits(at, worker)),
    apply: (at, which) => {
      const worker = workerOf(at, which);
      const call = callOf(at, worker);
      if (call && call.served !== 'made') call.served = 'over';
      Object.assign(worker, { phase: 'answered', outcome });
    },
  };
}

function serving(to: 'made' | 'refused' | 'over'): Rule {
  return {
    options: ({ world }) => where(world.calls, ({ served }) => served === 'under way'),
    apply: ({ world }, call) => Object.assign(world.calls[call] as Call, { served: to }),
  };
}

const isAt =
  (place: World['row']['place']) =>
  ({ world }: At) =>
    once(world.row.place === place);

function decided(exists: boolean): Rule {
  return {
    source: lua('transitions/decide-row', 'local given = entry and not has_effect()'),
    options: ({ world }) => {
      const { state, entry } = world.row;
      if (state !== 'v' || !entry || !isOver(world, entry.by)) return [];
      return once(!exists || world.calls[entry.by]?.served === 'made');
    },
    apply: ({ world, on }) => scripts.decide(world, exists, on),
  };
}

export const rules: Readonly<Record<string, Rule>> = {
  admit: {
    source: lua('transitions/admit-rows', "move(campaign, row, 'w', 'r', revision, now)"),
    options: ({ world: { row } }) => once(row.place === 'first' || row.place === 'redo'),
    apply: ({ world }) => scripts.admit(world),
  },
  release: {
    source: lua('transitions/release-held', "redis.call('ZADD', campaign .. ':redo', row, row)"),
    options: isAt('held'),
    apply: ({ world: { row } }) => Object.assign(row, { place: 'redo' }),
  },
  start: {
    source: lua('transitions/start-step', 'spend(campaign, row, effect, wish)'),
    options: ({ world, concern }) =>
      world.row.state === 'r' && !isKnown(world.row) && world.calls.length < concern.calls
        ? where(world.workers, ({ phase }) => phase === 'idle' || phase === 'done')
        : [],
    apply: (at, which) => {
      const { world, concern, on } = at;
      const worker = workerOf(at, which);
      end(worker);
      const call = world.calls.length;
      const { revision } = world.row;
      const reply = scripts.start(world, call, revision, concern.limit, on);
      if (reply === 'go') Object.assign(worker, { phase: 'granted', call, revision });
      else if (reply === 'unpaid') Object.assign(worker, { phase: 'unpaid', revision });
    },
  },
  startAgain: {
    source: lua('transitions/start-step', 'local function not_sent('),
    options: ({ world }) => where(world.workers, ({ phase, twice }) => phase === 'granted' && !twice),
    apply: (at, which) => {
      const { world, concern, on } = at;
      const worker = workerOf(at, which);
      const reply = scripts.start(world, worker.call, worker.revision, concern.limit, on);
      if (reply === 'go') worker.twice = true;
      else Object.assign(worker, idle, reply === 'unpaid' && { phase: 'unpaid', revision: worker.revision });
    },
  },
  wait: {
    source: lua('transitions/finish-step', 'wait_at_gate(campaign, row, payload, now)'),
    options: ({ world }) => where(world.workers, ({ phase }) => phase === 'unpaid'),
    apply: (at, which) => {
      const worker = workerOf(at, which);
      scripts.wait(at.world, worker.revision);
      end(worker);
    },
  },
  allow: {
    source: lua('approvals/allow-spending', "redis.call('HSET', campaign .. ':work:' .. row, 'paid', '1')"),
    options: isAt('unpaid'),
    apply: ({ world }) => scripts.allow(world),
  },
  wake: {
    source: lua('transitions/wake-ready', "admit_again(campaign, row, state, revision, now, 'opened')"),
    options: isAt('ready'),
    apply: ({ world }) => scripts.admitAgain(world.row),
  },
  send: {
    options: ({ world }) => where(world.workers, ({ phase }) => phase === 'granted'),
    apply: (at, which) => {
      const worker = workerOf(at, which);
      worker.phase = 'sent';
      Object.assign(callOf(at, worker) as Call, { served: 'under way' });
    },
  },
  makes: serving('made'),
  refuses: serving('refused'),
  ends: serving('over'),
  answerMade: answering(
    'ok',
    (at, worker) => worker.phase === 'sent' && callOf(at, worker)?.served === 'made',
  ),
  answerRefused: answering(
    'failed',
    (at, worker) => worker.phase === 'sent' && callOf(at, worker)?.served === 'refused',
  ),
  notSent: answering('cleared', (_, { phase }) => phase === 'granted'),
  noAnswer: answering('review', (_, { phase }) => phase === 'sent'),
  finish: {
    source: lua('transitions/finish-step', 'local function finish()'),
    options: ({ world }) => where(world.workers, ({ phase }) => phase === 'answered'),
    apply: (at, which) => {
      const worker = workerOf(at, which);
      scripts.finish(at.world, worker.call, worker.revision, worker.outcome as Outcome, at.on);
      worker.phase = 'done';
    },
  },
  finishAgain: {
    source: lua('transitions/finish-step', 'If the connection sends a script twice'),
    options: ({ world }) => where(world.workers, ({ phase }) => phase === 'done'),
    apply: (at, which) => {
      const worker = workerOf(at, which);
      scripts.finish(at.world, worker.call, worker.revision, worker.outcome as Outcome, at.on);
      end(worker);
    },
  },
  kill: {
    options: ({ world }) => where(world.workers, ({ phase }) => phase !== 'idle'),
    apply: (at, which) => end(workerOf(at, which)),
  },
  decideMade: decided(true),
  decideNot: decided(false),
  undo: {
    source: lua('transitions/undo-decision', 'if state ~= facts.state or revision'),
    options: ({ world }) => once(world.row.undo !== undefined),
    apply: ({ world, on }) => scripts.undo(world, on),
  },
  /** The row's generation has ended without its output. */
  fail: {
    source: lua('transitions/finish-step', "if verdict == 'failed' and mine then"),
    options: ({ world: { row } }) => once(row.state === 'r' && isKnown(row) && row.entry === undefined),
    apply: ({ world }) => scripts.fail(world),
  },
  retry: {
    source: lua('rows/redo-rows', "admit_again(campaign, row, 'f', revision, now, 'retried')"),
    options: ({ world: { row } }) => once(row.state === 'f'),
    apply: ({ world }) => scripts.admitAgain(world.row),
  },
  edit: {
    source: lua('imports/edit-row', 'forget_outdated(campaign, row, letters)'),
    options: ({ world: { row } }) => once('wyf'.includes(row.state)),
    apply: ({ world, on }) => scripts.edit(world, on),
  },
};

function lookAt(world: World, concern: Concern): At {
  return { world, concern, on: (guard) => !concern.without.has(guard) };
}

/** All that may happen next. */
export function eventsOf(world: World, concern: Concern): Event[] {
  const at = lookAt(world, concern);
  return Object.entries(rules).flatMap(([rule, { options }]) =>
    options(at).map((which) => ({ rule, which })),
  );
}

/** The world after an event. */
export function after(world: World, concern: Concern, { rule, which }: Event): World {
  const next = copyOf(world);
  rules[rule]?.apply(lookAt(next, concern), which);
  return next;
}
