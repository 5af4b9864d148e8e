/** What a results sheet says of approvals and comments. */
import type { Campaign, CreatorRef } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { Comment } from '../../../ledger/rows/histories.ts';
import { emptyRowProgress } from '../../../ledger/rows/row-progress.ts';
import type { RowOutcome } from '../../../ledger/rows/rows.ts';
import type { StoredRow } from '../../../ledger/rows/stored-rows.ts';
import { type Approval, approvalDigest } from '../../../ledger/transitions/approvals.ts';
import { needsApproval } from '../../../manifest/campaign-options.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import type { Row, RowIndex } from '../../../manifest/row.ts';

interface SheetRow {
  readonly row: RowIndex;
  readonly stored: StoredRow;
  readonly outcome: Pick<RowOutcome, 'state' | 'error' | 'progress'>;
}

/** @returns what makes the cells of `approvalColumns` of some rows, in their order. */
export async function openApprovalCells(
  ledger: Ledger,
  campaign: Campaign,
): Promise<(rows: readonly SheetRow[]) => Promise<readonly (readonly string[])[]>> {
  const { id, approve } = campaign;
  const creators = await ledger.campaigns.creators(id);
  const reader = createImportedRowReader(campaign);
  const isDecided = ({ stored, outcome }: SheetRow, approval: Approval | undefined): boolean => {
    if (approval?.is !== 'approved') return approval !== undefined && outcome.error?.code === 'rejected';
    const row = reader.row(stored);
    if (row === undefined || !needsApproval(row, approve)) return false;
    return isOfPost(approval.digest, outcome, row, creators.get(row.creator));
  };
  return async (rows) => {
    const positions = rows.map(({ row }) => row);
    const [approvals, comments, unapproved] = await Promise.all([
      ledger.approvals.of(id, positions),
      ledger.comments.of(id, positions),
      ledger.approvals.areAt(id, 'unapproved', positions),
    ]);
    return rows.map((row, index) => {
      const approval = approvals[index];
      const said = (comments[index] ?? []).map(commentLine).join('\n');
      if (unapproved[index]) return ['waiting', '', said];
      return approval && isDecided(row, approval) ? [approval.is, approval.by, said] : ['', '', said];
    });
  };
}

/** The further lines of a comment are indented: none of them reads as another person's. */
export function commentLine({ by, isGuest = false, text }: Omit<Comment, 'at'>): string {
  return `${by}${isGuest ? ' (client link)' : ''}: ${text.replaceAll('\n', '\n  ')}`;
}

/** Whether an approval is of what was posted or would be. A row that needs one was posted only with it. */
function isOfPost(
  digest: string,
  { state, progress = emptyRowProgress }: SheetRow['outcome'],
  row: Row,
  creator: CreatorRef | undefined,
): boolean {
  if (state === 'posted') return true;
  if (state === 'cancelled' || creator === undefined) return false;
  return approvalDigest(row, creator.creatorId, progress) === digest;
}
