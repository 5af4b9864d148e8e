import { z } from 'zod';
import { steps } from '../manifest/steps.ts';

/**
 * The states of a row (`docs/internals/states.md` has the diagram):
 *
 *     waiting -> running -> posted | failed | review | cancelled
 *     waiting -> running -> ready -> waiting -> running -> posted | ...
 *
 * - waiting: in the ledger only; no job exists for it.
 * - running: admitted to the window; its jobs are queued or running.
 * - ready: all that it needs is there, but a gate is closed: its time has not come. No job exists for it.
 * - posted: the service accepted the post. If it was not published after all, the row fails.
 * - failed: it ended with an error, and no call is of unknown outcome; a retry sends it back to waiting.
 * - review: a person must decide, because an outcome is unknown, its time has passed or a deadline ran out.
 * - cancelled: somebody cancelled it.
 *
 * From failed or review, a row goes back to waiting in its next revision, which supersedes the jobs of the old one.
 */
export const rowStates = ['waiting', 'running', 'ready', 'posted', 'failed', 'review', 'cancelled'] as const;
/** State of a row: `waiting`, `running` and `ready` go on by themselves, `failed` and `review` wait for a person. */
export type RowState = (typeof rowStates)[number];

const letters: Readonly<Record<string, RowState>> = {
  w: 'waiting',
  r: 'running',
  y: 'ready',
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

/** A publishing record that may be the post of a row in review. Unknown fields are kept: newer programs may store more. */
const recordCandidate = z.looseObject({
  postId: z.string(),
  status: z.string().optional(),
  /** Shortened to some hundred characters. */
  title: z.string().optional(),
  /** The caption is only alike. */
  isSimilar: z.boolean(),
  productId: z.string().optional(),
  /** The record names files, and they are those of the row. */
  hasFiles: z.boolean(),
  /** Unix epoch, milliseconds. */
  scheduledAt: z.number().optional(),
  /** Unix epoch, milliseconds. */
  createdAt: z.number().optional(),
});
export type RecordCandidate = Readonly<z.infer<z.ZodObject<typeof recordCandidate.shape, z.core.$strip>>>;

/** Why a row was not posted. `code` is stable; `docs/runbook.md` lists all codes. */
export const rowError = z.looseObject({
  step: z.enum(steps),
  code: z.string(),
  message: z.string(),
  /** What the error is about (a file, a product, a creator), if not the row itself. */
  subject: z.string().optional(),
  fix: z.string().optional(),
  /** News from the publishing records since then. */
  note: z.string().optional(),
  /** When the publishing records were last checked. Unix epoch, milliseconds. */
  notedAt: z.number().optional(),
  /** Records at that time that may be the post of a row in review. At most ten. */
  candidates: z
    .array(recordCandidate as z.ZodType<RecordCandidate>)
    .readonly()
    .optional(),
  /** The last check saw all records, late enough for the post to appear, and none can be the post. */
  isNotFound: z.boolean().optional(),
  /** Unix epoch, milliseconds. */
  at: z.number(),
});
export type RowError = Readonly<z.infer<z.ZodObject<typeof rowError.shape, z.core.$strip>>>;
