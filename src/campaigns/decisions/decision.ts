/** Types and errors for all ways to decide about rows in review: one row, many, a sheet. */
import type { RecordTools } from '../../processors/records/source.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { quote } from '../repair/repairs.ts';
import type { ReviewRow } from './review-rows.ts';
import { type Verdict, verdictText } from './verdict.ts';

export type DecisionRuntime = Pick<Runtime, 'ledger' | 'queues' | 'views' | 'settings' | 'now'> &
  Pick<RecordTools, 'log'> & { readonly accounts: Pick<Runtime['accounts'], 'find'> };

export interface DecideOptions {
  /** Accepts ids without looking them up in the service. */
  readonly unchecked?: boolean | undefined;
}

/** A row in review with a verdict about what it waits for. */
export interface DecidedRow {
  readonly row: ReviewRow;
  readonly verdict: Verdict;
}

/** Why a decision is refused. `code` is stable. */
export interface DecisionFault {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
}

/** The command that makes a decision about one row. */
export function settleCommand(campaign: string, key: string, verdict: Verdict): string {
  return `campaigns settle ${campaign} ${quote(key)} --${verdictText(verdict)}`;
}

export function refused(message: string, cure: string): UseCaseError {
  return new UseCaseError('decision_refused', message, { cure });
}
