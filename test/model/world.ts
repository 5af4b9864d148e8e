/**
 * The state of the model: what the ledger, the service, the workers and a person hold at one moment. Everything is small numbers, so
 * that all states can be visited. A call is known by its place in `calls`; the post that it makes has the same number.
 */
import type { Guard } from './guards.ts';

/** As in `rows.lua`: waiting, running, ready, posted, failed, review, cancelled. */
export type Letter = 'w' | 'r' | 'y' | 'p' | 'f' | 'v' | 'c';

/** A journal entry. Its times are those of the call: see `Call.age`. `by`: the call; -1 for an entry that no call wrote, -2 for one in place of an entry that
 * was lost. */
export interface Entry {
  readonly by: number;
  readonly state: 'sending' | 'unknown' | 'ended';
}

/** What a decision replaced. */
export interface Undo {
  readonly state: Letter;
  readonly revision: number;
  /** The post that the decision named, or -1. */
  readonly post: number;
  readonly entry: Entry | undefined;
  readonly late: readonly number[];
  readonly earlier: readonly number[];
  readonly looked: number;
  readonly failedBy: boolean;
  /** Where it goes back to: a row whose retry is taken back has failed again. */
  readonly back: 'v' | 'f';
}

/** Ticks for which a look into the records counts (`RECHECK_COUNTS.send`). */
export const lookCounts = 6;

export interface Row {
  state: Letter;
  revision: number;
  entry: Entry | undefined;
  /** Posts of late answers beside another call, or all posts of a row that was posted twice. */
  late: readonly number[];
  /** Its result; -1 for none. */
  post: number;
  /** Posts that were not published. */
  earlier: readonly number[];
  /** Whether a job failed it, which may take that back. */
  failedBy: boolean;
  /** Whether a posted row still has its progress, because it was found in the records. */
  keeps: boolean;
  /** Where the admission, or a person who approves, finds a waiting or ready row. */
  place: '' | 'first' | 'redo' | 'held' | 'ready' | 'unapproved';
  /** Ticks since a person decided, at most 1. */
  held: number;
  undo: Undo | undefined;
  /** Ticks since the records of its earlier posts were read; more than `lookCounts` for never, or too long ago. */
  looked: number;
  /** What would be posted, and was uploaded: one of two. */
  content: number;
  /** The latest word about it: the content that was approved, `rejected`, or -1 for none. */
  said: number;
  /** What a person has approved in truth: the content that was shown, since the last rejection, cancellation or withdrawal; -1 for none. */
  agreed: number;
  /** Whether a person has cancelled it, and nobody who has seen that has brought it back. */
  withdrawn: boolean;
}

export const rejected = -2;

/** What the service knows of a call. */
export type Served =
  | 'unsent'
  | 'under way'
  | 'posted'
  | 'refused'
  | 'throttled'
  /** It had no effect, and will have none. */
  | 'over'
  /** Posted, and not published. */
  | 'unpublished';

export interface Call {
  readonly row: number;
  /** Ticks since its entry was written: 0 it may be sent; 1 too late, it may be under way; 2 over. */
  age: number;
  served: Served;
  /** Whether the ledger was told of its post. */
  heard: boolean;
}

export type Outcome = 'posted' | 'failed' | 'cleared' | 'review' | 'cut-off' | 'unfit' | 'without a call';

/** One run of the post job of a row, in one process. */
export interface Worker {
  phase: 'idle' | 'asked' | 'replied' | 'granted' | 'sent' | 'answered' | 'done';
  row: number;
  revision: number;
  /** The content that was approved when it passed the gates, and the one that it would send. */
  approved: number;
  content: number;
  call: number;
  /** Ticks since it asked the ledger, at most 1: then it is too late to send. */
  age: number;
  reply: '' | 'go' | 'no' | 'review' | 'behind';
  outcome: '' | Outcome;
  /** Whether the connection has sent its script twice. */
  twice: boolean;
  /** Position in the journal that the ledger answered with; 0 for none. */
  position: number;
  /** The furthest entry of the journal that the process has seen: its position (0 for none), and its call. */
  seen: number;
  witness: number;
}

/** A person who has looked at a row and at the service, and has not decided yet. */
export interface Look {
  readonly row: number;
  readonly revision: number;
  readonly unknownEffect: boolean;
  /** The post to name; -1: it was not posted. */
  readonly post: number;
  /** Whether a call of the row could still take effect at that moment. */
  readonly early: boolean;
}

