/** AI outputs beyond a limit of the settings (`spend`): their rows wait until an operator allows them. */
import { z } from 'zod';
import { batches } from '../../ledger/ledger-part.ts';
import { emptyRowProgress, outputsMissing } from '../../ledger/rows/row-progress.ts';
import { costOfOutputs, costSchema, type Prices } from '../../manifest/money.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { RowVersion } from '../../manifest/row.ts';
import { findCampaign } from '../campaigns/find.ts';
import type { Document } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';

export const spendingSchema = z.strictObject({
  id: z.string(),
  /** Rows that wait, those with the nearest planned time: at most 10,000, so that nobody allows more than was counted. */
  rows: z.int(),
  /** Rows that wait beyond these. They can be allowed next. */
  more: z.int(),
  /** AI outputs that they would make. */
  outputs: z.int(),
  /** Null without prices in the settings. */
  cost: costSchema.nullable(),
  /** AI outputs that the campaign has asked for. */
  spent: z.int(),
  /** Most outputs of a campaign, and of a month; null: no limit. */
  maxOutputs: z.int().nullable(),
  perMonth: z.int().nullable(),
});
export type Spending = Document<typeof spendingSchema>;

const mostRows = 10_000;
const rowsAtOnce = 500;

/** @throws {UseCaseError} `campaign_not_found`. */
export async function showSpending(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'settings'>,
  id: string,
): Promise<Spending> {
  return (await readSpending(runtime, id)).spending;
}

/** A row that waits, and the AI outputs that it would make. */
interface UnpaidRow extends RowVersion {
  readonly model: string;
  readonly outputs: number;
}

async function readSpending(
  { ledger, views, settings }: Pick<Runtime, 'ledger' | 'views' | 'settings'>,
  id: string,
): Promise<{ readonly spending: Spending; readonly rows: readonly UnpaidRow[] }> {
  const campaign = await findCampaign({ ledger }, id);
  const view = await views.open(id, campaign.sheetVersion);
  const rows: UnpaidRow[] = [];
  const unpaid = await ledger.approvals.unpaid(id, mostRows);
  for (const some of batches(unpaid, rowsAtOnce)) {
    const [statuses, records, specs] = await Promise.all([
      ledger.rows.statusesOf(id, some),
      ledger.rows.progressOf(id, some),
      Promise.all(some.map((row) => view?.readableRow(row))),
    ]);
    for (const [index, row] of some.entries()) {
      const [status, generation] = [statuses[index], specs[index]?.generation];
      if (status?.state !== 'ready' || generation === undefined) continue;
      const outputs = outputsMissing(records[index] ?? emptyRowProgress, generation);
      rows.push({ row, revision: status.revision, model: generation.model, outputs });
    }
  }
  const { maxOutputs, perMonth } = settings.spend;
  const more = Math.max(0, campaign.unpaid - unpaid.length);
  const limits = { spent: campaign.outputs, maxOutputs, perMonth };
  return { spending: { id, ...sumOf(rows, settings.spend), more, ...limits }, rows };
}

function sumOf(rows: readonly UnpaidRow[], prices: Prices): Pick<Spending, 'rows' | 'outputs' | 'cost'> {
  const byModel = rows.map(({ model, outputs }) => [model, outputs] as const);
  const outputs = byModel.reduce((sum, [, many]) => sum + many, 0);
  return { rows: rows.length, outputs, cost: costOfOutputs(byModel, prices) };
}

/**
 * Lets the rows that `showSpending` counts make their AI outputs, which count all the same. The answer tells of those that still waited.
 * @param expect how many outputs the person saw: if it is another number now, nothing is allowed. @param by name of the person.
 * @throws {UseCaseError} `campaign_not_found`, `approval_refused`.
 */
export async function allowSpending(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'settings' | 'queues'>,
  id: string,
  { expect, by }: { readonly expect: number; readonly by: string },
): Promise<Spending> {
  const { spending, rows } = await readSpending(runtime, id);
  if (spending.outputs !== expect)
    throw new UseCaseError('approval_refused', `${spending.outputs} AI outputs wait now, not ${expect}`, {
      fix: 'Nothing was allowed. Look again.',
    });
  const allowed = await runtime.ledger.approvals.allowSpending(id, rows, by);
  if (allowed.size > 0) await runtime.queues.wakeAdmission(id);
  const sums = sumOf(
    rows.filter(({ row }) => allowed.has(row)),
    runtime.settings.spend,
  );
  return { ...spending, ...sums };
}
