/** Takes back a decision about a row (the row is in review again), or the retry of a row whose post was not published. */
import type { RowState } from '../../ledger/states.ts';
import { type Undoable, undoableMs, undoWindowMs } from '../../ledger/transitions/decisions.ts';
import { describeDuration } from '../../manifest/wording.ts';
import { type CampaignRef, findCampaign, findRow, readCampaigns, rowNotFound } from '../campaigns/find.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { refused } from './decision.ts';

export { undoableMs, undoWindowMs };

/** For ten minutes, while the row has not gone on. Not updates and edits. @throws {UseCaseError} `row_not_found`, `decision_refused`. */
export async function undoDecision(
  runtime: Pick<Runtime, 'ledger'>,
  ref: CampaignRef,
  key: string,
): Promise<RowState> {
  const campaign = await findCampaign(runtime, ref);
  const row = await findRow(runtime, campaign, key);
  const undone = await runtime.ledger.decisions.undo(campaign.id, row);
  if (undone === undefined) throw rowNotFound(campaign.id, key);
  if (undone.kind === 'undone') return undone.state;
  const wait = describeDuration(undoWindowMs);
  const kept = describeDuration(undoableMs);
  throw undone.kind === 'none'
    ? refused(
        `row ${key} is ${undone.state}, and was not decided within the last ${kept}`,
        `You can undo a decision for ${kept}, while its row waits or is posted by it, and no answer has confirmed it. You can also undo the retry of a row whose post was not published, while the row waits. A row that a sheet or an edit has changed starts at once: change it again instead.`,
      )
    : refused(
        `row ${key} has started since it was decided: it is ${undone.state}`,
        `You can undo a resend for ${wait}. After that, delete duplicates in the app.`,
      );
}

export interface DecidedLately {
  readonly campaign: string;
  readonly key: string;
  readonly state: RowState;
  readonly undoable: Undoable;
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
    const undoable = await ledger.decisions.decidedAt(id, position);
    if (undoable === undefined) return [];
    const [status] = await ledger.rows.statusesOf(id, [position]);
    const key = await ledger.rowKeys.of(campaign, position);
    return status === undefined ? [] : [{ campaign: id, key, state: status.state, undoable }];
  });
  return (await Promise.all(found)).flat();
}
