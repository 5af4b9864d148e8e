/** Carries out a sheet of decisions as planned. Decides nothing if the number of its rows in review has changed since. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { decideSheet, type SheetDecided } from './decide-sheet.ts';
import type { DecisionRuntime } from './decision.ts';
import type { DecisionFile } from './read-sheet.ts';

/** The decisions that a person has agreed to. */
export interface AgreedDecisions {
  readonly rows: number;
  /** The person has checked in the service that the posts and generations do not exist that the sheet says do not. */
  readonly isSure: boolean;
}

/**
 * `changed`: the plan has changed or has problems now. `unsure`: something would be sent again, and the person has not confirmed
 * that it does not exist. Nothing was done in either case.
 */
export interface DecidedAsPlanned {
  readonly kind: 'decided' | 'changed' | 'unsure';
  readonly plan: SheetDecided;
}

/** Whether the decisions send something again. If so, a person must confirm that they checked in the service. */
export function sendsAgain({ states }: SheetDecided): boolean {
  return (states.waiting ?? 0) > 0;
}

/** @throws {UseCaseError} as `decideSheet`. */
export async function decideAsPlanned(
  runtime: DecisionRuntime,
  campaign: Campaign,
  sheet: DecisionFile,
  { rows, isSure }: AgreedDecisions,
): Promise<DecidedAsPlanned> {
  const plan = await decideSheet(runtime, campaign, sheet, { dryRun: true });
  if (!isSure && sendsAgain(plan)) return { kind: 'unsure', plan };
  if (plan.matched !== rows) return { kind: 'changed', plan };
  const decided = await decideSheet(runtime, campaign, sheet, { dryRun: false });
  return { kind: decided.problems.total > 0 ? 'changed' : 'decided', plan: decided };
}
