/**
 * The models: each is explored in full for one concern. What is assumed of the world in all of them is what `Unpromised` drops.
 */
import type { Guard } from './guards.ts';
import type { Invariant } from './invariants.ts';
import type { Concern, Extra } from './world.ts';

const one = { rows: 1, workers: 2, searches: 0, calls: 2, revisions: 3, without: new Set<Guard>() } as const;

const withThese = (...extras: Extra[]): ReadonlySet<Extra> => new Set(extras);

/** One row, unless it says otherwise. */
export const concerns = {
  /** Three calls: two processes that stand still at any point, and a person. */
  calls: { ...one, calls: 3, with: withThese('decisions') },
  /** Replies are lost, scripts run twice, other steps fail. */
  connection: { ...one, revisions: 2, with: withThese('decisions', 'bad connection', 'failures') },
  undo: { ...one, revisions: 4, with: withThese('decisions', 'undo') },
  cancel: { ...one, with: withThese('decisions', 'cancel') },
  /** A row that waits for its day. */
  gates: { ...one, revisions: 2, with: withThese('decisions', 'cancel', 'gates') },
  /** A row that needs an approval. */
  approvals: { ...one, calls: 1, revisions: 4, with: withThese('approvals', 'retry') },
  /** One that a person cancels. */
  cancelledRows: {
    ...one,
    workers: 1,
    calls: 1,
    revisions: 5,
    with: withThese('approvals', 'cancelled rows', 'calm'),
  },
  /** Searches of the publishing records, and posts that are not published. */
  records: { ...one, searches: 1, with: withThese('decisions', 'unpublished') },
  retries: { ...one, with: withThese('unpublished', 'retry', 'failures') },
  recordsAndUndo: { ...one, searches: 1, with: withThese('decisions', 'undo') },
  /** Two rows that nothing tells apart at the service. */
  twins: { ...one, rows: 2, revisions: 2, with: withThese('decisions', 'calm') },
  twinSearches: { ...one, rows: 2, searches: 2, revisions: 1, with: withThese('calm') },
  /** Redis is put back to a copy under a process that lives on. */
  putBack: { ...one, workers: 1, with: withThese('put back', 'decisions') },
  /** The same under two, one of which may be at work before the other looks again. */
  putBackOfTwo: { ...one, calls: 3, revisions: 1, with: withThese('put back') },
} as const satisfies Record<string, Concern>;

/** Where not everything holds, what does. */
export const heldOnly: Partial<Record<keyof typeof concerns, readonly Invariant[]>> = {
  // Which of two alike rows a post belongs to is known from answers only.
  twins: ['I2', 'I4', 'I5', 'I6', 'I8'],
  twinSearches: ['I2', 'I4', 'I5', 'I6', 'I8'],
  // Posts and revisions since the copy are lost to the ledger.
  putBack: ['I1', 'I2', 'I4', 'I5', 'I7'],
  // What is granted before the others have looked is sent.
  putBackOfTwo: ['I7'],
};

/** For random traces against the real scripts: whatever the model can do, true or not. */
const anything = withThese(
  ...([
    'decisions',
    'undo',
    'bad connection',
    'failures',
    'retry',
    'cancel',
    'unpublished',
    'gates',
  ] as const),
  ...(['500 after the effect, sent again', 'an untrue decision', 'a look before the call was over'] as const),
  ...(['the service works on after the connection', 'the service works on after its time'] as const),
  'published after it was sent again',
);

export const wild = {
  oneRow: { ...one, calls: 4, revisions: 200, searches: 2, with: anything },
  twoRows: { ...one, rows: 2, calls: 5, revisions: 200, searches: 2, with: anything },
  approvals: {
    ...one,
    calls: 4,
    revisions: 200,
    searches: 2,
    with: new Set([...anything, 'approvals', 'cancelled rows'] as const),
  },
} as const satisfies Record<string, Concern>;
