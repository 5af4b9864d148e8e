/** A person looks at a row in review and at the service, decides at a later moment, and may take the decision back. */
import * as decisions from './decisions.ts';
import * as ledger from './ledger.ts';
import { type At, indexes, lua, type Rules } from './rule.ts';
import type { World } from './world.ts';

/** Whether a call of the row can still take effect. */
export function mayTakeEffect(world: World, row: number): boolean {
  return (
    world.calls.some((call) => call.row === row && call.served === 'under way') ||
    world.workers.some(
      ({ phase, row: of, reply, age }) =>
        of === row && age < 1 && (phase === 'granted' || (phase === 'replied' && reply === 'go')),
    )
  );
}

/**
 * Posts that a person finds at the service for a row. Of alike rows, the posts of all: they cannot be told apart. Posts that another row
 * has for sure are not found for this one.
 */
function found({ world, concern, has }: At, row: number): number[] {
  const posts = indexes(world.calls, (call, post) => {
    const held = world.holders[post] ?? -1;
    const other = held >= 0 && held >> 1 !== row ? world.rows[held >> 1] : undefined;
    const isTaken = other && (held % 2 === 1 || (other.state === 'p' && other.post === post));
    return call.served === 'posted' && (concern.rows > 1 || call.row === row) && !isTaken;
  });
  return has('an untrue decision') || posts.length === 0 ? [...posts.flat(), -1] : posts.flat();
}

export const decisionEvents: Rules = {
  look: {
    options: (at) =>
      at.has('decisions') && !at.world.look
        ? indexes(at.world.rows, ({ state }) => state === 'v').flatMap(([row]) =>
            found(at, row).map((post): [number, number] => [row, post]),
          )
        : [],
    apply: ({ world }, at, post) => {
      const row = world.rows[at];
      if (!row) return;
      const early = mayTakeEffect(world, at);
      world.look = { row: at, revision: row.revision, unknownEffect: row.entry !== undefined, post, early };
    },
    says: (row, post) =>
      `a person looks at row ${row + 1}, and sees ${post < 0 ? 'no post' : `post ${post + 1}`} at the service`,
  },
  decide: {
    source: lua('transitions/decide-row', "if current ~= revision or (not is_lost and (state ~= 'v'"),
    // Of a look from before the call was over, nothing is concluded once it is over: the person was told to look again.
    options: (at) => {
      const { look } = at.world;
      if (!look) return [];
      const isOutdated = look.post < 0 && look.early && !mayTakeEffect(at.world, look.row);
      return isOutdated && !at.has('a look before the call was over') ? [] : [[0]];
    },
    apply: ({ world, concern, has, on }) => {
      const { look } = world;
      world.look = undefined;
      if (!look) return;
      decisions.decide(world, look, on);
      if (!has('undo') && concern.rows === 1) ledger.rowOf(world, look.row).undo = undefined;
    },
    says: () => 'the person decides so',
  },
  /** The person goes away, or looks again. */
  forget: {
    options: ({ world }) => (world.look ? [[0]] : []),
    apply: ({ world }) => {
      world.look = undefined;
    },
    says: () => 'the person does not decide',
  },
  undo: {
    source: lua('transitions/undo-decision', 'if state ~= facts.state or revision'),
    options: ({ world, has }) => (has('undo') ? indexes(world.rows, ({ undo }) => undo !== undefined) : []),
    apply: ({ world, on }, row) => void decisions.undo(world, row, on),
    says: (row) => `the decision about row ${row + 1} is taken back`,
  },
  accept: {
    source: lua('lost-rows', "local entry = 'unknown ' .. token .. ' ' .. span"),
    // Once no call from before can be under way.
    options: ({ world }) => {
      const isSettled = world.rows.every((_, row) => !mayTakeEffect(world, row));
      return world.isPutBack && !world.journal.includes(-1) && isSettled ? [[0]] : [];
    },
    apply: ({ world }) => {
      const furthest = Math.max(world.journal.length, ...world.workers.map(({ seen }) => seen)) + 1;
      const gap = Array<number>(furthest - world.journal.length).fill(-1);
      world.journal = [...world.journal, ...gap];
      for (const row of world.rows) if ('wryv'.includes(row.state)) ledger.markUnknown(row);
    },
    says: () => 'a person accepts the journal',
  },
};
