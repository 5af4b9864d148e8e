/**
 * A model of what AI outputs are counted, and of the allowances for them: one row, whose generations make one output each. A call is known
 * by its place in `calls`. What a row's calls may do to each other is the matter of the model of posts; this one adds up.
 */

/** What the ledger was told of a generation last: nothing yet, that it exists, or that it does not. */
export type Told = '' | 'yes' | 'no';

export interface Call {
  /** Number of the generation: a call that had no effect is made again under the same one. */
  readonly n: number;
  served: 'unsent' | 'under way' | 'made' | 'refused' | 'over';
  told: Told;
  /** Whether it made nothing, as a person said, and its allowance went to another call, or was withdrawn. */
  isReplaced: boolean;
}

export interface Entry {
  readonly by: number;
  readonly state: 'sending' | 'unknown' | 'ended';
}

/** `spent:` in the row's record: whether the allowance was used up by it. */
export type Spent = { readonly isPaid: boolean };

/** The row's record, which a decision keeps for its undo. */
export interface Kept {
  readonly entry: Entry | undefined;
  readonly paid: boolean;
  /** Numbers of generations that are known to exist. */
  readonly known: readonly number[];
  /** Number of the latest generation that ended without its output. */
  readonly ended: number;
  /** By the number of the generation. */
  readonly spent: Readonly<Record<number, Spent>>;
  /** By the call. */
  readonly given: Readonly<Record<number, Spent>>;
}

export interface Undo extends Kept {
  readonly after: { readonly state: 'w'; readonly revision: number };
  readonly call: number;
  readonly isGivenBack: boolean;
  readonly names: boolean;
}

export interface Row extends Kept {
  state: 'w' | 'r' | 'y' | 'v' | 'f';
  revision: number;
  place: '' | 'first' | 'redo' | 'held' | 'unpaid' | 'ready';
  undo: Undo | undefined;
}

export type Outcome = 'ok' | 'cleared' | 'failed' | 'review';

export interface Worker {
  phase: 'idle' | 'granted' | 'unpaid' | 'sent' | 'answered' | 'done';
  revision: number;
  call: number;
  outcome: '' | Outcome;
  /** Whether the connection has sent its script twice. */
  twice: boolean;
}

export interface World {
  row: Row;
  /** Outputs that the campaign has counted. */
  outputs: number;
  calls: Call[];
  workers: Worker[];
  /** Allowances that a person gave, and nobody withdrew unused. */
  allowed: number;
}

export const idle: Worker = { phase: 'idle', revision: 0, call: -1, outcome: '', twice: false };

export const firstWorld: World = {
  row: {
    state: 'w',
    revision: 0,
    place: 'first',
    undo: undefined,
    entry: undefined,
    paid: false,
    known: [],
    ended: 0,
    spent: {},
    given: {},
  },
  outputs: 0,
  calls: [],
  workers: [idle, idle],
  allowed: 0,
};

export function copyOf(world: World): World {
  return {
    ...world,
    row: { ...world.row },
    calls: world.calls.map((call) => ({ ...call })),
    workers: world.workers.map((worker) => ({ ...worker })),
  };
}

/** The number of the generation that the row needs next, or has. */
export const numberOf = ({ ended }: Kept): number => ended + 1;

export const isKnown = (row: Row): boolean => row.known.includes(numberOf(row));