/** A person who is shown a row, and has neither approved nor edited it yet. */
export interface Shown {
  readonly row: number;
  readonly revision: number;
  readonly content: number;
  /** Whether somebody has rejected or cancelled the row, or withdrawn its approval since; cancelled. */
  readonly isOutdated: boolean;
  readonly isWithdrawn: boolean;
}

/** A search of the publishing records, for one row. */
export interface Search {
  readonly claimed: boolean;
  readonly row: number;
  readonly revision: number;
  readonly entry: Entry;
  readonly post: number;
}

/** The ledger: what Redis has, and loses when it is put back to a copy. */
export interface Stored {
  rows: Row[];
  /** For each post: -1 nobody, else its row times 2, plus 1 if an answer gave it. */
  holders: number[];
  cancelled: boolean;
  /** The send journal: the call of each entry; -1 before the position that a person accepted. */
  journal: readonly number[];
}

export interface World extends Stored {
  calls: Call[];
  workers: Worker[];
  look: Look | undefined;
  shown: Shown | undefined;
  searches: readonly (Search | undefined)[];
  /** A copy of the ledger. */
  copy: Stored | undefined;
  isPutBack: boolean;
}

/** What may happen in a model, and how often. */
export interface Concern {
  readonly rows: 1 | 2;
  /** Calls in all. */
  readonly calls: number;
  /** Revisions of a row. */
  readonly revisions: number;
  readonly workers: 1 | 2;
  readonly searches: 0 | 1 | 2;
  /** Events beyond calls, answers and time. */
  readonly with: ReadonlySet<Extra>;
  /** Rules that are left out. */
  readonly without: ReadonlySet<Guard>;
}

export type Extra =
  /** A person decides about rows in review; takes it back. */
  | 'decisions'
  | 'undo'
  /** The connection sends a script twice, or loses its reply. */
  | 'bad connection'
  /** Another step of the row fails; the post cannot be sent. */
  | 'failures'
  /** Failed rows are retried by command. */
  | 'retry'
  | 'cancel'
  /** A post may be not published, after all. */
  | 'unpublished'
  | 'put back'
  /** A gate of a row is closed when its job begins, or opens. */
  | 'gates'
  /** Rows need the approval of a person. They are edited, and their files uploaded again. */
  | 'approvals'
  /** A person cancels a row. An edit brings it back. */
  | 'cancelled rows'
  /** The ledger answers at once, and no process is killed: fewer states, where another concern has that part. */
  | 'calm'
  /** What is not promised: each breaks an assumption about the world. */
  | Unpromised;

export type Unpromised =
  | '500 after the effect, sent again'
  | 'the service works on after the connection'
  | 'the service works on after its time'
  | 'a look before the call was over'
  | 'an untrue decision'
  | 'published after it was sent again'
  | 'a process without memory';

export const idle: Worker = {
  phase: 'idle',
  row: 0,
  revision: 0,
  approved: 0,
  content: 0,
  call: -1,
  age: 0,
  reply: '',
  outcome: '',
  twice: false,
  position: 0,
  seen: 0,
  witness: -1,
};

export function firstWorld(concern: Concern): World {
  const rows = Array.from(
    { length: concern.rows },
    (): Row => ({
      state: 'w',
      revision: 0,
      entry: undefined,
      late: [],
      post: -1,
      earlier: [],
      failedBy: false,
      keeps: false,
      place: 'first',
      held: 0,
      undo: undefined,
      looked: lookCounts + 1,
      content: 0,
      said: -1,
      agreed: -1,
      withdrawn: false,
    }),
  );
  return {
    rows,
    holders: Array<number>(concern.calls).fill(-1),
    cancelled: false,
    journal: [],
    calls: [],
    workers: Array.from({ length: concern.workers }, () => ({ ...idle })),
    look: undefined,
    shown: undefined,
    searches: Array(concern.searches).fill(undefined),
    copy: undefined,
    isPutBack: false,
  };
}

export function copyOf(world: World): World {
  return {
    ...world,
    rows: world.rows.map((row) => ({ ...row })),
    holders: world.holders.slice(),
    calls: world.calls.map((call) => ({ ...call })),
    workers: world.workers.map((worker) => ({ ...worker })),
  };
}
