/** Takes one row out of a campaign that goes on: it is not posted, unless somebody edits it. */
import { z } from 'zod';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import type { RowIndex } from '../../../manifest/row-ref.ts';
import { type Document, rowState } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { findCampaign, findRow } from '../find.ts';

export const cancelledRowSchema = z.strictObject({ id: z.string(), key: z.string(), state: rowState });

/** A row as it was seen, before it is cancelled. */
export interface CancellableRow {
  readonly key: string;
  readonly revision: number;
  /** Why it cannot be cancelled; undefined if it can. */
  readonly fault: string | undefined;
}

/**
 * Only a waiting or ready row can be cancelled: of any other, something may be under way at the service.
 * @throws {UseCaseError} `campaign_not_found`, `row_not_found`.
 */
export async function examineRow(
  { ledger }: Pick<Runtime, 'ledger'>,
  { campaign: id, key }: { readonly campaign: string; readonly key: string },
): Promise<CancellableRow & { readonly position: RowIndex }> {
  const campaign = await findCampaign({ ledger }, id);
  const position = await findRow({ ledger }, campaign, key);
  const [status] = await ledger.rows.statusesOf(id, [position]);
  const { state = 'waiting', revision = 0 } = status ?? {};
  const fault =
    state === 'waiting' || state === 'ready'
      ? undefined
      : `row ${key} is ${state}: only a waiting or ready row can be cancelled`;
  return { key, position, revision, fault };
}

/**
 * @param row.revision as the person saw it; default: its current one. @param by name of the person.
 * @throws {UseCaseError} `campaign_not_found`, `row_not_found`, `edit_refused`.
 */
export async function cancelRow(
  { ledger }: Pick<Runtime, 'ledger'>,
  row: { readonly campaign: string; readonly key: string; readonly revision?: number | undefined },
  by: string,
): Promise<Document<typeof cancelledRowSchema>> {
  const { campaign: id, key } = row;
  const { position, revision, fault } = await examineRow({ ledger }, row);
  if (fault !== undefined) throw refused(fault);
  const isDone = await ledger.rows.cancelOne(id, { row: position, revision: row.revision ?? revision }, by);
  if (!isDone) throw refused(`row ${key} has changed since it was shown: nothing was cancelled`);
  return { id, key, state: 'cancelled' };
}

function refused(message: string): UseCaseError {
  return new UseCaseError('edit_refused', message);
}
