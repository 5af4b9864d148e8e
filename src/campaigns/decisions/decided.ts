/** Recent decisions that can still be taken back. */
import type { RowState } from '../../ledger/states.ts';
import type { Undoable } from '../../ledger/transitions/decisions.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { readCampaigns } from '../find.ts';

export interface DecidedLately {
  /** Id of the campaign. */
  readonly campaign: string;
  readonly key: string;
  readonly state: RowState;
}

/** The last decision about a row, or its retry; undefined if it can no longer be taken back. */
export function decidedAt(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: string,
  position: number,
): Promise<Undoable | undefined> {
  return ledger.decisions.decidedAt(campaign, position);
}

/** @returns the rows whose decisions can be taken back. */
export async function listDecided(
  runtime: Pick<Runtime, 'ledger'>,
  rows: readonly { readonly campaign: string; readonly position: number }[],
): Promise<readonly DecidedLately[]> {
  const { ledger } = runtime;
  const ids = [...new Set(rows.map(({ campaign }) => campaign))];
  const campaigns = new Map((await readCampaigns(runtime, ids)).map((each) => [each.id, each]));
  const found = rows.map(async ({ campaign: id, position }): Promise<readonly DecidedLately[]> => {
    const campaign = campaigns.get(id);
    if (!campaign || position >= campaign.rows) return [];
    if ((await decidedAt(runtime, id, position)) === undefined) return [];
    const [status] = await ledger.rows.statusesOf(id, [position]);
    const key = await ledger.rowKeys.of(campaign, position);
    return status === undefined ? [] : [{ campaign: id, key, state: status.state }];
  });
  return (await Promise.all(found)).flat();
}
