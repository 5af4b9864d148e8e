/**
 * What an import into a campaign does with a row of the sheet:
 *
 *     key not in the campaign       new: added
 *     failed, edited                changed: redone with the new content
 *     failed, unedited              redone, unless a person has rejected it
 *     waiting, edited               changed
 *     waiting, unedited             left alone
 *     waiting, her status holds it  left alone: an update cannot hold it, so it is named
 *     posted, running, cancelled    left alone, whatever the sheet says
 *     review                        refused: a person has to decide first
 *     failed, post not looked up    left alone: its post was not published, and it is not known whether it has been since
 */
import type { RowState } from '../../ledger/states.ts';
import type { MatchedRow } from '../check/checked-row.ts';
import type { CampaignIndex } from './campaign-index.ts';

/** The possible decisions. `unchanged`: waiting and unedited. `unread`: failed, and its post could not be looked up. */
export const matches = [
  'new',
  'changed',
  'redone',
  'posted',
  'running',
  'unchanged',
  'cancelled',
  'review',
  'unread',
  'rejected',
] as const;
/** What becomes of a row that is imported into a campaign. */
export type Match = (typeof matches)[number];

/** States in which an update changes a row: nothing of it is under way at the service. */
export const mayChange: ReadonlySet<RowState> = new Set(['waiting', 'ready', 'failed']);

/** What is said of a row that her status now holds, although it is not held. */
export const notHeld: Partial<Record<Match, string>> = {
  posted: 'already posted or scheduled: not put on hold',
  running: 'already started: not put on hold',
  unchanged: 'still waiting: it will be sent, unless you cancel it',
};

/** Decisions that put the row into the campaign. */
export const taken: ReadonlySet<Match> = new Set(['new', 'changed', 'redone']);

/** @param at position of the row in the campaign. */
export function matchRow(index: CampaignIndex, at: number, row: MatchedRow): Match {
  const state = index.stateOf(at);
  const isSame = isSameContent(index, at, row);
  if (state === 'failed' && index.isUnread(at)) return 'unread';
  if (state === 'failed' && isSame) return index.isRejected(at) ? 'rejected' : 'redone';
  if (state === 'failed') return 'changed';
  if (state === 'waiting' || state === 'ready')
    return isSame || isNewlyHeld(index, at, row) ? 'unchanged' : 'changed';
  return state;
}

/** She may have posted by hand what still waits. */
export function isNewlyHeld(index: CampaignIndex, at: number, { isHeld, saysPosted }: MatchedRow): boolean {
  const state = index.stateOf(at);
  const isDone = saysPosted && (state === 'waiting' || state === 'ready');
  return (isHeld || isDone) && !index.isHeld(at);
}

export function isSameContent(index: CampaignIndex, at: number, { content }: MatchedRow): boolean {
  return content !== null && index.isSame(at, content);
}
