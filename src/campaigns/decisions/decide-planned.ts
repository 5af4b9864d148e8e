/** Carries out a sheet of decisions as its plan was shown: if other rows wait now, nothing is decided. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { decideSheet, type SheetDecided } from './decide-sheet.ts';
import type { DecisionRuntime } from './decision.ts';

interface DecisionFile {
  /** Where its bytes are. */
  readonly path: string;
  /** Its name in messages. */
  readonly file: string;
}

/** Only plans. @param onRead receives the rows as they are read. @throws {UseCaseError} as `decideSheet`. */
export async function planDecisions(
  runtime: DecisionRuntime,
  campaign: Campaign,
  sheet: DecisionFile,
  onRead?: (rows: readonly unknown[]) => void,
): Promise<SheetDecided> {
  return decideSheet(runtime, campaign, sheet, { dryRun: true, onRead });
}

/** What a person has agreed to. */
export interface AgreedDecisions {
  readonly rows: number;
  /** They have looked in the service: what the sheet says is not there is not there. */
  readonly isSure: boolean;
}

/** Unless `decided`, nothing was done: the plan is another one or has problems now, or something would be sent and nobody is sure. */
export interface DecidedAsPlanned {
  readonly kind: 'decided' | 'changed' | 'unsure';
  readonly plan: SheetDecided;
}

/** Whether something is sent because of a decision. Then a person has to say that they have looked. */
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
  const plan = await planDecisions(runtime, campaign, sheet);
  if (!isSure && sendsAgain(plan)) return { kind: 'unsure', plan };
  if (plan.matched !== rows) return { kind: 'changed', plan };
  const decided = await decideSheet(runtime, campaign, sheet, { dryRun: false });
  return { kind: decided.problems.total > 0 ? 'changed' : 'decided', plan: decided };
}
