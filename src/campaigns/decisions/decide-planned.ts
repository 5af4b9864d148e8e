/** Carries out a sheet of decisions as its plan was shown: if other rows wait now, nothing is decided. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { decideSheet, type SheetDecided } from './decide-sheet.ts';
import type { DecisionRuntime } from './decision.ts';

interface DecisionFile {
  /** Where its bytes are. */
  readonly path: string;
  /** Its name in messages. */
  readonly file: string;
}

/** Only plans. @throws {UseCaseError} as `decideSheet`. */
export async function planDecisions(
  runtime: DecisionRuntime,
  campaign: Campaign,
  sheet: DecisionFile,
): Promise<SheetDecided> {
  return decideSheet(runtime, campaign, sheet, { dryRun: true });
}

/**
 * @param agreed number of rows that a person agreed to decide about.
 * @throws {UseCaseError} `plan_changed`, and as `decideSheet`.
 */
export async function decideAsPlanned(
  runtime: DecisionRuntime,
  campaign: Campaign,
  sheet: DecisionFile,
  agreed: number,
): Promise<SheetDecided> {
  const { matched } = await planDecisions(runtime, campaign, sheet);
  if (matched !== agreed) {
    throw new UseCaseError('plan_changed', 'other rows wait for a decision than when the plan was made', {
      cure: 'Look at the new plan.',
    });
  }
  return decideSheet(runtime, campaign, sheet, { dryRun: false });
}
