/** Types and errors for all ways to decide about rows in review: one row, many, a sheet. */
import { type Cure, type CurePart, type Hint, hint } from '../../manifest/problems/hint.ts';
import { isoTimeOf } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { describeDuration } from '../../runtime/wording.ts';
import type { ReviewRow } from './review-rows.ts';
import { type Verdict, verdictText } from './verdict.ts';

/** The parts of a `Runtime` that decisions need. */
export type DecisionRuntime = Pick<Runtime, 'ledger' | 'queues' | 'views' | 'settings' | 'now' | 'log'> & {
  readonly accounts: Pick<Runtime['accounts'], 'find'>;
};

/** How a decision is made. */
export interface DecideOptions {
  /** Accepts ids without looking them up in the service. */
  readonly unchecked?: boolean | undefined;
}

/** A row in review with a verdict about what it waits for. */
export interface DecidedRow {
  readonly row: ReviewRow;
  readonly verdict: Verdict;
}

/** A decision about the row with this key. */
export interface KeyedDecision extends DecidedRow {
  readonly key: string;
}

/** Why a decision is refused. `code` is stable. */
export interface DecisionFault {
  readonly code: string;
  readonly message: string;
  readonly cure: Cure;
}

/** To make a decision about one row. @param unchecked without looking up its id. */
export function decideHint(campaign: string, key: string, verdict: Verdict, unchecked = false): Hint {
  return hint('decideRow', { campaign, key, decision: verdictText(verdict), unchecked });
}

/** What to do if a decision is right although the records contradict it. */
export function insist(campaign: string, { key, verdict }: KeyedDecision): readonly CurePart[] {
  return [
    "If it is right, decide without the look-up (the service's records may lag):",
    decideHint(campaign, key, verdict, true),
  ];
}

/**
 * From when on a decision is taken that sends a call again; undefined if it is taken now. Before that, the call may still be under way.
 * @returns Unix epoch, milliseconds.
 */
export function earlyUntil({ row, verdict }: DecidedRow, now: number): number | undefined {
  if (verdict.kind === 'posted' || verdict.kind === 'generated') return undefined;
  const { underWayUntil } = row.progress;
  return underWayUntil !== undefined && underWayUntil > now ? underWayUntil : undefined;
}

/** A decision that would send a call again that may still be under way. */
export class EarlyDecisionError extends UseCaseError {
  /** When the decision is taken: Unix epoch, milliseconds. */
  readonly from: number;

  constructor(key: string, from: number, now: number) {
    super('decision_early', `the call of row ${key} may still be under way`, {
      cure: `This decision is taken in ${describeDuration(Math.max(1000, from - now))}, from ${isoTimeOf(from)} on: check in the service again then. If the post or generation exists by now, its id is taken at once.`,
    });
    this.from = from;
  }
}

export function refused(message: string, cure: Cure): UseCaseError {
  return new UseCaseError('decision_refused', message, { cure });
}
