import type { Step } from '../manifest/steps.ts';

/**
 * The states of a row (`docs/states.md` has the diagram):
 *
 *     waiting -> running -> posted | failed | review | cancelled
 *
 * - waiting: in the ledger only; no job exists for it.
 * - running: admitted to the window; its jobs are queued or running.
 * - posted: the service accepted the post. If it was not published after all, the row fails.
 * - failed: it ended with an error, and no call is of unknown outcome; a retry sends it back to waiting.
 * - review: a person must decide, because an outcome is unknown, its time has passed or a deadline ran out.
 * - cancelled: somebody cancelled it.
 *
 * From failed or review, a row goes back to waiting in its next revision, which supersedes the jobs of the old one.
 */
export const rowStates = ['waiting', 'running', 'posted', 'failed', 'review', 'cancelled'] as const;
/** State of a row: `waiting` and `running` go on by themselves, `failed` and `review` wait for a person. */
export type RowState = (typeof rowStates)[number];

const letters: Readonly<Record<string, RowState>> = {
  w: 'waiting',
  r: 'running',
  p: 'posted',
  f: 'failed',
  v: 'review',
  c: 'cancelled',
};

/** State and revision of one row: two bytes of the campaign's byte string. */
export interface RowStatus {
  readonly state: RowState;
  /** 0 to 255, then 0 again: only equality counts. */
  readonly revision: number;
}

/** @throws {RangeError} for a letter that no script writes. */
export function stateOfLetter(letter: string): RowState {
  const state = letters[letter];
  if (state === undefined) throw new RangeError(`no row state has the letter ${JSON.stringify(letter)}`);
  return state;
}

/** The letter that scripts write. */
export function letterOfState(state: RowState): string {
  const [letter = ''] = Object.entries(letters).find(([, each]) => each === state) ?? [];
  return letter;
}

/** Reads one row from the byte string or a part of it; undefined beyond its end. */
export function statusAt(bytes: Buffer, index: number): RowStatus | undefined {
  const letter = bytes[index * 2];
  const revision = bytes[index * 2 + 1];
  if (letter === undefined || revision === undefined) return undefined;
  return { state: stateOfLetter(String.fromCharCode(letter)), revision };
}

/** A call that the journal protects: the row's post, or its n-th generation (`gen1`, `gen2`, ...). */
export type Effect = 'post' | `gen${number}`;

/**
 * A publishing record that may be the post of a row in review. A person compares the two. Fields that the record lacks are
 * undefined.
 */
export interface RecordCandidate {
  readonly postId: string;
  readonly status?: string | undefined;
  /** Shortened to some hundred characters. */
  readonly title?: string | undefined;
  /** The caption is only alike. */
  readonly isSimilar: boolean;
  readonly productId?: string | undefined;
  /** The record names files, and they are those of the row. */
  readonly hasFiles: boolean;
  /** Unix epoch, milliseconds. */
  readonly scheduledAt?: number | undefined;
  /** Unix epoch, milliseconds. */
  readonly createdAt?: number | undefined;
}

/** Why a row was not posted. `code` is stable; `docs/runbook.md` lists all codes. */
export interface RowError {
  readonly step: Step;
  readonly code: string;
  readonly message: string;
  /** What the error is about (a file, a product, a creator), if not the row itself. */
  readonly subject?: string | undefined;
  /** How to repair it. */
  readonly cure?: string | undefined;
  /** News from the publishing records since then. */
  readonly note?: string | undefined;
  /** When the publishing records were last checked. Unix epoch, milliseconds. */
  readonly notedAt?: number | undefined;
  /** Records at that time that may be the post of a row in review. At most ten. */
  readonly candidates?: readonly RecordCandidate[] | undefined;
  /** The last check saw all records, late enough for the post to appear, and none can be the post. */
  readonly isNotFound?: boolean | undefined;
  /** Unix epoch, milliseconds. */
  readonly at: number;
}
