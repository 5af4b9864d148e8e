/** What must hold in every state, and at every event. */
import type { Event } from './rule.ts';
import type { Extra, Row, Worker, World } from './world.ts';

export const invariants = {
  I1: 'no second send while an earlier call of the row has, or may have, made a post',
  I2: 'posted only with a post that exists, and that the index gives to the row',
  I3: 'nothing certain while in doubt: a row that waits, is ready, failed or was cancelled has no journal entry, and no call with a post or under way',
  I4: 'no row without work: a waiting or ready row is where the admission finds it',
  I5: 'one post, one row',
  I6: 'a job sends its revision',
  I7: 'a lost journal is noticed: who has seen an entry that is missing does not send',
  I9: 'a row is sent only with an approval of exactly what is sent, by a person who was shown it since its last rejection, cancellation or withdrawal',
  I10: 'a row that a person has cancelled is sent only if a person who has seen that has brought it back',
  I8: 'an answer that told of a post is never forgotten: its row is not sent again',
} as const;

export type Invariant = keyof typeof invariants;

/** Those that are about an event. The others are about a state. */
const ofEvents: Partial<Record<Invariant, Event['rule']>> = {
  I1: 'send',
  I6: 'send',
  I7: 'start',
  I9: 'send',
  I10: 'send',
};

type Check = (at: {
  readonly before: World;
  readonly after: World;
  readonly event: Event;
  readonly has: (extra: Extra) => boolean;
}) => boolean;

const isCertain = ({ state }: Row): boolean => 'wyfc'.includes(state);

const has = ({ post, late, earlier }: Row, one: number): boolean =>
  post === one || late.includes(one) || earlier.includes(one);

/** Whether a row has the post, or an answer has told of it. */
function isKnown({ rows, holders }: World, post: number): boolean {
  return (holders[post] ?? -1) % 2 === 1 || rows.some((row) => has(row, post));
}

/** Whether a call of a row is under way, or has made a post that is not known. Of alike rows, one may have the post of the other. */
function isOpen(world: World, row: number, number: number): boolean {
  const call = world.calls[number];
  if (call?.row !== row) return false;
  return call.served === 'under way' || (call.served === 'posted' && !isKnown(world, number));
}

/** The worker of an event, and its row. */
function atWork({ after, event }: Parameters<Check>[0]) {
  const worker = after.workers[event.on] as Worker;
  return { worker, row: after.rows[worker.row] as Row };
}

const checks: Readonly<Record<Invariant, Check>> = {
  I1: (at) => {
    const { worker, row } = atWork(at);
    return !at.after.calls.some(
      ({ served }, number) =>
        number !== worker.call &&
        (isOpen(at.after, worker.row, number) || (served === 'posted' && has(row, number))),
    );
  },
  I2: ({ after: { rows, calls, holders } }) =>
    rows.every(({ state, post }, at) => {
      if (state !== 'p') return true;
      const served = calls[post]?.served;
      return (served === 'posted' || served === 'unpublished') && (holders[post] ?? -1) >> 1 === at;
    }),
  I3: ({ after }) =>
    after.rows.every(
      (row, at) =>
        !isCertain(row) || (!row.entry && !after.calls.some((_, number) => isOpen(after, at, number))),
    ),
  I4: ({ after: { rows } }) => rows.every(({ state, place }) => 'wy'.includes(state) === (place !== '')),
  I5: ({ after: { rows } }) => {
    if (rows.length === 1) return true;
    const posts = rows.flatMap(({ post, earlier }) => (post < 0 ? earlier : [post, ...earlier]));
    return new Set(posts).size === posts.length;
  },
  I6: (at) => {
    const { worker, row } = atWork(at);
    return row.revision === worker.revision;
  },
  I7: (at) => {
    const { worker } = atWork(at);
    if (worker.reply !== 'go' || worker.seen === 0) return true;
    const { journal } = at.before;
    return journal.includes(-1) || journal[worker.seen - 1] === worker.witness;
  },
  I9: (at) => {
    const { worker, row } = atWork(at);
    return !at.has('approvals') || row.agreed === worker.content;
  },
  I10: (at) => !atWork(at).row.withdrawn,
  I8: ({ after }) =>
    after.calls.every(({ heard, served, row: at }, post) => {
      if (!heard || served !== 'posted') return true;
      const row = after.rows[at] as Row;
      if (row.state === 'p' || row.state === 'v') return isKnown(after, post);
      return row.state === 'r' ? has(row, post) : row.earlier.includes(post);
    }),
};

/** The invariants among `names` that an event violates, or the state after it, if that is new. */
export function violated(names: readonly Invariant[], at: Parameters<Check>[0], isNew: boolean): Invariant[] {
  return names.filter((name) => {
    const rule = ofEvents[name];
    return (rule === undefined ? isNew : rule === at.event.rule) && !checks[name](at);
  });
}
