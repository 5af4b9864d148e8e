/** Decisions of people about rows in review: the outcome of a call that is unknown. They can be taken back for a while. */

import type { RowIndex, RowRef } from '../../manifest/row.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { LedgerPart } from '../ledger-part.ts';
import { encodePost, type PostedAssets, type PostedResult, type ScriptEnd } from '../rows/results.ts';
import { type Effect, type RowError, type RowState, stateOfLetter } from '../states.ts';

export type Decision =
  | ({ readonly kind: 'posted'; readonly result: PostedResult } & PostedAssets)
  /** The row goes back to waiting, in its next revision. `fields` are added to its progress. */
  | { readonly kind: 'again'; readonly fields: readonly (readonly [string, string])[] }
  | { readonly kind: 'failed'; readonly error: RowError };

/** How long a decided row waits before it goes on. Milliseconds. */
export const undoWindowMs = 10_000;
/** How long the data that a decision replaced is kept. Milliseconds. */
export const undoableMs = 600_000;

interface Decided {
  /** `changed`: the row has changed, or the post is another row's. `early`: the call may still be under way. Both write nothing. */
  readonly kind: 'decided' | 'changed' | 'early';
  readonly state: RowState;
  /** From when on an `early` decision is taken: Unix epoch, milliseconds, by the clock of Redis. */
  readonly from?: number;
}

/** A change of a row that can be taken back. */
export interface Undoable {
  /** Unix epoch, milliseconds. */
  readonly at: number;
  /** The row's state before, and after it is taken back. */
  readonly was: RowState;
  /** Whether the row waits before it is sent, and can be taken back only until it starts. */
  readonly isHeld: boolean;
  /** Whether it is held for as long as its campaign is paused. */
  readonly isPaused: boolean;
  /** Until when it can be taken back; a waiting row, at least until then. Unix epoch, milliseconds. */
  readonly until: number;
  /** Whether the row sends a post that may exist already. */
  readonly mayDuplicate: boolean;
}

/** `none`: the row was not decided, or too long ago. `changed`: it has gone on since. */
interface Undone {
  readonly kind: 'undone' | 'none' | 'changed';
  readonly state: RowState;
}

export class DecisionLedger extends LedgerPart {
  /** @param unknownEffect the call that the decision is about; undefined for a row without one. @returns undefined for no such row. */
  async decide(
    row: RowRef,
    unknownEffect: Effect | undefined,
    decision: Decision,
  ): Promise<Decided | undefined> {
    const { payload, extras } = encodeDecision(decision);
    const args: ScriptArgument[] = [row.campaign, row.row, row.revision, unknownEffect ?? '', this.clock];
    args.push(decision.kind, payload, undoWindowMs, undoableMs, extras.length, ...extras);
    const reply = await this.run<[Decided['kind'], string, string?] | null>('transitions/decide-row', args);
    if (!reply) return undefined;
    const [kind, letter, from] = reply;
    return { kind, state: stateOfLetter(letter), ...(from !== undefined && { from: Number(from) }) };
  }

  /** The last decision about a row, or its retry; undefined if it can no longer be taken back. */
  async decidedAt(campaign: string, row: RowIndex): Promise<Undoable | undefined> {
    const [facts, [status], campaignState, now] = await Promise.all([
      this.redis.hmget(this.keys.undo(campaign, row), 'at', 'state', 'revision', 'back', 'effect'),
      this.statusesFrom(this.keys.states(campaign), row, 1),
      this.redis.hget(this.keys.campaign(campaign), 'state'),
      this.time(),
    ]);
    const [at, letter, revision, back, effect] = facts;
    if (!at || !letter || !status || Number(at) + undoableMs <= now) return undefined;
    const isUnchanged = stateOfLetter(letter) === status.state && Number(revision) === status.revision;
    if (!isUnchanged) return undefined;
    const was = stateOfLetter(back ?? 'v');
    const isHeld = status.state === 'waiting';
    const isPaused = isHeld && campaignState === 'paused';
    const until = Number(at) + (isHeld && !isPaused ? undoWindowMs : undoableMs);
    // A row is held after a retry only if it had a post.
    const mayDuplicate = isHeld && (effect === 'post' || was === 'failed');
    return { at: Number(at), was, isHeld, isPaused, until, mayDuplicate };
  }

  /** Takes a decision or a retry back: the row is in review again, or has failed again. @returns undefined when there is no such row. */
  async undo(campaign: string, row: RowIndex): Promise<Undone | undefined> {
    const args = [campaign, row, this.clock, undoableMs];
    const reply = await this.run<[Undone['kind'], string] | null>('transitions/undo-decision', args);
    return reply ? { kind: reply[0], state: stateOfLetter(reply[1]) } : undefined;
  }
}

function encodeDecision(decision: Decision): ScriptEnd {
  switch (decision.kind) {
    case 'posted':
      return encodePost(decision);
    case 'again':
      return { payload: '', extras: decision.fields.flat() };
    case 'failed':
      return { payload: JSON.stringify(decision.error), extras: [] };
  }
}
