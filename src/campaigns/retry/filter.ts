/** Filters of failed rows and rows in review. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { Step } from '../../manifest/steps.ts';
import type { CampaignView } from '../../processors/runner/campaign-view.ts';

/** Rows must match every given field. */
export interface RowFilter {
  /** Code of the error. */
  readonly error?: string | undefined;
  /** As written in the sheet. */
  readonly creator?: string | undefined;
  readonly step?: Step | undefined;
}

/** @returns the matching rows, in their order. */
export async function matching(
  ledger: Ledger,
  view: CampaignView,
  rows: readonly number[],
  { error, creator, step }: RowFilter,
): Promise<readonly number[]> {
  const errors = await ledger.rows.errors(view.campaign.id, rows);
  const matched: number[] = [];
  for (const [index, row] of rows.entries()) {
    const found = errors[index];
    if (error !== undefined && found?.code !== error) continue;
    if (step !== undefined && found?.step !== step) continue;
    if (creator === undefined || (await view.readableRow(row))?.creator === creator) matched.push(row);
  }
  return matched;
}
