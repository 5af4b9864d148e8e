/** What can happen next in a model, and what it changes. */

import { isApproved } from './approvals.ts';
import * as decisions from './decisions.ts';
import { approvalEvents } from './events-of-approvals.ts';
import { callEvents } from './events-of-calls.ts';
import { decisionEvents } from './events-of-people.ts';
import { recordEvents } from './events-of-records.ts';
import * as ledger from './ledger.ts';
import { type At, type Event, indexes, lua, type Rules } from './rule.ts';
import { type Concern, copyOf, lookCounts, type Worker, type World } from './world.ts';
import { ages } from './world-key.ts';

const ledgerEvents: Rules = {
  admit: {
    source: lua('transitions/admit-rows', "if state == 'w' and current == revision and unless_damaged("),
    options: ({ world }) =>
      world.cancelled ? [] : indexes(world.rows, ({ place }) => place === 'first' || place === 'redo'),
    apply: ({ world }, row) => ledger.admit(world, row),
    says: (row) => `row ${row + 1} is admitted`,
  },
  release: {
    source: lua('transitions/release-held', "redis.call('ZADD', campaign .. ':redo', row, row)"),
    options: ({ world }) => (world.rows.some(ledger.isDue) ? [[0]] : []),
    apply: ({ world }) => ledger.release(world),
    says: () => 'the wait of decided rows ends',
  },
  makeReady: {
    source: lua('transitions/finish-step', "redis.call('ZADD', campaign .. ':' .. name, place, row)"),
    options: ({ world, has, on }) =>
      has('gates') && !world.cancelled
        ? indexes(world.rows, (row) => row.state === 'r' && (!has('approvals') || isApproved(row, on)))
        : [],
    apply: ({ world, on }, row) => ledger.makeReady(world, row, 'ready', on),
    says: (row) => `a job of row ${row + 1} finds its gate closed`,
  },
  findUnapproved: {
    source: ['src/processors/steps/gates.ts', "const gate = approval.is === 'missing' ? unapproved(input)"],
    options: ({ world, has, on }) =>
      has('approvals') && !world.cancelled
        ? indexes(world.rows, (row) => row.state === 'r' && !isApproved(row, on))
        : [],
    apply: ({ world, on }, row) => ledger.makeReady(world, row, 'unapproved', on),
    says: (row) => `a job of row ${row + 1} finds no approval`,
  },
  wake: {
    source: lua('transitions/wake-ready', "admit_again(campaign, row, state, revision, now, 'opened')"),
    options: ({ world }) => indexes(world.rows, ({ place }) => place === 'ready'),
    apply: ({ world }, row) => ledger.wake(world, row),
    says: (row) => `the gate of row ${row + 1} opens`,
  },
  cancel: {
    source: lua('campaigns/cancel', "'cancelled-at', now)"),
    options: ({ world, has }) => {
      const isEnded = !world.rows.some(({ state }) => 'wryv'.includes(state));
      return has('cancel') && !world.cancelled && !isEnded ? [[0]] : [];
    },
    apply: ({ world }) => ledger.cancel(world),
    says: () => 'the campaign is cancelled',
  },
  cancelRow: {
    source: lua('campaigns/cancel-rows', 'local effect = unknown_effect('),
    options: ({ world }) =>
      world.cancelled ? indexes(world.rows, ({ state }) => 'wry'.includes(state)) : [],
    apply: ({ world, on }, row) => ledger.cancelRow(world, row, on),
    says: (row) => `row ${row + 1} is cancelled`,
  },
  retry: {
    source: lua('rows/redo-rows', "local is_due = state == 'f' and is_rechecked("),
    // Its earlier posts are looked up before: none of them is published.
    options: ({ world, has }) =>
      !has('retry') || world.cancelled
        ? []
        : indexes(
            world.rows,
            ({ state, earlier }) =>
              state === 'f' && earlier.every((post) => world.calls[post]?.served === 'unpublished'),
          ),
    apply: ({ world, has, concern }, at) => {
      const row = ledger.rowOf(world, at);
      if (row.earlier.length > 0) decisions.recordRecheck(world, at);
      decisions.redo(world, at);
      if (!has('undo') && concern.rows === 1) row.undo = undefined;
    },
    says: (row) => `row ${row + 1} is retried`,
  },
  otherStepFails: {
    source: lua('transitions/finish-step', 'local unsettled = unknown_effect(work)'),
    options: ({ world, has }) => (has('failures') ? indexes(world.rows, ({ state }) => state === 'r') : []),
    apply: ({ world, on }, row) =>
      ledger.finish(world, row, world.rows[row]?.revision ?? 0, -1, 'without a call', on),
    says: (row) => `another step of row ${row + 1} fails`,
  },
};

