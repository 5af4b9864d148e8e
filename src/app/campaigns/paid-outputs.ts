/** AI outputs that rows have paid for and that no post uses yet. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { parts } from '../../ledger/parts.ts';
import { latestGeneration, type RowProgress } from '../../ledger/rows/row-progress.ts';
import { stateOfLetter } from '../../ledger/states.ts';
import type { Row } from '../../manifest/row.ts';
import type { Runtime } from '../runtime/runtime.ts';

const rowsAtOnce = 500;

/** Counts the outputs, made or being made, of rows that would be cancelled. Rows that never ran are not read. */
export async function countUnusedOutputs(
  { ledger, views }: Pick<Runtime, 'ledger' | 'views'>,
  campaign: Campaign,
): Promise<number> {
  if (campaign.state === 'ended') return 0;
  const begun = begunRows(await ledger.rows.stateBytes(campaign.id));
  const view = begun.length === 0 ? undefined : await views.open(campaign.id, campaign.sheetVersion);
  let outputs = 0;
  for (const some of parts(begun, rowsAtOnce)) {
    const records = await ledger.rows.progressOf(campaign.id, some);
    for (const [index, row] of some.entries()) {
      const progress = records[index];
      if (progress === undefined) continue;
      const asked = isGenerating(progress) ? await view?.readableRow(row) : undefined;
      outputs += outputsOf(progress, asked);
    }
  }
  return outputs;
}

/** Outputs of a row, made or being made. @param row undefined if it is not known what it asked for. */
export function outputsOf(progress: RowProgress, row: Row | undefined): number {
  const asked = isGenerating(progress) ? row?.generation?.count : undefined;
  return Math.max(asked ?? 0, progress.assets.length);
}

function isGenerating(progress: RowProgress): boolean {
  const latest = latestGeneration(progress);
  return latest > 0 && progress.generationEnded !== latest;
}

/** Running rows, and rows that wait for a further run. @param bytes two for each row: its state and its revision. */
function begunRows(bytes: Buffer): readonly number[] {
  const rows: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const state = stateOfLetter(String.fromCharCode(bytes[at] ?? 0));
    if (state === 'running' || (state === 'waiting' && bytes[at + 1] !== 0)) rows.push(at / 2);
  }
  return rows;
}