/** Whether the worker has not sent yet. */
function isWaiting({ phase }: Worker): boolean {
  return phase === 'asked' || phase === 'replied' || phase === 'granted';
}

const timeEvents: Rules = {
  /** Every call that was begun before gets older: too late to be sent, then over. */
  tick: {
    source: lua('transitions/start-step', "local entry = string.format('sending %s %s %.0f %.0f'"),
    options: ({ world }) => {
      const isAging =
        world.calls.some((call, number) => call.age < 2 && ages(world, number, call)) ||
        world.rows.some(({ place, held }) => place === 'held' && held < 1) ||
        world.rows.some(({ earlier, looked }) => earlier.length > 0 && looked <= lookCounts) ||
        world.workers.some((worker) => isWaiting(worker) && worker.age < 1);
      return isAging ? [[0]] : [];
    },
    apply: ({ world, has }) => {
      for (const call of world.calls) {
        call.age = Math.min(2, call.age + 1);
        const isOver = call.age === 2 && !has('the service works on after its time');
        if (call.served === 'under way' && isOver) call.served = 'over';
      }
      for (const row of world.rows) {
        if (row.place === 'held') row.held = 1;
        row.looked = Math.min(lookCounts + 1, row.looked + 1);
        const { undo } = row;
        if (undo) row.undo = { ...undo, looked: Math.min(lookCounts + 1, undo.looked + 1) };
      }
      for (const worker of world.workers) if (isWaiting(worker)) worker.age = 1;
    },
    says: () => 'time passes',
  },
  /** Ten minutes. */
  wait: {
    source: ['src/ledger/transitions/decisions.ts', 'export const undoableMs = 600_000;'],
    options: ({ world }) => (world.rows.some(({ undo }) => undo) ? [[0]] : []),
    apply: (at) => {
      for (const row of at.world.rows) Object.assign(row, { undo: undefined, looked: lookCounts });
      timeEvents.tick?.apply(at, 0, 0);
      timeEvents.tick?.apply(at, 0, 0);
    },
    says: () => 'ten minutes pass',
  },
};

const journalEvents: Rules = {
  copy: {
    options: ({ world, has }) => (has('put back') && !world.copy && !world.isPutBack ? [[0]] : []),
    apply: ({ world }) => {
      const { rows, holders, cancelled, journal } = copyOf(world);
      world.copy = { rows, holders, cancelled, journal };
    },
    says: () => 'a copy of Redis is made',
  },
  putBack: {
    options: ({ world }) => (world.copy ? [[0]] : []),
    apply: ({ world }) => {
      // Whoever has looked before looks again.
      Object.assign(world, world.copy, {
        copy: undefined,
        isPutBack: true,
        look: undefined,
        shown: undefined,
      });
    },
    says: () => 'Redis is put back to the copy',
  },
};

export const rules: Rules = {
  ...callEvents,
  ...ledgerEvents,
  ...decisionEvents,
  ...approvalEvents,
  ...recordEvents,
  ...timeEvents,
  ...journalEvents,
};

const all = Object.entries(rules);

export function lookAt(world: World, concern: Concern): At {
  return {
    world,
    concern,
    has: (extra) => concern.with.has(extra),
    on: (guard) => !concern.without.has(guard),
  };
}

/** All that may happen next. */
export function eventsOf(world: World, concern: Concern): Event[] {
  const at = lookAt(world, concern);
  const events: Event[] = [];
  for (const [rule, { options }] of all) {
    for (const [on, what = 0] of options(at)) events.push({ rule, on, what });
  }
  return events;
}

/** The world after an event. */
export function after(world: World, concern: Concern, { rule, on, what }: Event): World {
  const next = copyOf(world);
  rules[rule]?.apply(lookAt(next, concern), on, what);
  return next;
}

export function say({ rule, on, what }: Event): string {
  return rules[rule]?.says(on, what) ?? rule;
}
